import { createHandler } from '../shared/handler.js';
import { openLog } from '../shared/log/log.js';
import { readConfiguration } from './configuration.js';
import { routes } from './routes.js';
import { storesIn } from './stores.js';

const { corsOrigins, logLevel, logFormat, table } = readConfiguration(process.env);
const log = openLog(logLevel, logFormat);

export const handler = createHandler({ routes, openStore: storesIn(table, log), corsOrigins, log });
