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

function write(method: string, path: string, headers: Record<string, string>) {
  const body = method === 'DELETE' ? undefined : { key: path.split('/').pop(), label: 'c' };
  return service.call(method, path, { headers, body });
}

it('an entity tag changes with every write, even one that leaves the item as it was, and beyond version 9', async () => {
  const path = await itemAtVersion2();
  for (let version = 3; version <= 12; version += 1) {
    expect((await service.call('PATCH', path, { body: {} })).headers.etag).toBe(`"${version}"`);
  }
  const { headers } = await expectStatus(200, service.call('GET', path, { headers: { 'If-Match': '"12"' } }));
  expect(headers.etag).toBe('"12"');
});

/** The detail of a problem, by its status and the header field that it is about. */
const REASONS: Readonly<Record<string, RegExp>> = {
  '412 If-Match':
    /^The item has changed since you fetched it\. Get it again, and send the request with its new ETag\.$/,
  '412 If-None-Match': /^If-None-Match excludes the current version of the item\./,
  '400 If-None-Match': /^If-None-Match is malformed: entity tags must be in quotes/,
};

describe('GET an item', () => {
  it.each([
    ['If-None-Match', '"2"', 304],
    ['If-None-Match', '"1"', 200],
    ['If-Match', '"2"', 200],
    ['If-Match', '"1"', 412],
    ['If-None-Match', '2', 400],
  ])('with %s: %s answers %i', async (name, tags, status) => {
    const request = service.call('GET', await itemAtVersion2(), { headers: { [name]: tags } });
    const { json, text, headers } = await expectStatus(status, request);
    if (status >= 400) expect(json.detail).toMatch(REASONS[`${status} ${name}`] as RegExp);
    if (status !== 304) return;
    expect([text, headers['content-type']]).toEqual(['', undefined]);
    expect(headers).toMatchObject({ etag: '"2"', vary: 'Accept', 'cache-control': 'no-store' });
  });
});

describe.each(['PUT', 'PATCH', 'DELETE'])('%s an item', (method) => {
  it.each([
    ['If-Match', '"7", "2"'],
    ['If-None-Match', '"1"'],
  ])('is applied with %s: %s', async (name, tags) => {
    await expectStatus(204, write(method, await itemAtVersion2(), { [name]: tags }));
  });

  it.each([
    ['If-Match', '"1"', 412],
    ['If-Match', 'W/"2"', 412],
    ['If-None-Match', 'W/"2"', 412],
    ['If-None-Match', 'undefined', 400],
  ])('with %s: %s answers %i, and changes nothing', async (name, tags, status) => {
    const path = await itemAtVersion2();
    const answer = await expectStatus(status, write(method, path, { [name]: tags }));
    expect(answer.json.detail).toMatch(REASONS[`${status} ${name}`] as RegExp);
    expect(await service.call('GET', path)).toMatchObject({ json: { label: 'b' }, headers: { etag: '"2"' } });
  });

  it('answers 404 if there is no item, whatever If-Match says', async () => {
    const path = `${PARCELS}/00000000-0000-4000-8000-000000000000`;
    for (const tags of ['*', '"1"']) await expectStatus(404, write(method, path, { 'If-Match': tags }));
  });
});
