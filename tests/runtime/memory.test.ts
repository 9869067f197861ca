import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LARGEST_CONTENT } from '../../shared/gateway/gateway.js';
import { type Gateway, gateways } from '../support/gateways/gateways.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import type { Result } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Environment, packageService } from './environment.js';
import { WORST_BODIES } from './worst.js';

/** The largest event that Lambda takes from a gateway has 6 MiB, of which header fields leave this much for a body. */
const LARGEST_BODY = 6 * 2 ** 20 - 20_000;
/** The largest body that is parsed. */
const LARGEST_PARSED = 2 ** 20;

// A test takes seconds. It hangs if parsing a body takes time in proportion to the square of its members.
jest.setTimeout(300_000);

const folder = temporaryFolder();
/** The package's handler, which here can also repeat an event while that creates items: sent one by one, they take a minute. */
const REPEATING = `import { handler as api } from './dist/api.mjs';
export async function handler(event, context) {
  if (!event.repeated) return api(event, context);
  for (;;) {
    const result = await api(event.repeated, context);
    if (result.statusCode !== 201) return result;
  }
}
`;
/** The example with texts of one character, which not every resource takes. */
const SHORTENED = JSON.stringify(EXAMPLE, (_, value) => (typeof value === 'string' ? value.slice(-1) : value));
/** The memory that each kind of request took, in MB, in the order of their first use. */
const peaks = new Map<string, number>();
let environment: Environment;
let memorySize: number;
let keys: string[];
let smallest: string;

beforeAll(async () => {
  const deployment = await packageService(folder);
  memorySize = Number(
    process.env.MEMORY_SIZE ?? deployment.template.Resources.ApiLambdaFunction?.Properties.MemorySize,
  );
  writeFileSync(join(folder, 'repeating.mjs'), REPEATING);
  const variables = { LOG_LEVEL: 'silent' };
  environment = await Environment.start(deployment, { handler: 'repeating.handler', memorySize, variables });
});

afterAll(() => {
  environment.stop();
  const lines = Array.from(peaks, ([what, peak]) => `${peak.toFixed(0).padStart(6)} MB  ${what}`);
  process.stdout.write(`${lines.join('\n')}\nof ${memorySize} MB\n`);
});

describe("the function under Lambda's Node.js, with the heap that Lambda gives it", () => {
  it('can be filled with the smallest items', async () => {
    const isTaken = (await call('POST', COLLECTION, SHORTENED)).statusCode === 201;
    smallest = isTaken ? SHORTENED : JSON.stringify(EXAMPLE);
    const repeated = eventOf('POST', COLLECTION, smallest);
    expect((await environment.invoke({ repeated })).statusCode).toBe(507);
    const { body } = await call('GET', COLLECTION);
    keys = await listed();
    note('a full collection, and its list');
    const last = JSON.stringify(JSON.parse(body).at(-1));
    expect(inResult(body) + inResult(last)).toBeGreaterThanOrEqual(LARGEST_CONTENT);
  });

  it('keeps all items while it is sent the worst bodies, and goes on answering', async () => {
    for (const { name, make } of WORST_BODIES) {
      for (const [kind, bytes, isBase64Encoded] of [
        ['of the largest size that is parsed', LARGEST_PARSED, true],
        ['of the largest size that can be sent', LARGEST_BODY, false],
        ['of the largest size that can be sent, in base64', Math.floor(LARGEST_BODY / 4) * 3, true],
      ] as const) {
        const body = make(bytes).toString(isBase64Encoded ? 'base64' : 'utf8');
        // Escapes in the event's JSON can make it too large.
        if (Buffer.byteLength(JSON.stringify(body)) > LARGEST_BODY + 10_000) continue;
        const created = await call('POST', COLLECTION, body, isBase64Encoded);
        if (created.statusCode === 201) await call('DELETE', `${COLLECTION}/${JSON.parse(created.body).key}`);
        const patched = await call('PATCH', `${COLLECTION}/${keys[7]}`, body, isBase64Encoded);
        note(`${name}, ${kind}: POST ${created.statusCode}, PATCH ${patched.statusCode}`);
      }
      await useCollection();
    }
  });

  it('keeps all items while the worst bodies come in another order', async () => {
    const bodies = WORST_BODIES.map(({ make }) => make(LARGEST_PARSED).toString('base64'));
    for (let count = 0; count < 60; count += 1) {
      await call('PATCH', `${COLLECTION}/${keys[count]}`, bodies[(count * 7) % bodies.length], true);
      if (count % 3 === 0) await call('GET', COLLECTION);
      note('the worst bodies in another order, and lists in between');
    }
    await useCollection();
  });

  it('takes less than four fifths of its memory in all of this', () => {
    expect(Math.max(...peaks.values())).toBeLessThan(0.8 * memorySize);
  });
});

/** Patches an item, deletes and creates one, and expects the list to have all items. */
async function useCollection(): Promise<void> {
  const [oldest, ...others] = keys as [string, ...string[]];
  expect((await call('PATCH', `${COLLECTION}/${others[9]}`, smallest)).statusCode).toBe(204);
  expect((await call('DELETE', `${COLLECTION}/${oldest}`)).statusCode).toBe(204);
  const created = await call('POST', COLLECTION, smallest);
  expect(created.statusCode).toBe(201);
  keys = [...others, JSON.parse(created.body).key];
  expect(await listed()).toEqual(keys);
  note('lists and writes in between');
}

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

/** Notes the peak of memory since the previous note. */
function note(what: string): void {
  peaks.set(what, Math.max(peaks.get(what) ?? 0, environment.peakMemory));
  environment.forgetPeak();
}

/** What a text takes inside a result's JSON, in bytes. */
function inResult(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
