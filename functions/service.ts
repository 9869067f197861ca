import { LARGEST_CONTENT } from '../shared/gateway/gateway.js';
import { createHandler, type Handler } from '../shared/handler.js';
import { type Log, openLog } from '../shared/log/log.js';
import type { Authenticator } from '../shared/openid/authenticator.js';
import type { TokenPolicy } from '../shared/openid/policy.js';
import { openMemory } from '../shared/store/memory.js';
import type { OpenStore } from '../shared/store/store.js';
import { begunEarly } from '../shared/time/begun-early.js';
import { readConfiguration, type TableConfiguration } from './configuration.js';
import type { Environment } from './environment.js';
import { routesOf } from './routes.js';

/**
 * Puts together the service that is deployed, and that the tests call.
 *
 * @param openStore - Replaces the stores that the settings ask for.
 * @throws Error that names each wrong variable.
 */
export function createService(environment: Environment, openStore?: OpenStore): Handler {
  const { corsOrigins, logLevel, logFormat, table, signIn } = readConfiguration(environment);
  const log = openLog(logLevel, logFormat);
  const authenticator = signIn && authenticatorOf(signIn, log);
  return createHandler({
    routes: routesOf(signIn && authenticator && { issuer: signIn.issuer, signInUrls: authenticator.signInUrls }),
    openStore: openStore ?? storesIn(table, log),
    authenticate: authenticator?.authenticate,
    corsOrigins,
    log,
  });
}

/** In memory, each resource may grow as large as a result. The parameter memorySize was measured with one resource. */
function storesIn(table: TableConfiguration | undefined, log: Log): OpenStore {
  if (!table) return (resource) => openMemory(resource, LARGEST_CONTENT);
  return async (resource) => {
    // In another file, so that a cold start without a table does not load it.
    const { openTable } = await import('../shared/store/table.js');
    return openTable(resource, { ...table, capacity: LARGEST_CONTENT, log });
  };
}

function authenticatorOf(signIn: TokenPolicy, log: Log): Authenticator {
  const loading = begunEarly(
    import('../shared/openid/authenticator.js').then(({ createAuthenticator }) => createAuthenticator(signIn, log)),
  );
  return {
    authenticate: async (request) => (await loading).authenticate(request),
    signInUrls: async () => (await loading).signInUrls(),
  };
}
