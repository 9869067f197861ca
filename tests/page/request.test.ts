import { execFile } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asCurl } from '../../docs/page/browser/curl.js';
import { errorIn, makeRequest, send } from '../../docs/page/browser/request.js';
import { listen } from '../support/listen.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { anOperation } from './operation.js';

describe('a request', () => {
  it('contains each filled field in its part, and the body even if it is empty', () => {
    const filled = { 'path id': 'a', 'query limit': '0', 'header If-Match': '"1"' };
    const empty = { 'query after': '', 'header If-None-Match': '', 'body item': '' };
    expect(makeRequest(anOperation('PUT', '/api/parcel/{id}', { ...filled, ...empty }))).toEqual({
      method: 'PUT',
      url: new URL('http://localhost/live/api/parcel/a?limit=0'),
      headers: [['If-Match', '"1"']],
      body: '',
    });
    expect(makeRequest(anOperation('GET', '/api/parcel', {}))).not.toHaveProperty('body');
  });

  it.each(['a/b?c#d &=+', '100%', '%2e%2e', '{id}', '$&', '[ü] \\\'"<>`😀', '\ud800'])(
    'contains a value in path and query as it was typed: %s',
    (typed) => {
      const fields = { 'path id': typed, 'query a&b=c #%': typed };
      const { url } = makeRequest(anOperation('GET', '/api/{id}/{id}/parts', fields));
      const sent = typed.replace('\ud800', '\ufffd');
      const [, , , ...steps] = url.pathname.split('/').map(decodeURIComponent);
      expect(steps).toEqual([sent, sent, 'parts']);
      expect([...url.searchParams]).toEqual([['a&b=c #%', sent]]);
    },
  );

  it.each([
    ['abc.def', [['Authorization', 'Bearer abc.def']]],
    ['Authorization: bearer abc.def ', [['Authorization', 'Bearer abc.def']]],
    ['', []],
  ])('contains the token %j as %j, only for an operation that asks for one', (token, headers) => {
    expect(makeRequest(anOperation('GET', '/a', {}, ''), token).headers).toEqual(headers);
    expect(makeRequest(anOperation('GET', '/a', {}), token).headers).toEqual([]);
  });
});

it.each([
  ['path', '', /without id/],
  ['path', '.', /resolve/],
  ['path', '..', /resolve/],
  ['path', '...', /^$/],
  ['query', '', /^$/],
  ['header', '“1”', /only characters of/],
  ['header', '1\n2', /only characters of/],
  ['header', 'é', /^$/],
])('a field of the %s that contains %j shows the error %s', (part, value, error) => {
  expect(errorIn({ name: 'id', value, dataset: { in: part } })).toMatch(error);
});

const received: unknown[] = [];
let answer = (response: ServerResponse): unknown => response.end();
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const body = await text(request);
  received.push({ method, url, body, condition: headers['if-match'], token: headers.authorization });
  answer(response);
});
let url: URL;

beforeAll(async () => {
  url = new URL(`http://${await listen(server)}`);
});
beforeEach(() => void received.splice(0));
afterAll(() => server.close().closeAllConnections());

describe('a curl command', () => {
  const NASTY = `it's "so" $HOME $(touch ran) \`id\` \${x} \\ \\n \\' !! !x %s %41 & | ; < > * ? [a-z] {1..3} ~ # ü 😀`;
  const shell = { cwd: temporaryFolder(), env: { ...process.env, TOKEN: 'mine' } };
  const run = (command: string) => promisify(execFile)('sh', ['-c', command], shell);

  it.each<[method: string, path: string, condition: string, body: string | undefined]>([
    ['POST', '', '', NASTY],
    ['POST', '', '', '@/etc/hostname\n\n'],
    ['PUT', encodeURIComponent(NASTY), '"@a", "b"', '{}'],
    ['GET', `?after=${encodeURIComponent(NASTY)}`, `"it's $HOME $(touch ran) \`id\` \\ !x"`, undefined],
  ])('sends what the page sends: %s %j, If-Match %j, the body %j', async (method, path, condition, body) => {
    const headers = condition ? [['If-Match', condition] as const] : [];
    const request = { method, url: new URL(`/${path}`, url), headers, ...(body !== undefined && { body }) };
    await send(request, new AbortController().signal);
    await run(asCurl(request));
    const [sent, again] = received;
    expect(sent).toMatchObject({ method, ...(condition && { condition }), ...(body && { body }) });
    expect(again).toEqual(sent);
    expect((await run('ls')).stdout).toBe('');
  });

  it('takes the token from a variable, so that the command can be shown and copied', async () => {
    const command = asCurl({ method: 'GET', url, headers: [['Authorization', 'Bearer secret']] });
    expect(command).not.toContain('secret');
    await run(command);
    expect(received).toMatchObject([{ token: 'Bearer mine' }]);
  });
});

describe('an outcome', () => {
  it.each<[method: string, status: number, body: string, isMaybeApplied: boolean]>([
    ['POST', 503, '{"applied":"false"}', true],
    ['POST', 503, '{"applied":false}', false],
    ['POST', 429, '{}', true],
    ['PUT', 500, '{}', true],
    ['PATCH', 502, '{}', true],
    ['DELETE', 504, '{}', true],
    ['GET', 503, '{}', false],
    ['POST', 507, '{}', false],
  ])('of a %s that got %i %s says if it may have been applied: %j', async (method, status, body, isMaybeApplied) => {
    answer = (response) => response.writeHead(status).end(body);
    const outcome = await send({ method, url, headers: [] }, new AbortController().signal);
    expect(outcome.isMaybeApplied).toBe(isMaybeApplied);
  });

  it.each([
    ['POST', true],
    ['GET', false],
  ])('of a %s without an answer says why, and if it may have been applied: %j', async (method, isMaybeApplied) => {
    const controller = new AbortController();
    for (const [how, reason] of [
      [(response) => response.destroy(), /^No answer: .* not reached/],
      [(response) => response.writeHead(201).write('{', () => response.destroy()), /^No answer: .* 201\.$/],
      [() => controller.abort(), /^Cancelled\.$/],
    ] satisfies [typeof answer, RegExp][]) {
      answer = how;
      const outcome = await send({ method, url, headers: [] }, controller.signal);
      expect(outcome).toMatchObject({ reason: expect.stringMatching(reason), isMaybeApplied });
    }
  });
});
