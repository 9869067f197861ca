// `npm start`: starts the service beside this folder, a provider where two people sign in, and the app. Its options are those of the
// service's start. `npm start -- --alone [PORT] --service URL …` starts the app only, with the options of build.mjs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp, OPTIONS, readCommand } from './build.mjs';
import { serveApp } from './serve.mjs';

const PORT = 5173;
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const START = `${PROJECT}serverless/local/start.mjs`;

/** Serves the app for a service that is there already. */
async function startAlone(words) {
  const { names, settings } = readCommand(words);
  const [port = PORT, ...more] = names;
  if (more.length > 0 || !/^\d+$/.test(String(port)))
    throw new Error(`Usage: npm start -- --alone [PORT] [options]; got ${names.join(' ')}.\n\n${OPTIONS}`);
  await buildApp(settings);
  await serveApp(settings, Number(port)).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is taken: name another one, as in npm start -- --alone 5200`);
  });
  console.log(`The app is at http://localhost:${port}`);
}

/** Starts the service with two people, and serves the app until it ends. */
async function startWithService(options) {
  const misplaced = options.find((option) => OPTIONS.includes(`  ${option.split('=')[0]} `));
  if (misplaced) throw new Error(`${misplaced} needs --alone, which starts no service.\n\n${OPTIONS}`);
  if (!existsSync(START))
    throw new Error(`No service is beside this folder: npm start -- --alone starts the app only.\n\n${OPTIONS}`);
  let learn;
  const settings = new Promise((resolve) => {
    learn = resolve;
  });
  const origin = `http://localhost:${await serveApp(settings, PORT, PORT + 100)}`;
  const service = spawn(process.execPath, [START, '--local', '--people', ...options], {
    cwd: PROJECT,
    env: { ...process.env, CORS_ORIGINS: withOrigin(process.env.CORS_ORIGINS, origin), npm_lifecycle_event: 'app' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  service.once('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill());
  const [started] = await once(service, 'message');
  learn(settingsOf(started));
  await buildApp(await settings);
  console.log(`  App       ${origin}\n`);
}

/** The provider takes no `*`. */
function withOrigin(named = '', origin) {
  return ['', '*', 'none'].includes(named.trim()) ? origin : `${named},${origin}`;
}

/** @param {{ url: string, environment: Record<string, string> }} started - What the service's start sends. */
function settingsOf({ url, environment }) {
  const { TOKEN_ISSUER, TOKEN_CLIENT, TOKEN_AUDIENCE, TOKEN_READ_SCOPE, TOKEN_WRITE_SCOPE } = environment;
  const scopes = [TOKEN_READ_SCOPE, TOKEN_WRITE_SCOPE].filter((scope) => scope && scope !== 'none');
  const signIn = { issuer: TOKEN_ISSUER, client: TOKEN_CLIENT, audience: TOKEN_AUDIENCE };
  return { service: url, signIn: { ...signIn, scope: [...new Set(['openid', ...scopes])].join(' ') } };
}

// npm passes signals to the shell that runs its script, and Debian's shell ends without passing them on.
const shell = process.env.npm_lifecycle_event && process.ppid;
if (shell) setInterval(() => process.ppid === shell || process.kill(process.pid), 200).unref();
const words = process.argv.slice(2);
const others = words.filter((word) => word !== '--alone');
try {
  await (others.length < words.length ? startAlone(others) : startWithService(words));
} catch (error) {
  // esbuild has printed what is wrong with the code.
  if (!error.errors) console.error(error.message);
  process.exit(1);
}
