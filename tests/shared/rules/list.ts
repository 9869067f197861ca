import { describe, expect, it } from '@jest/globals';
import type { OpenStore } from '../../../shared/store/store.js';
import { type Gateway, restUnder, varyOfLists } from '../../support/gateways/gateways.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS, parcels } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';
import { createRandom } from '../histories/random.js';

type Headers = Record<string, string>;

const get = (service: Service, query = '', headers: Headers = {}) =>
  service.call('GET', `${PARCELS}${query}`, { headers });

/** Creates parcels that may break or not, in this order, and returns their keys. */
async function create(service: Service, ...fragile: boolean[]): Promise<string[]> {
  const keys: string[] = [];
  for (const each of fragile) {
    const posted = service.call('POST', PARCELS, { body: { label: 'a', fragile: each } });
    keys.push((await expectStatus(201, posted)).json.key);
  }
  return keys;
}

/** Declares the tests of what the list promises behind gateways, with a store, beside its order and pages (rules 10, 15 to 18, and 26). */
export function describeList(openStore: OpenStore, gateways: readonly Gateway[]): void {
  describe.each(gateways)('the list behind $name (rules 10 and 15 to 18)', (gateway) => {
    it('has only the items that match a filter, on pages whose links repeat it', async () => {
      const service = startService(gateway, { openStore });
      const keys = await create(service, true, false, true, true, false);
      const [one, , three, four] = keys;
      const list = async (query: string) => {
        const { json, headers } = await expectStatus(200, get(service, query));
        return [json.map(({ key }: { key: string }) => key), headers.link];
      };
      const linkTo = (query: string) => `<${gateway.prefix}${PARCELS}?${query}>; rel="next"`;
      expect(await list('?fragile=true')).toEqual([[one, three, four], undefined]);
      expect((await list('?fragile=false'))[0]).toEqual([expect.anything(), keys[1], keys[4]]);
      const next = `fragile=true&limit=2&after=${three}`;
      expect(await list('?limit=2&fragile=true')).toEqual([[one, three], linkTo(next)]);
      expect(await list(`?${next}`)).toEqual([[four], undefined]);
      expect(await list('?fragile=true&limit=3')).toEqual([[one, three, four], undefined]);
      expect(await list(`?fragile=true&after=${keys[1]}&limit=1`)).toEqual([
        [three],
        linkTo(`fragile=true&limit=1&after=${three}`),
      ]);
      const wrong = await expectStatus(400, get(service, '?fragile=yes'));
      expect(wrong.json.errors).toEqual([{ parameter: 'fragile', detail: 'Must be true or false; got "yes".' }]);
    });

    it('has a strong entity tag, and returns 304 without content for it, also to HEAD, until it changes', async () => {
      const service = startService(gateway, { openStore });
      const { headers } = await expectStatus(200, get(service));
      const { etag = '' } = headers;
      expect(etag).toMatch(/^"[\w-]+"$/);
      const cached = {
        etag,
        vary: varyOfLists(gateway),
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      };
      expect(headers).toMatchObject(cached);
      for (const method of ['GET', 'HEAD'])
        for (const tags of [etag, `"other", W/${etag}`, '*']) {
          const known = await service.call(method, PARCELS, { headers: { 'If-None-Match': tags } });
          expect([known.status, known.text, known.headers]).toEqual([304, '', cached]);
        }
      expect((await service.call('HEAD', PARCELS)).headers).toEqual(headers);
      await create(service, false);
      const changed = await expectStatus(200, get(service, '', { 'If-None-Match': etag }));
      expect(changed.json).toHaveLength(2);
      expect(changed.headers.etag).not.toBe(etag);
    });

    it('checks If-Match, and rejects what is neither * nor a list of entity tags', async () => {
      const service = startService(gateway, { openStore });
      const { etag = '' } = (await get(service)).headers;
      for (const tags of [etag, `"other", ${etag}`, '*'])
        await expectStatus(200, get(service, '', { 'If-Match': tags }));
      const { json, headers } = await expectStatus(412, get(service, '', { 'If-Match': '"other"' }));
      expect(json.detail).toBe(
        'It has changed since you fetched it. Get it again, and send the request with its new ETag.',
      );
      expect(headers['cache-control']).toBe('no-store');
      const weak = await expectStatus(412, get(service, '', { 'If-Match': `W/${etag}` }));
      expect(weak.json).toMatchObject({
        code: 'if-match-weak',
        detail: expect.stringMatching(/Send it without W\/\.$/),
      });
      await expectStatus(304, get(service, '', { 'If-Match': etag, 'If-None-Match': etag }));
      for (const field of ['If-Match', 'If-None-Match'])
        await expectStatus(400, get(service, '', { [field]: etag.slice(1, -1) }));
    });

    const where = gateway.compresses ? 'is left to the gateway to compress' : 'comes in gzip';
    it(`${where} if it has 8 kB and the caller takes that, and either of its two tags is taken`, async () => {
      const service = startService(gateway, { openStore });
      const [key] = await create(service, false);
      const list = (coding: string, fields = {}) => get(service, '', { 'Accept-Encoding': coding, ...fields });
      const { text } = await expectStatus(200, get(service));
      const pad = (bytes: number) =>
        expectStatus(204, service.call('PATCH', `${PARCELS}/${key}`, { body: { label: 'é'.padEnd(bytes, 'a') } }));
      const vary = varyOfLists(gateway);
      // The label had one byte.
      await pad(8_191 - text.length);
      expect((await list('gzip')).headers).toMatchObject({ vary, etag: (await list('identity')).headers.etag });
      await pad(8_192 - text.length);
      const [plain, coded] = [await list('identity'), await list('gzip, br')];
      expect(plain.content).toHaveLength(8_192);
      for (const coding of ['gzip;q=0', 'br', ''])
        expect([(await list(coding)).headers, (await get(service)).headers]).toEqual([plain.headers, plain.headers]);
      if (gateway.compresses) return expect(coded).toEqual(plain);
      const { etag: plainTag = '' } = plain.headers;
      const { etag: codedTag = '' } = coded.headers;
      expect(coded.text).toBe(plain.text);
      expect(coded.content.length).toBeLessThan(plain.content.length / 10);
      expect(coded.headers).toEqual({
        ...plain.headers,
        'content-encoding': 'gzip',
        etag: expect.stringMatching(/^"[\w-]+"$/),
      });
      expect(codedTag).not.toBe(plainTag);
      expect((await service.call('HEAD', PARCELS, { headers: { 'Accept-Encoding': '*' } })).headers).toEqual(
        coded.headers,
      );
      for (const coding of ['gzip', 'identity']) {
        for (const tag of [plainTag, codedTag]) {
          const known = await expectStatus(304, list(coding, { 'If-None-Match': `"other", ${tag}` }));
          expect(known.headers).toMatchObject({ etag: tag, vary });
          expect(known.headers).not.toHaveProperty('content-encoding');
          await expectStatus(200, list(coding, { 'If-Match': tag }));
          await expectStatus(304, list(coding, { 'If-Match': tag, 'If-None-Match': '*' }));
        }
        const both = await expectStatus(304, list(coding, { 'If-None-Match': `${codedTag}, ${plainTag}` }));
        expect(both.headers.etag).toBe(plainTag);
      }
      await pad(8_193 - text.length);
      for (const tag of [plainTag, codedTag]) {
        await expectStatus(412, list('gzip', { 'If-Match': tag }));
        await expectStatus(200, list('gzip', { 'If-None-Match': tag }));
      }
    });

    it('stays as it is where gzip would make the result longer, so that it cannot become too large', async () => {
      const service = startService(gateway, { openStore });
      const { next } = createRandom(1);
      const label = Array.from({ length: 20_000 }, () => String.fromCharCode(0x23 + Math.floor(next() * 0x5c))).join(
        '',
      );
      await expectStatus(201, service.call('POST', PARCELS, { body: { label } }));
      const answer = await get(service, '', { 'Accept-Encoding': 'gzip' });
      expect(answer.json.at(-1).label).toBe(label);
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.headers).toEqual((await get(service)).headers);
    });
  });

  it('a list has another entity tag after each write, and where its content, media type or link is another', async () => {
    const service = startService(undefined, { openStore });
    /** By entity tag: the content, media type and link that it stands for. */
    const seen = new Map<string, string>();
    /** Gets the list in many forms, and sees that no two have the same tag, and that each keeps its own. */
    async function look() {
      for (const query of [
        '',
        '?limit=1',
        '?limit=2',
        '?limit=4',
        '?fragile=true',
        '?fragile=false',
        '?fragile=true&limit=1',
        '?after=00000000-0000-0000-0000-000000000000',
        '?after=ffffffff-ffff-4fff-bfff-ffffffffffff',
      ])
        for (const Accept of ['application/json', 'text/json', 'text/plain']) {
          const { text, headers } = await expectStatus(200, get(service, query, { Accept }));
          const form = JSON.stringify([text, headers['content-type'], headers.link]);
          const { etag = '' } = headers;
          expect([etag, seen.get(etag) ?? form]).toEqual([etag, form]);
          seen.set(etag, form);
          await expectStatus(304, get(service, query, { Accept, 'If-None-Match': etag }));
        }
    }
    await look();
    const [key] = await create(service, true, true, true);
    const path = `${PARCELS}/${key}`;
    const tagOf = async () => (await get(service)).headers.etag as string;
    const tags = [await tagOf()];
    await look();
    for (const [method, body] of [
      ['PATCH', { label: 'b' }],
      ['PUT', { key, label: 'c', fragile: true }],
      ['DELETE', undefined],
    ] as const) {
      await expectStatus(204, service.call(method, path, { body }));
      await look();
      tags.push(await tagOf());
    }
    expect(new Set(tags).size).toBe(tags.length);
    await expectStatus(404, service.call('DELETE', path));
    expect(await tagOf()).toBe(tags.at(-1));
  });

  it('the link is in the entity tag: pages with the same items differ if only one of them goes on', async () => {
    const service = startService(undefined, { openStore });
    const [key] = await create(service, false);
    const page = await expectStatus(200, get(service, '?limit=1'));
    await expectStatus(204, service.call('DELETE', `${PARCELS}/${key}`));
    const last = await expectStatus(200, get(service, '?limit=1', { 'If-None-Match': page.headers.etag as string }));
    expect([last.text, last.headers.link]).toEqual([page.text, undefined]);
  });

  it('the prefix in the link is in the entity tag', async () => {
    const store = openStore(parcels);
    const [one, other] = ['/a', '/b'].map((prefix) => startService(restUnder(prefix), { openStore: () => store }));
    await create(one as Service, false);
    const tags = [one, other].map(async (service) => (await get(service as Service, '?limit=1')).headers.etag);
    expect(await tags[0]).not.toBe(await tags[1]);
  });
}
