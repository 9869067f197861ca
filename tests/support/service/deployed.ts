import { readFileSync } from 'node:fs';
import { authenticationBy } from '../../../functions/authentication.js';
import { readConfiguration } from '../../../functions/configuration.js';
import { routesOf } from '../../../functions/routes.js';
import { storesIn } from '../../../functions/stores.js';
import { createHandler, type Handler } from '../../../shared/handler.js';
import { openLog } from '../../../shared/log/log.js';
import type { OpenStore } from '../../../shared/store/store.js';
import { type Gateway, gateways } from '../gateways/gateways.js';
import { createMatcher } from './matches-document.js';
import { callThrough, type Service } from './service.js';

/** A document as the build has put it into a folder. */
const built = (file: string): object => JSON.parse(JSON.parse(readFileSync(`dist/${file}.json`, 'utf8')).body);

/** Compares an answer of the service that is deployed with its two documents. */
export const matchesDeployed = createMatcher(built('document'), built('openapi'));
const matchesWithTokens = createMatcher(built('with-tokens/document'), built('with-tokens/openapi'));

/**
 * Starts the service that is deployed, as functions/api.ts does, but with a silent log unless the environment says otherwise.
 * Calls become events of the gateway, and answers are compared with the documents. A store may keep the items instead.
 */
export function startDeployed(
  gateway: Gateway = gateways[0] as Gateway,
  environment: Variables = {},
  openStore?: OpenStore,
): Service {
  const matchesDocument = environment.TOKEN_ISSUER === undefined ? matchesDeployed : matchesWithTokens;
  return callThrough(gateway, makeDeployed(environment, openStore), matchesDocument);
}

/** Makes the handler of such a service. */
export function makeDeployed(environment: Variables = {}, openStore?: OpenStore): Handler {
  const { corsOrigins, logLevel, table, signIn } = readConfiguration({ LOG_LEVEL: 'silent', ...environment });
  const log = openLog(logLevel);
  return createHandler({
    routes: routesOf(signIn !== undefined),
    openStore: openStore ?? storesIn(table, log),
    authenticate: authenticationBy(signIn, log),
    corsOrigins,
    log,
  });
}

type Variables = Readonly<Record<string, string>>;
