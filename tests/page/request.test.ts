import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorIn, makeRequest, type Outcome, send } from '../../docs/page/browser/request.js';
import { listen } from '../support/listen.js';
import { anOperation } from './operation.js';

describe('a request', () => {
  it('has what is in the fields, each in its part, and nothing of empty fields but the body', () => {
    const filled = { 'path id': 'a', 'query limit': '0', 'header If-Match': '"1"' };
    const empty = { 'query after': '', 'header If-None-Match': '', 'body item': '' };
    const operation = anOperation('PUT', '/api/parcel/{id}', { ...filled, ...empty });
    expect(makeRequest(operation)).toEqual({
      method: 'PUT',
      url: new URL('http://localhost/live/api/parcel/a?limit=0'),
      headers: [['If-Match', '"1"']],
      body: '',
    });
    expect(makeRequest(anOperation('GET', '/api/parcel', {}))).not.toHaveProperty('body');
  });

  it.each(['a/b?c#d &=+', '100%', '%2e%2e', '...', '{id}', '$&', '[ü] \\\'"<>`😀', '\ud800'])(
    'has a value in path and query as it was typed: %s',
    (typed) => {
      const fields = { 'path id': typed, 'query a&b=c #%': typed };
      const { url } = makeRequest(anOperation('GET', '/api/{id}/{id}/parts', fields));
      const sent = typed.replace('\ud800', '\ufffd');
      const [, , , ...steps] = url.pathname.split('/').map(decodeURIComponent);
      expect(steps).toEqual([sent, sent, 'parts']);
      expect([...url.searchParams]).toEqual([['a&b=c #%', sent]]);
      expect(url.hash).toBe('');
    },
  );

  it.each([
    ['abc.def', 'Bearer abc.def'],
    [' Bearer abc.def\n', 'Bearer abc.def'],
    ['Authorization: bearer abc.def ', 'Bearer abc.def'],
    ['', undefined],
  ])('has the token %j as %s only for an operation that asks for one', (token, sent) => {
    const headers = sent ? [['Authorization', sent]] : [];
    expect(makeRequest(anOperation('GET', '/a', {}, ''), token).headers).toEqual(headers);
    expect(makeRequest(anOperation('GET', '/a', {}), token).headers).toEqual([]);
  });
});

it.each([
  ['path', '', /without id/],
  ['path', '.', /step/],
  ['path', '..', /step/],
  ['path', '...', /^$/],
  ['query', '', /^$/],
  ['header', '“1”', /no such characters/],
  ['header', '1\n2', /no such characters/],
  ['header', 'é', /^$/],
])('a field of the %s with %j has the error %s, because no browser could send it', (part, value, error) => {
  expect(errorIn({ name: 'id', value, dataset: { in: part } })).toMatch(error);
});

describe('an outcome', () => {
  let answer: (response: ServerResponse) => void;
  const server = createServer((_request, response) => answer(response));
  let url: URL;

  beforeAll(async () => {
    url = new URL(`http://${await listen(server)}`);
  });
  afterAll(() => server.close().closeAllConnections());

  const outcomeOf = (method: string, how: typeof answer, signal = new AbortController().signal): Promise<Outcome> => {
    answer = how;
    return send({ method, url, headers: [] }, signal);
  };

  it('has the answer with its body, also as JSON', async () => {
    const outcome = await outcomeOf('GET', (response) => response.writeHead(418, { ETag: '"1"' }).end('{"a":1}'));
    expect(outcome).toMatchObject({ text: '{"a":1}', json: { a: 1 }, isMaybeApplied: false });
    expect([outcome.response?.status, outcome.response?.headers.get('etag')]).toEqual([418, '"1"']);
  });

  it.each<[method: string, status: number, body: string, isMaybeApplied: boolean]>([
    ['POST', 503, '{}', true],
    ['POST', 503, '{"applied":"false"}', true],
    ['POST', 503, '<h1>503', true],
    ['POST', 503, 'null', true],
    ['POST', 503, '{"applied":false}', false],
    ['POST', 429, '{}', true],
    ['POST', 429, '{"applied":false}', false],
    ['PUT', 500, '{}', true],
    ['PATCH', 502, '{}', true],
    ['DELETE', 504, '{}', true],
    ['GET', 503, '{}', false],
    ['POST', 507, '{}', false],
    ['POST', 422, '{}', false],
    ['POST', 201, '{}', false],
  ])('of a %s that is answered by %i %s may be applied or not: %j', async (method, status, body, isMaybeApplied) => {
    const outcome = await outcomeOf(method, (response) => response.writeHead(status).end(body));
    expect(outcome.isMaybeApplied).toBe(isMaybeApplied);
  });

  it.each([
    ['POST', true],
    ['GET', false],
  ])('of a %s without a whole answer says why, and may be applied or not: %j', async (method, isMaybeApplied) => {
    const lost = await outcomeOf(method, (response) => response.destroy());
    expect(lost).toMatchObject({ reason: expect.stringMatching(/^No answer: .* not reached/), isMaybeApplied });
    const cut = await outcomeOf(method, (response) => {
      response.writeHead(201, { 'Content-Length': '9' }).write('{', () => response.destroy());
    });
    expect(cut).toMatchObject({ reason: expect.stringMatching(/^No answer: .* 201\.$/), isMaybeApplied });
    const controller = new AbortController();
    const cancelled = await outcomeOf(method, () => controller.abort(), controller.signal);
    expect(cancelled).toMatchObject({ reason: 'Cancelled.', isMaybeApplied });
  });
});
