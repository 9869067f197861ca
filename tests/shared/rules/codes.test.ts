import { expect, it } from '@jest/globals';
import { Unavailable } from '../../../shared/dynamodb/unavailable.js';
import type { Collection } from '../../../shared/store/store.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

const service = startService(undefined, { capacity: 1_000 });
const { call } = service;
const NOBODYS = `${PARCELS}/1`;
const body = { label: 'a' };
const LARGE = { label: 'x'.repeat(700) };

/** Sends requests of this kind one after the other, and returns the code of the last answer. */
async function codeOf(...requests: Parameters<typeof call>[]): Promise<string> {
  let code = '';
  for (const request of requests) ({ code } = (await call(...request)).json);
  return code;
}

it.each<[code: string, ...requests: Parameters<typeof call>[]]>([
  ['invalid-query', ['GET', `${PARCELS}?limit=0`]],
  ['invalid-body', ['POST', PARCELS]],
  ['invalid-body', ['POST', PARCELS, { body: '[]' }]],
  ['invalid-members', ['POST', PARCELS, { body: {} }]],
  ['invalid-members', ['PUT', NOBODYS, { body }]],
  ['malformed-condition', ['GET', NOBODYS, { headers: { 'If-Match': '1' } }]],
  ['malformed-idempotency-key', ['POST', PARCELS, { body, headers: { 'Idempotency-Key': '' } }]],
  ['cross-site-write', ['POST', PARCELS, { body, headers: { 'Sec-Fetch-Site': 'cross-site' } }]],
  ['not-found', ['GET', NOBODYS]],
  ['not-found', ['DELETE', NOBODYS]],
  ['no-route', ['GET', '/nowhere']],
  ['method-not-supported', ['PUT', PARCELS]],
  ['body-too-large', ['POST', PARCELS, { body: ' '.repeat(1_048_577) }]],
  ['item-too-large', ['POST', PARCELS, { body: { label: 'x'.repeat(1_000) } }]],
  ['full', ['POST', PARCELS, { body: LARGE }], ['POST', PARCELS, { body: LARGE }]],
  ['not-json', ['POST', PARCELS, { body, headers: { 'Content-Type': 'text/html' } }]],
  ['unsupported-coding', ['POST', PARCELS, { body: 'x', headers: { 'Content-Encoding': 'gzip' } }]],
])('the code %s is that of %j', async (code, ...requests) => {
  expect(await codeOf(...requests)).toBe(code);
});

it('the codes of a 412 and a 422 name the header field that the item or the Idempotency-Key is at odds with', async () => {
  const { key } = (await call('POST', PARCELS, { body, headers: { 'Idempotency-Key': 'k' } })).json;
  const item = `${PARCELS}/${key}`;
  expect(await codeOf(['GET', item, { headers: { 'If-Match': '"7"' } }])).toBe('if-match-failed');
  expect(await codeOf(['PATCH', item, { body, headers: { 'If-Match': 'W/"1"' } }])).toBe('if-match-altered');
  expect(await codeOf(['DELETE', item, { headers: { 'If-None-Match': '*' } }])).toBe('if-none-match-failed');
  const other = { body: { label: 'b' }, headers: { 'Idempotency-Key': 'k' } };
  expect(await codeOf(['POST', PARCELS, other])).toBe('idempotency-key-reused');
});

it.each<[code: string, method: string, error: Error]>([
  ['unavailable', 'GET', new Unavailable('', { applied: false })],
  ['maybe-applied', 'DELETE', new Unavailable('', { applied: undefined })],
  ['failed', 'GET', new Error('planted')],
])('the code %s is that of %s while %p comes from the store', async (code, method, error) => {
  const fail = () => Promise.reject(error);
  const items: Collection = { list: fail, find: fail, create: fail, update: fail, remove: fail };
  const failing = startService(undefined, { openStore: () => () => items });
  expect((await failing.call(method, NOBODYS)).json.code).toBe(code);
});
