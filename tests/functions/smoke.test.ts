import { describe, expect, it } from '@jest/globals';
import { gateways } from '../support/gateways/gateways.js';
import { anItem, CHANGE, COLLECTION } from '../support/service/resource.js';
import { startService } from '../support/service/service.js';

describe.each(gateways)('behind $name', (gateway) => {
  it('all six operations do their work, under the prefix that the caller used', async () => {
    const service = startService(gateway);
    const call = (method: string, path: string, body?: object) => service.call(method, path, { body });
    const [first] = (await call('GET', COLLECTION)).json;
    const created = await call('POST', COLLECTION, anItem('Café "€" 😀'));
    expect(created.status).toBe(201);
    const { key } = created.json;
    const path = `${COLLECTION}/${key}`;
    expect(created.headers.location).toBe(`${gateway.prefix}${path}`);
    expect((await call('PUT', path, { key, ...anItem('Walk the dog') })).status).toBe(204);
    expect((await call('PATCH', path, CHANGE)).headers.etag).toBe('"3"');
    const found = await call('GET', path);
    expect(found.json).toEqual({ ...created.json, ...anItem('Walk the dog'), ...CHANGE });
    const page = await call('GET', `${COLLECTION}?limit=1`);
    expect(page.json).toEqual([first]);
    expect(page.headers.link).toBe(`<${gateway.prefix}${COLLECTION}?limit=1&after=${first.key}>; rel="next"`);
    expect((await call('GET', `${COLLECTION}?after=${first.key}`)).json).toEqual([found.json]);
    expect((await call('DELETE', path)).status).toBe(204);
    const notFound = await call('GET', path);
    expect(notFound).toMatchObject({ status: 404, json: { status: 404, requestId: expect.stringMatching(/./) } });
  });
});
