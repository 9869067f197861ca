import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LARGEST_CONTENT } from '../../shared/gateway/gateway.js';
import { type Gateway, gateways } from '../support/gateways/gateways.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import type { Result } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Environment, MEMORY_SIZE, startEnvironment } from './environment.js';
import { WORST_BODIES } from './worst.js';

/** The largest event that Lambda takes from a gateway has 6 MiB, of which header fields leave this much for a body. */
const LARGEST_BODY = 6 * 2 ** 20 - 20_000;
/** The largest body that is parsed. */
const LARGEST_PARSED = 2 ** 20;

// A test takes seconds. It hangs if parsing a body takes time in proportion to the square of its members.
jest.setTimeout(300_000);

/** The handler, which here can also repeat an event while that creates items: sent one by one, they take a minute. */
const REPEATING = `import { handler as api } from '${pathToFileURL(resolve('dist/api.mjs'))}';
export async function handler(event, context) {
  if (!event.repeated) return api(event, context);
  for (;;) {
    const result = await api(event.repeated, context);
    if (result.statusCode !== 201) return result;
  }
}
`;
const folder = temporaryFolder();
let environment: Environment;
let keys: string[];
let smallest: string;

beforeAll(async () => {
  writeFileSync(join(folder, 'repeating.mjs'), REPEATING);
  const variables = { LOG_LEVEL: 'silent', _HANDLER: 'repeating.handler', LAMBDA_TASK_ROOT: folder };
  environment = await startEnvironment(variables);
});

afterAll(() => environment.stop());

describe("the function under Lambda's Node.js, with the heap that Lambda gives it", () => {
  it('can be filled with the smallest items', async () => {
    // Not every resource takes texts of one character.
    smallest = JSON.stringify(EXAMPLE, (_, value) => (typeof value === 'string' ? value.slice(-1) : value));
    if ((await call('POST', COLLECTION, smallest)).statusCode !== 201) smallest = JSON.stringify(EXAMPLE);
    const repeated = eventOf('POST', COLLECTION, smallest);
    expect((await environment.invoke({ repeated })).statusCode).toBe(507);
    const { body } = await call('GET', COLLECTION);
    keys = await listed();
    const last = JSON.stringify(JSON.parse(body).at(-1));
    expect(inResult(body) + inResult(last)).toBeGreaterThanOrEqual(LARGEST_CONTENT);
  });

  it.each(WORST_BODIES)('keeps all items while it is sent $name, and goes on answering', async ({ make }) => {
    for (const [bytes, isBase64Encoded] of [
      [LARGEST_PARSED, true],
      [LARGEST_BODY, false],
      [Math.floor(LARGEST_BODY / 4) * 3, true],
    ] as const) {
      const body = make(bytes).toString(isBase64Encoded ? 'base64' : 'utf8');
      // Escapes in the event's JSON can make it too large.
      if (Buffer.byteLength(JSON.stringify(body)) > LARGEST_BODY + 10_000) continue;
      const created = await call('POST', COLLECTION, body, isBase64Encoded);
      if (created.statusCode === 201) await call('DELETE', `${COLLECTION}/${JSON.parse(created.body).key}`);
      await call('PATCH', `${COLLECTION}/${keys[7]}`, body, isBase64Encoded);
      await listed();
    }
    const [oldest, ...others] = keys as [string, ...string[]];
    expect((await call('PATCH', `${COLLECTION}/${others[9]}`, smallest)).statusCode).toBe(204);
    expect((await call('DELETE', `${COLLECTION}/${oldest}`)).statusCode).toBe(204);
    const created = await call('POST', COLLECTION, smallest);
    expect(created.statusCode).toBe(201);
    keys = [...others, JSON.parse(created.body).key];
    expect(await listed()).toEqual(keys);
  });

  it('takes less than four fifths of its memory in all of this', () => {
    process.stdout.write(`${environment.peakMemory().toFixed(0)} of ${MEMORY_SIZE} MB\n`);
    expect(environment.peakMemory()).toBeLessThan(0.8 * MEMORY_SIZE);
  });
});

async function listed(): Promise<string[]> {
  const { statusCode, body } = await call('GET', COLLECTION);
  expect(statusCode).toBe(200);
  return JSON.parse(body).map(({ key }: { key: string }) => key);
}

function call(method: string, path: string, body?: string, isBase64Encoded = false): Promise<Result> {
  return environment.invoke({ ...eventOf(method, path, body), isBase64Encoded });
}

function eventOf(method: string, path: string, body?: string): object {
  const [rest] = gateways as [Gateway];
  return rest.event({ method, path, headers: { 'Content-Type': 'application/json' }, body }) as object;
}

/** What a text takes inside a result's JSON, in bytes. */
function inResult(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
