import type { APIGatewayProxyResult } from 'aws-lambda';
import { describeService } from '../../../docs/generator/describe.js';
import { readComments } from '../../../docs/generator/read-comments.js';
import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import { withTokens } from '../../../docs/generator/with-tokens.js';
import type { Timeouts } from '../../../shared/dynamodb/retry.js';
import { createHandler, type Handler, type HandlerOptions } from '../../../shared/handler.js';
import { type LogLevel, openLog } from '../../../shared/log/log.js';
import { isRoute } from '../../../shared/routing/route.js';
import type { Resource } from '../../../shared/schema/resource.js';
import { MemoryStore } from '../../../shared/store/memory.js';
import type { Store } from '../../../shared/store/store.js';
import { type TableOptions, TableStore } from '../../../shared/store/table.js';
import type { Table } from '../dynamodb/tables.js';
import { type Gateway, gateways } from '../gateways/gateways.js';
import { type Answer, answerOf } from './answer.js';
import { createMatcher, type MatchesDocument } from './matches-document.js';
import * as parcels from './parcels.js';

/** A service that tests can call, by whatever means. */
export interface Service {
  /** What callers have in front of the path. */
  readonly prefix: string;
  call(method: string, path: string, request?: { headers?: Record<string, string>; body?: unknown }): Promise<Answer>;
}

/** How the service of a test differs from the usual one: parcels in memory, no other origins, and a silent log. */
export interface ServiceOptions extends Partial<Omit<HandlerOptions & TableOptions, 'table' | 'log'>> {
  readonly logLevel?: LogLevel;
  /** The table that keeps the items. */
  readonly table?: Table | undefined;
}

/** So long that no call fails because the machine is busy, but shorter than a test may take. */
export const GENEROUS: Timeouts = { total: 100_000, attempt: 50_000 };

/** All routes of parcels. */
export const parcelRoutes = Object.values(parcels).filter(isRoute);

/** The description of the service of parcels, in the format of OpenAPI 3.1. */
export const openApi = describeService({ version: 'v1', title: 'Parcels', description: 'Keeps parcels.' }, [
  { exported: parcels, comments: readComments('tests/support/service/parcels.ts') },
]);
const matchesDocument = createMatcher(toSwagger2(openApi), openApi);
const asking = withTokens(openApi, parcelRoutes, 'https://login.example.com');
const matchesWithTokens = createMatcher(toSwagger2(asking), asking);

let usual: ServiceOptions = {};

/** Changes the options of all services that are started from now on, in this test file. */
export function useOptions(options: ServiceOptions): void {
  usual = { ...usual, ...options };
}

/** Starts a service of parcels. Calls become events of the gateway, and answers are compared with the documents. */
export function startService(gateway: Gateway = gateways[0] as Gateway, options: ServiceOptions = {}): Service {
  return callThrough(gateway, makeHandler(options), options.authenticate ? matchesWithTokens : matchesDocument);
}

/** Makes a service of a handler, for the gateway whose events calls become. */
export function callThrough(gateway: Gateway, handler: Handler, matchesDocument: MatchesDocument): Service {
  return {
    prefix: gateway.prefix,
    async call(method, path, { headers = {}, body } = {}) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const [route = '', query = ''] = path.split('?');
      const result = (await handler(gateway.event({ method, path: route, query, headers, body: text }))) as Result;
      const content = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
      return matchesDocument(method, path, answerOf(result.statusCode, result.headers, content));
    },
  };
}

/** Makes the handler of such a service. */
export function makeHandler(options: ServiceOptions = {}): Handler {
  const { table, logLevel = 'silent', ...others } = { ...usual, ...options };
  const settings = { timeouts: GENEROUS, log: openLog(logLevel), ...others };

  function openStore(resource: Resource, capacity: number): Store {
    if (!table) return new MemoryStore(resource, settings.capacity ?? capacity);
    const { name, ...access } = table;
    return new TableStore(resource, { access, table: name, capacity, ...settings });
  }

  return createHandler({ routes: parcelRoutes, openStore, corsOrigins: [], ...settings });
}

/** A result, as gateways take it. */
export type Result = APIGatewayProxyResult & Readonly<{ headers: Record<string, string>; isBase64Encoded: boolean }>;
