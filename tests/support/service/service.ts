import { jest } from '@jest/globals';
import type { handler } from '../../../functions/api.js';
import type { AnyRoute } from '../../../shared/routing/route.js';
import { GENEROUS, mockTable } from '../dynamodb/timeouts.js';
import { type Gateway, gateways } from '../gateways/gateways.js';
import { type Answer, answerOf } from './answer.js';
import { matchesDocument } from './matches-document.js';

/** A service that tests can call, by whatever means. */
export interface Service {
  /** What callers have in front of the path. */
  readonly prefix: string;
  call(method: string, path: string, request?: { headers?: Record<string, string>; body?: unknown }): Promise<Answer>;
}

// So that no write to a table fails because the machine is busy. Tests of time-outs set others.
mockTable(GENEROUS);

let createTable: (() => Promise<Record<string, string>>) | undefined;

/** Gives each service that is started from now on a table of its own, whose environment variables `create` returns. */
export function keepInTables(create: () => Promise<Record<string, string>>): void {
  createTable = create;
}

/** Adds the notes of notes.ts to each service that is loaded from now on, as a line in functions/routes.ts would. */
export function addNotes(): void {
  const path = '../../../functions/routes.js';
  jest.doMock(path, () => {
    const actual = jest.requireActual<{ routes: readonly AnyRoute[] }>(path);
    const { isRoute } = jest.requireActual<typeof import('../../../shared/routing/route.js')>(
      '../../../shared/routing/route.js',
    );
    return { ...actual, routes: [...actual.routes, ...Object.values(require('./notes.js') as object).filter(isRoute)] };
  });
}

/**
 * Loads the service anew, with a collection of its own.
 *
 * @param gateway - The gateway whose events calls become.
 * @param environment - Environment variables besides those that are set; the log is silent unless they say otherwise.
 * @returns The service, called through its real handler.
 */
export function startService(
  gateway: Gateway = gateways[0] as Gateway,
  environment: Record<string, string> = {},
): Service {
  const loading = createTable
    ? createTable().then((table) => loadHandler({ ...table, ...environment }))
    : loadHandler(environment);
  return {
    prefix: gateway.prefix,
    async call(method, path, { headers = {}, body } = {}) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const [route = '', query = ''] = path.split('?');
      const handle = await loading;
      const result = (await handle(gateway.event({ method, path: route, query, headers, body: text }))) as Result;
      const content = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
      return matchesDocument(method, path, answerOf(result.statusCode, result.headers, content));
    },
  };
}

/** Loads the Lambda function's module anew, and returns its handler. */
export function loadHandler(environment: Record<string, string> = {}): typeof handler {
  const before = { ...process.env };
  Object.assign(process.env, { LOG_LEVEL: 'silent' }, environment);
  try {
    let loaded: { handler: typeof handler } | undefined;
    jest.isolateModules(() => {
      loaded = require('../../../functions/api.js');
    });
    if (!loaded) throw new Error('functions/api.ts did not load');
    return loaded.handler;
  } finally {
    process.env = before;
  }
}

interface Result {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}
