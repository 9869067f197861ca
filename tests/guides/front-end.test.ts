import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { components } from '../../docs/openapi.json';
import { listen } from '../support/listen.js';
import { startDeployed } from '../support/service/deployed.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const blocks = readFileSync('docs/front-end.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
const code = Array.from(blocks, ([, block]) => block).join('\n');
const file = `${temporaryFolder()}/to-dos.ts`;
const { prefix, call } = startDeployed();
const server = createServer(async (request, response) => {
  const { method = '', url = '' } = request;
  const headers = request.headers as Record<string, string>;
  const answer = await call(method, url.slice(prefix.length), { headers, body: await text(request) });
  response.writeHead(answer.status, answer.headers).end(answer.content);
});
const sent = jest.spyOn(globalThis, 'fetch');

// biome-ignore lint/suspicious/noExplicitAny: the first test checks the types.
let app: any;
beforeAll(async () => {
  writeFileSync(file, code.replace('http://localhost:3000', `http://${await listen(server)}${prefix}`));
  app = await import(file);
});
afterAll(() => server.close().closeAllConnections());

/** By JSON Schema's name of a type, TypeScript's. Those left out have the same name. */
const TYPES: Readonly<Record<string, string>> = { integer: 'number', array: 'unknown[]' };

it('the code for web apps compiles, with a strict compiler and the types of an item', () => {
  // Like those that openapi-typescript generates, which needs an older TypeScript than this project's.
  const members = Object.entries(components.schemas.StoredTodoItem.properties).map(([name, { type }]) => {
    const types = [type].flat().map((schemaType) => TYPES[schemaType] ?? schemaType);
    return `${name}: ${types.join(' | ')}`;
  });
  const schemas = `schemas: { StoredTodoItem: { ${members} } }`;
  writeFileSync(file.replace('to-dos', 'api.d'), `export interface components { ${schemas} }`);
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'preserve', '--noEmit', '--ignoreConfig'];
  const { stdout, status } = spawnSync('node_modules/.bin/tsc', [...strict, ...target, file]);
  expect([String(stdout), status]).toEqual(['', 0]);
});

it('the code for web apps lists, adds, finds and changes items, and overwrites no other change', async () => {
  const item = await app.add('Walk the dog', 'first');
  expect(await app.add('Walk the dog', 'first')).toEqual(item);
  const { etag } = await app.find(item.key);
  await app.change(item.key, etag, { isComplete: true });
  await expect(app.change(item.key, etag, { name: 'Feed the cat' })).rejects.toMatchObject({ code: 'if-match-failed' });
  const listed: (typeof item)[] = await app.list('api/todo?limit=1');
  expect(listed.filter(({ key }) => key === item.key)).toEqual([{ ...item, isComplete: true }]);
});

it.each([
  [2, '{"applied":false}', 'fulfilled', 3],
  [3, '{"applied":false}', 'rejected', 3],
  [1, '{}', 'rejected', 1],
])('a write that gets %i times 503 with %s is %s after %i requests', async (times, problem, status, requests) => {
  sent.mockClear();
  const init = { status: 503, headers: { 'Retry-After': '0' } };
  for (let count = 0; count < times; count += 1) sent.mockResolvedValueOnce(new Response(problem, init));
  const [outcome] = await Promise.allSettled([app.add('Feed the cat', 'second')]);
  expect([sent.mock.calls.length, outcome.status]).toEqual([requests, status]);
});
