import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { components } from '../../docs/openapi.json';
import { listen } from '../support/listen.js';
import { startDeployed } from '../support/service/deployed.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync('docs/front-end.md', 'utf8')) ?? [];
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

it('the code in the guide to web apps compiles with the types of an item', () => {
  // As openapi-typescript generates them, which needs an older TypeScript than this project has.
  const members = Object.entries(components.schemas.StoredTodoItem.properties).map(
    ([name, { type }]) => `${name}: ${[type].flat().join(' | ')}`,
  );
  const schemas = `schemas: { StoredTodoItem: { ${members} } }`;
  writeFileSync(file.replace('to-dos', 'api.d'), `export interface components { ${schemas} }`);
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'preserve', '--noEmit', '--ignoreConfig'];
  const { stdout, status } = spawnSync('node_modules/.bin/tsc', [...strict, ...target, file]);
  expect([String(stdout), status]).toEqual(['', 0]);
});

it('it lists, adds, finds and changes items, and overwrites nobody', async () => {
  const item = await app.add('Walk the dog', 'first');
  expect(await app.add('Walk the dog', 'first')).toEqual(item);
  const { etag } = await app.find(item.key);
  await app.change(item.key, etag, { isComplete: true });
  await expect(app.change(item.key, etag, { name: 'Feed the cat' })).rejects.toMatchObject({ code: 'if-match-failed' });
  const listed: (typeof item)[] = await app.list('api/todo?limit=1');
  expect(listed.filter(({ key }) => key === item.key)).toEqual([{ ...item, isComplete: true }]);
});

it.each([
  ['three requests, if the first two were not applied', ['{"applied":false}', '{"applied":false}'], 3, 'fulfilled'],
  ['three requests at most', Array(3).fill('{"applied":false}'), 3, 'rejected'],
  ['one request, if it may have been applied', ['{}'], 1, 'rejected'],
])('a write becomes %s', async (_name, problems, requests, status) => {
  sent.mockClear();
  const init = { status: 503, headers: { 'Retry-After': '0' } };
  for (const problem of problems) sent.mockResolvedValueOnce(new Response(problem, init));
  const [outcome] = await Promise.allSettled([app.add('Feed the cat', 'second')]);
  expect([sent.mock.calls.length, outcome.status]).toEqual([requests, status]);
});
