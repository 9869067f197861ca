import { readConfiguration } from '../../../functions/configuration.js';
import { routes } from '../../../functions/routes.js';
import type { Timeouts } from '../../../shared/dynamodb/retry.js';
import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import { createHandler, type Handler, type HandlerOptions } from '../../../shared/handler.js';
import { openLog } from '../../../shared/log/log.js';
import { isRoute } from '../../../shared/routing/route.js';
import type { Resource } from '../../../shared/schema/resource.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import type { OpenStore, Store } from '../../../shared/store/store.js';
import { type TableOptions, TableStore } from '../../../shared/store/table.js';
import { type Gateway, gateways } from '../gateways/gateways.js';
import { type Answer, answerOf } from './answer.js';
import { matchesDocument } from './matches-document.js';
import * as notes from './notes.js';

/** A service that tests can call, by whatever means. */
export interface Service {
  /** What callers have in front of the path. */
  readonly prefix: string;
  call(method: string, path: string, request?: { headers?: Record<string, string>; body?: unknown }): Promise<Answer>;
}

/** What the service of a test is made with. */
interface Parts extends Pick<HandlerOptions, 'routes' | 'authenticate'> {
  /** The most bytes that a list may take. */
  readonly capacity: number;
  /** Where items are kept; where the environment says, when left out. */
  readonly openStore?: OpenStore;
  readonly timeouts: Timeouts;
  readonly connect?: TableOptions['connect'];
}

/** So long that no call fails because the machine is busy, but shorter than a test may take. */
export const GENEROUS: Timeouts = { total: 100_000, attempt: 50_000 };

let usual: Parts = { routes, capacity: LARGEST_CONTENT, timeouts: GENEROUS };

/** Changes parts of all services that are started from now on, in this test file. */
export function useParts(parts: Partial<Parts>): void {
  usual = { ...usual, ...parts };
}

/** Adds the notes of notes.ts to them, as a line in functions/routes.ts would. */
export function addNotes(): void {
  useParts({ routes: [...routes, ...Object.values(notes).filter(isRoute)] });
}

let createTable: (() => Promise<Record<string, string>>) | undefined;

/** Gives each service that is started from now on a table of its own, whose environment variables `create` returns. */
export function keepInTables(create: () => Promise<Record<string, string>>): void {
  createTable = create;
}

/**
 * Starts a service with a collection of its own.
 *
 * @param gateway - The gateway whose events calls become.
 * @param environment - Its environment variables. The log is silent unless they say otherwise.
 * @param parts - What differs from the usual parts.
 * @returns The service, called through its real handler.
 */
export function startService(
  gateway: Gateway = gateways[0] as Gateway,
  environment: Record<string, string> = {},
  parts: Partial<Parts> = {},
): Service {
  const making = createTable
    ? createTable().then((table) => makeHandler({ ...table, ...environment }, parts))
    : makeHandler(environment, parts);
  return {
    prefix: gateway.prefix,
    async call(method, path, { headers = {}, body } = {}) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const [route = '', query = ''] = path.split('?');
      const handle = await making;
      const result = (await handle(gateway.event({ method, path: route, query, headers, body: text }))) as Result;
      const content = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
      return matchesDocument(method, path, answerOf(result.statusCode, result.headers, content), text);
    },
  };
}

/** Makes a Lambda function as functions/api.ts does, with the same parameters as {@link startService}. */
export function makeHandler(environment: Record<string, string> = {}, parts: Partial<Parts> = {}): Handler {
  const { corsOrigins, logLevel, logFormat, table } = readConfiguration({ LOG_LEVEL: 'silent', ...environment });
  const log = openLog(logLevel, logFormat);
  const { routes, capacity, timeouts, connect, openStore = keepItems, authenticate } = { ...usual, ...parts };

  function keepItems(resource: Resource): Store {
    if (!table) return new MemoryStore(resource, capacity);
    const { name, ...access } = table;
    return new TableStore(resource, { access, table: name, capacity, log, timeouts, connect });
  }

  return createHandler({ routes, openStore, corsOrigins, log, authenticate });
}

interface Result {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}
