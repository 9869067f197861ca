import { describe, expect, it } from '@jest/globals';
import type { OpenStore } from '../../../shared/store/store.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

/** Declares the tests of what conditional requests promise with a store (rules 16 to 18). */
export function describeConditions(openStore: OpenStore): void {
  const service = startService(undefined, { openStore });

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
    await expectStatus(200, send('GET', path, { 'If-Match': '"12"' }));
  });

  describe.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s an item (rules 16 to 18)', (method) => {
    const done = method === 'GET' ? 200 : 204;

    it.each([
      ['If-Match', '"7", "2"', done, ''],
      ['If-None-Match', '"1"', done, ''],
      ['If-Match', '"1"', 412, 'It has changed since you fetched it. Get it again, and send the request with its'],
      ['If-Match', '"1", W/"2"', 412, 'If-Match has a weak entity tag, which never matches. Something between'],
      ['If-None-Match', 'W/"2"', method === 'GET' ? 304 : 412, 'If-None-Match excludes the current version of the'],
      [
        'If-None-Match',
        'undefined',
        400,
        'If-None-Match is malformed: entity tags must be in quotes, as in "undefined"',
      ],
    ])('with %s: %s returns %i, and changes nothing unless that is a success', async (name, tags, status, detail) => {
      const path = await itemAtVersion2();
      const { json } = await expectStatus(status, send(method, path, { [name]: tags }));
      if (status >= 400) expect(json.detail).toMatch(detail);
      if (status >= 300)
        expect(await service.call('GET', path)).toMatchObject({ json: { label: 'b' }, headers: { etag: '"2"' } });
    });
  });

  it.each([
    [200, { 'If-None-Match': '"W/2"' }],
    [200, { 'If-Match': '"2"', 'If-None-Match': '"1"' }],
    [412, { 'If-Match': '"1"', 'If-None-Match': '"2"' }],
    [304, { 'If-Match': '*', 'If-None-Match': '"2"' }],
    [304, { 'If-None-Match': '*' }],
  ])('%i is returned for %j: If-Match comes first (RFC 9110, section 13.2.2)', async (status, fields) => {
    const { text, headers } = await expectStatus(status, send('GET', await itemAtVersion2(), fields));
    if (status !== 412) expect(headers).toMatchObject({ etag: '"2"', vary: 'Accept', 'cache-control': 'no-store' });
    if (status === 304) expect([text, headers['content-type']]).toEqual(['', undefined]);
  });

  it('If-Match takes lists as RFC 9110 has them, and compares strongly', async () => {
    const path = await itemAtVersion2();
    const unquoted = ['1', '"1', 'w/"1"', 'W/ "1"', '"a b"', '"a\u007fb"', `"${'1'.repeat(200_000)}`];
    const wronglyJoined = ['"1" "2"', '"1"x', '*, "1"', '"1", *', '"1";', `${' ,'.repeat(100_000)}x`];
    const lists = {
      200: ['*', ' * ', '"1" , \tW/"2","2"', ',, "1",,"2" ,', '"","2"', '"a,b","2"', '"é\u0080","2"'],
      412: ['', 'W/"2"', '"1",'.repeat(100_000), ' '.repeat(200_000)],
      400: [...unquoted, ...wronglyJoined],
    };
    for (const [status, values] of Object.entries(lists))
      for (const value of values) {
        const answer = await send('GET', path, { 'If-Match': value });
        expect([value.slice(0, 20), answer.status]).toEqual([value.slice(0, 20), Number(status)]);
      }
  });

  it.each([
    ['2', '"2"'],
    ['{etag}', '"1"'],
    ['1'.repeat(41), '"1"'],
  ])('the answer to the malformed If-Match: %s shows how to write it', async (value, tag) => {
    const { json } = await expectStatus(400, send('GET', `${PARCELS}/1`, { 'If-Match': value }));
    const advice = 'Separate several tags with commas, or send * to match any version.';
    expect(json.detail).toBe(`If-Match is malformed: entity tags must be in quotes, as in ${tag}. ${advice}`);
  });
}
