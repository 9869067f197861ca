import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Grants } from './grants.js';
import { createProvider } from './provider.js';

/** An OpenID Connect provider on this machine. */
export interface LocalProvider {
  /** The variables with which the function accepts the provider's tokens. */
  readonly environment: Readonly<Record<string, string>>;
  /** A token of each person who can sign in, by name. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Where the provider listens. */
  readonly port: number;
  stop(): Promise<void>;
}

/** How the tokens are made, and for whose pages. */
export interface LocalProviderOptions {
  /** The origins whose pages may let people sign in; `*` is none. */
  readonly origins: readonly string[];
  /** The scopes of the tokens that are printed. */
  readonly scope?: string;
  /** Claims of all tokens for the service, such as one that names whose list it is. */
  readonly claims?: Readonly<Record<string, string>>;
  /** How long the tokens of a sign-in are valid, in seconds; an hour if left out. */
  readonly lifetime?: number;
}

const NAMES = ['ada', 'bob'];
const AUDIENCE = 'local';
/** Where the provider listens, unless another start has the port. */
export const FIRST_PORT = 3003;
/** How long the tokens that are printed are valid, in seconds: a working day. */
const WORKING_DAY = 36_000;

/** Starts an OpenID Connect provider that only this machine can reach, and makes the tokens of two people. */
export async function startLocalProvider(options: LocalProviderOptions): Promise<LocalProvider> {
  const { origins, scope = '', claims = {}, lifetime = 3_600 } = options;
  const server = createServer();
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const grants = await Grants.create({ issuer, audience: AUDIENCE, claims, lifetime });
  server.on('request', createProvider({ issuer, grants, origins, names: NAMES }));
  const tokens = NAMES.map(async (name) => [name, await grants.accessToken(name, scope, WORKING_DAY)] as const);
  return {
    environment: { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, TOKEN_CLIENT: 'page' },
    tokens: Object.fromEntries(await Promise.all(tokens)),
    port,
    async stop() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Listens on the same port each time, because the issuer is in the names of the partitions that have the people's items. While
 * another start has that port, this takes one of the hundred above.
 */
async function listen(server: Server): Promise<void> {
  for (let port = FIRST_PORT; port <= FIRST_PORT + 100; port++) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`No port from ${FIRST_PORT} to ${FIRST_PORT + 100} is free.`);
}
