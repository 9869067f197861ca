import { runTypeScript } from './child.js';
import { freePort } from './ports.js';

const FIRST_PORT = 5173;

/**
 * Lets the pages of the web app call the service.
 *
 * @param environment - The function's variables, whose CORS_ORIGINS it completes.
 * @returns The origin that the app will have.
 */
export async function admitWebApp(environment: Record<string, string>): Promise<string> {
  const origin = `http://localhost:${await freePort(FIRST_PORT)}`;
  const { CORS_ORIGINS: named = '' } = environment;
  if (named.trim() !== '*') environment.CORS_ORIGINS = named.trim() ? `${named},${origin}` : origin;
  return origin;
}

/**
 * Serves the web app of docs/front-end in a process of its own, until this one ends.
 *
 * @param origin - What {@link admitWebApp} has returned.
 * @param service - The URL of the service.
 * @param environment - The function's variables, which say where people sign in.
 * @throws Error that says why it can't be served.
 */
export async function startWebApp(origin: string, service: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_CLIENT, TOKEN_READ_SCOPE, TOKEN_WRITE_SCOPE } = environment;
  const isSet = (value: string | undefined) => value && value !== 'none';
  const options = ['--service', service];
  if (isSet(TOKEN_ISSUER)) {
    if (!isSet(TOKEN_CLIENT))
      throw new Error('The web app signs people in with the client of TOKEN_CLIENT, which is not set.');
    const scopes = new Set(['openid', TOKEN_READ_SCOPE, TOKEN_WRITE_SCOPE].filter(isSet));
    options.push('--issuer', String(TOKEN_ISSUER), '--client', String(TOKEN_CLIENT));
    options.push('--scope', [...scopes].join(' '), '--audience', String(TOKEN_AUDIENCE));
  }
  const script = ['docs/front-end/serve.mjs', new URL(origin).port, ...options];
  await runTypeScript(script, 'The web app could not be started');
}
