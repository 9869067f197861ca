// `.ci/run runtime` runs the packaged function in AWS's runtime client, under Lambda's Node.js and with as much heap as on Lambda.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COLLECTION } from '../support/collection.js';
import { restUnder } from '../support/gateways/gateways.js';
import { NOWHERE } from '../support/nowhere.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Environment, MEMORY_SIZE, startEnvironment } from './environment.js';

const EVENTS = 'tests/support/gateways/events';
const SMALLEST = '{"name":"a"}';

/** The handler, which can also repeat an event as long as that creates items. One call for each item would take a minute to fill the memory. */
const REPEATING = `const api = require('./dist/api.cjs');
exports.handler = async ({ repeated, ...event }, context) => {
  for (;;) {
    const result = await api.handler(repeated ?? event, context);
    if (!repeated || result.statusCode !== 201) return result;
  }
};`;

const folder = temporaryFolder();
let environment: Environment;

beforeAll(async () => {
  const env = { PATH: process.env.PATH, ...NOWHERE };
  execFileSync('node_modules/.bin/serverless', ['package', '--no-build', '--package', folder], { env });
  execFileSync('unzip', ['-q', `${folder}/todo-item-service.zip`, '-d', folder]);
  writeFileSync(`${folder}/repeating.cjs`, REPEATING);
  environment = await startEnvironment(folder, { _HANDLER: 'repeating.handler' });
});

afterAll(() => environment?.stop());

describe('the packaged function', () => {
  it('does not start with a wrong configuration, and says why', async () => {
    const started = startEnvironment(folder, { _HANDLER: 'dist/api.handler', CORS_ORIGINS: 'x' });
    await expect(started).rejects.toThrow('CORS_ORIGINS has "x"');
  });

  it('contains the files that it loads only for a table and for sign-in', async () => {
    const signIn = { TABLE_NAME: 'items', TOKEN_ISSUER: 'https://login.invalid', TOKEN_AUDIENCE: 'todo' };
    const variables = { _HANDLER: 'dist/api.handler', ...signIn };
    const other = await startEnvironment(folder, variables);
    const answer = await other.invoke(eventOf('GET', COLLECTION)).finally(other.stop);
    expect(answer).toMatchObject({ statusCode: 401 });
  });

  it.each(readdirSync(EVENTS))('answers the recorded event %s', async (file) => {
    const { statusCode } = await environment.invoke(JSON.parse(readFileSync(`${EVENTS}/${file}`, 'utf8')));
    expect(statusCode).toBeLessThan(500);
  });
});

describe('the memory of the function', () => {
  /** In bytes, the largest body that is parsed. */
  const LARGEST_BODY = 2 ** 20;
  /** In bytes, the largest body that Lambda takes: an event may have 6 MiB, with header fields. */
  const LARGEST_EVENT = 6 * 2 ** 20 - 20_000;
  let keys: string[];

  it('suffices for the longest list of the smallest items, which Lambda takes', async () => {
    expect((await environment.invoke({ repeated: eventOf('POST', COLLECTION, SMALLEST) })).statusCode).toBe(507);
    keys = await listed();
  });

  // The worst of those that were tried: they took 294 to 316 MB. If a parser took quadratic time, this would take hours.
  it.each([
    ['objects within objects', (size: number) => `${'{"":'.repeat(size / 5)}0${'}'.repeat(size / 5)}`],
    ['members', (size: number) => `{"name":"a"${manyOf((number) => `,"${number.toString(36)}":0`, size)}}`],
    ['escapes', (size: number) => `{"name":"${manyOf(() => '\\u0000', size)}"}`],
  ])('suffices for a body of many %s', async (_name, make) => {
    const bodies = [LARGEST_BODY, (LARGEST_EVENT / 4) * 3].map((size) => [
      Buffer.from(make(size)).toString('base64'),
      true,
    ]);
    for (const [body, isBase64Encoded] of [...bodies, [make(LARGEST_EVENT / 2), false]] as [string, boolean][]) {
      const created = await call('POST', COLLECTION, body, isBase64Encoded);
      if (created.statusCode === 201) await call('DELETE', `${COLLECTION}/${JSON.parse(created.body).key}`);
      await call('PATCH', `${COLLECTION}/${keys[7]}`, body, isBase64Encoded);
    }
    expect(await listed()).toEqual(keys);
    expect(environment.peakMemory()).toBeLessThan(0.8 * MEMORY_SIZE);
  });

  const call = (...request: Parameters<typeof eventOf>) => environment.invoke(eventOf(...request));

  async function listed(): Promise<string[]> {
    const { statusCode, body } = await call('GET', COLLECTION);
    expect(statusCode).toBe(200);
    return JSON.parse(body).map(({ key }: { key: string }) => key);
  }
});

function manyOf(unit: (number: number) => string, size: number): string {
  let text = '';
  for (let number = 0; text.length < size - 100; number += 1) text += unit(number);
  return text;
}

function eventOf(method: string, path: string, body?: string, isBase64Encoded = false): object {
  const sent = { method, path, headers: { 'Content-Type': 'application/json' }, body: undefined };
  return { ...(restUnder('/live').event(sent) as object), body, isBase64Encoded };
}
