import { OAuth2Server } from 'oauth2-mock-server';
import { freePort } from './ports.cjs';

/** People who can sign in on this machine. */
export interface People {
  /** The function's variables, with which it takes their tokens. */
  readonly environment: Readonly<Record<string, string>>;
  /** A token of each, by name. */
  readonly tokens: Readonly<Record<string, string>>;
}

const AUDIENCE = 'local';
/** How long the tokens are valid, in seconds: a working day. */
const LIFETIME = 36_000;

/** Starts an OpenID Connect provider that only this machine can reach, and makes the tokens of two people. */
export async function startPeople(): Promise<People> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('ES256', { kid: 'local' });
  // The same port each time, if it is free: the issuer is in the names of the partitions that have their items.
  const port = await freePort(3003);
  await server.start(port, '127.0.0.1');
  const issuer = `http://127.0.0.1:${port}`;
  server.issuer.url = issuer;
  const tokenOf = (sub: string) =>
    server.issuer.buildToken({
      expiresIn: LIFETIME,
      scopesOrTransform: (_header, payload) => Object.assign(payload, { sub, aud: AUDIENCE }),
    });
  return {
    environment: { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE },
    tokens: { ada: await tokenOf('ada'), bob: await tokenOf('bob') },
  };
}
