import { describe, expect, it } from '@jest/globals';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

const service = startService();

/** Creates an item, changes it once, and returns its path. */
async function itemAtVersion2(): Promise<string> {
  const { key } = (await service.call('POST', PARCELS, { body: { label: 'a' } })).json;
  await service.call('PATCH', `${PARCELS}/${key}`, { body: { label: 'b' } });
  return `${PARCELS}/${key}`;
}

function send(method: string, path: string, headers: Record<string, string>) {
  const body = method.startsWith('P') ? { key: path.split('/').pop(), label: 'c' } : undefined;
  return service.call(method, path, { headers, body });
}

it('an entity tag changes with every write, even one that leaves the item as it was, and beyond version 9', async () => {
  const path = await itemAtVersion2();
  for (let version = 3; version <= 12; version += 1) {
    expect((await service.call('PATCH', path, { body: {} })).headers.etag).toBe(`"${version}"`);
  }
  const { headers } = await expectStatus(200, send('GET', path, { 'If-Match': '"12"' }));
  expect(headers.etag).toBe('"12"');
});

const CHANGED = /^The item has changed since you fetched it\. Get it again, and send the request with its new ETag\.$/;
const EXCLUDED = /^If-None-Match excludes the current version of the item\./;
const MALFORMED = /^If-None-Match is malformed: entity tags must be in quotes/;

describe.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s an item', (method) => {
  it.each([
    ['If-Match', '"7", "2"'],
    ['If-None-Match', '"1"'],
  ])('is done with %s: %s', async (name, tags) => {
    const answer = await send(method, await itemAtVersion2(), { [name]: tags });
    expect(answer.status).toBe(method === 'GET' ? 200 : 204);
  });

  it.each([
    ['If-Match', '"1"', 412, CHANGED],
    ['If-Match', 'W/"2"', 412, CHANGED],
    ['If-None-Match', 'W/"2"', method === 'GET' ? 304 : 412, EXCLUDED],
    ['If-None-Match', 'undefined', 400, MALFORMED],
  ])('with %s: %s returns %i, and changes nothing', async (name, tags, status, detail) => {
    const path = await itemAtVersion2();
    const { json } = await expectStatus(status, send(method, path, { [name]: tags }));
    if (status >= 400) expect(json.detail).toMatch(detail);
    expect(await service.call('GET', path)).toMatchObject({ json: { label: 'b' }, headers: { etag: '"2"' } });
  });

  it('returns 404 if there is no item, whatever If-Match says', async () => {
    const path = `${PARCELS}/00000000-0000-4000-8000-000000000000`;
    for (const tags of ['*', '"1"']) await expectStatus(404, send(method, path, { 'If-Match': tags }));
  });
});

it('304 has the header fields of the item, but no content', async () => {
  const { text, headers } = await expectStatus(304, send('GET', await itemAtVersion2(), { 'If-None-Match': '"2"' }));
  expect([text, headers['content-type']]).toEqual(['', undefined]);
  expect(headers).toMatchObject({ etag: '"2"', vary: 'Accept', 'cache-control': 'no-store' });
});
