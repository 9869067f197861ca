import { createHandler } from '../shared/handler.js';
import { openLog } from '../shared/log/log.js';
import { authenticationBy } from './authentication.js';
import { readConfiguration } from './configuration.js';
import { routesOf } from './routes.js';
import { storesIn } from './stores.js';

const { corsOrigins, logLevel, logFormat, table, signIn } = readConfiguration(process.env);
const log = openLog(logLevel, logFormat);

export const handler = createHandler({
  routes: routesOf(signIn !== undefined),
  openStore: storesIn(table, log),
  authenticate: authenticationBy(signIn, log),
  corsOrigins,
  log,
});
