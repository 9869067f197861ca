import { OAuth2Server } from 'oauth2-mock-server';

/** An OpenID Connect provider on this machine. */
export interface LocalProvider {
  /** The function's variables, with which it takes its tokens. */
  readonly environment: Readonly<Record<string, string>>;
  /** A token of each person who can sign in, by name. */
  readonly tokens: Readonly<Record<string, string>>;
}

const AUDIENCE = 'local';
const FIRST_PORT = 3003;
/** How long the tokens are valid, in seconds: a working day. */
const LIFETIME = 36_000;

/** Starts an OpenID Connect provider that only this machine can reach, and makes the tokens of two people. */
export async function startLocalProvider(): Promise<LocalProvider> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('ES256', { kid: 'local' });
  const issuer = `http://127.0.0.1:${await listen(server)}`;
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

/**
 * Listens on the same port each time, because the issuer is in the names of the partitions that have the people's items; on one
 * of the hundred above while another start has it. Returns the port.
 */
async function listen(server: OAuth2Server): Promise<number> {
  for (let port = FIRST_PORT; port <= FIRST_PORT + 100; port++) {
    try {
      await server.start(port, '127.0.0.1');
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`No port from ${FIRST_PORT} to ${FIRST_PORT + 100} is free.`);
}
