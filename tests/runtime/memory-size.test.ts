import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Gateway, gateways } from '../support/gateways/gateways.js';
import { COLLECTION, EXAMPLE } from '../support/service/deployed.js';
import type { Result } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Environment, MEMORY_SIZE, startEnvironment } from './environment.js';

/** The largest event that Lambda takes from a gateway has 6 MiB, of which header fields leave this much for a body. */
const LARGEST_BODY = 6 * 2 ** 20 - 20_000;
/** The largest body that is parsed. */
const LARGEST_PARSED = 2 ** 20;

// A test takes seconds. It hangs if parsing a body takes time in proportion to the square of its members.
jest.setTimeout(300_000);

/** The handler, which here can also repeat an event while that creates items: sent one by one, they take a minute. */
const REPEATING = `import { handler as api } from '${pathToFileURL(resolve('dist/api.cjs'))}';
export async function handler(event, context) {
  if (!event.repeated) return api(event, context);
  for (;;) {
    const result = await api(event.repeated, context);
    if (result.statusCode !== 201) return result;
  }
}
`;
/** A body that somebody may send to do harm, made with so many bytes or a few less. */
type WorstBody = { readonly name: string; make(bytes: number): Buffer };

/** A valid item's members, in JSON without the braces. */
const MEMBERS = JSON.stringify(EXAMPLE).slice(1, -1);
const SMALLEST = JSON.stringify({ ...EXAMPLE, name: 'a' });

/** Bodies that take much more memory than they have bytes: in the event, decoded, or parsed. */
const WORST_BODIES: readonly WorstBody[] = [
  nested('brackets', '', '[', ']', ''),
  nested('brackets in a member', `{${MEMBERS},"y":`, '[', ']', '}'),
  nested('objects within objects', `{${MEMBERS},"y":`, '{"":', '}', '}'),
  row('empty objects', `{${MEMBERS},"y":[0`, () => ',{}', ']}'),
  row('fractions', `{${MEMBERS},"y":[0`, () => ',1e-5', ']}'),
  row('objects of one member', `{${MEMBERS},"y":[0`, (number) => `,{"${number.toString(36)}":0}`, ']}'),
  row('members', `{${MEMBERS}`, (number) => `,"${number.toString(36)}":0`, '}'),
  row('numbered members', `{${MEMBERS}`, (number) => `,"${number}":0`, '}'),
  row('members of the same name', `{${MEMBERS}`, () => `,${MEMBERS}`, '}'),
  row('texts', `{${MEMBERS},"y":[0`, (number) => `,"${number.toString(36)}"`, ']}'),
  row('escapes', '{"name":"', () => '\\u0000', '"}'),
  row('characters of three bytes', '{"name":"', () => '€', '"}'),
  row('halves of surrogate pairs', '{"name":"', () => '\\ud800', '"}'),
  { name: 'what is no UTF-8', make: (bytes) => Buffer.alloc(bytes, 0xff) },
];

const folder = temporaryFolder();
let environment: Environment;
let keys: string[];

beforeAll(async () => {
  writeFileSync(join(folder, 'repeating.mjs'), REPEATING);
  environment = await startEnvironment({ _HANDLER: 'repeating.handler', LAMBDA_TASK_ROOT: folder });
});

afterAll(() => environment.stop());

describe("the function under Lambda's Node.js, with the heap that Lambda gives it", () => {
  it('can be filled with the smallest items', async () => {
    const repeated = eventOf('POST', COLLECTION, SMALLEST);
    expect((await environment.invoke({ repeated })).statusCode).toBe(507);
    keys = await listed();
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
    expect((await call('PATCH', `${COLLECTION}/${others[9]}`, SMALLEST)).statusCode).toBe(204);
    expect((await call('DELETE', `${COLLECTION}/${oldest}`)).statusCode).toBe(204);
    const created = await call('POST', COLLECTION, SMALLEST);
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
  return environment.invoke(eventOf(method, path, body, isBase64Encoded));
}

function eventOf(method: string, path: string, body?: string, isBase64Encoded = false): object {
  const [rest] = gateways as [Gateway];
  const event = rest.event({ method, path, headers: { 'Content-Type': 'application/json' }, body: undefined });
  return { ...(event as object), body, isBase64Encoded };
}

function nested(name: string, start: string, open: string, close: string, end: string): WorstBody {
  const make = (bytes: number) => {
    const depth = Math.floor((bytes - start.length - end.length - 1) / (open.length + close.length));
    return Buffer.from(`${start}${open.repeat(depth)}0${close.repeat(depth)}${end}`);
  };
  return { name, make };
}

function row(name: string, start: string, unit: (number: number) => string, end: string): WorstBody {
  const make = (bytes: number) => {
    const units: string[] = [];
    let left = bytes - start.length - end.length;
    for (let number = 0; ; number += 1) {
      const text = unit(number);
      left -= Buffer.byteLength(text);
      if (left < 0) return Buffer.from(`${start}${units.join('')}${end}`);
      units.push(text);
    }
  };
  return { name, make };
}
