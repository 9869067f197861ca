import { describe, expect, it } from '@jest/globals';
import { typicalGateways } from '../../support/gateways/gateways.js';
import { anItem, COLLECTION } from '../../support/service/resource.js';
import { startService } from '../../support/service/service.js';

const ORIGIN = 'https://app.example.com';
const body = { key: '00000000-0000-4000-8000-000000000000', ...anItem('x') };

const writes = [
  ['POST', COLLECTION, 201],
  ['PUT', `${COLLECTION}/${body.key}`, 404],
  ['PATCH', `${COLLECTION}/${body.key}`, 404],
  ['DELETE', `${COLLECTION}/${body.key}`, 404],
] as const;

describe.each(writes)('%s %s', (method, path, admitted) => {
  const write = (origins: string, headers: Record<string, string>) =>
    startService(undefined, { CORS_ORIGINS: origins }).call(method, path, { headers, body });

  it.each([
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.net' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.example.com' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: `${ORIGIN}.evil.example.net` },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-origin, cross-site' },
    { 'Sec-Fetch-Site': '' },
  ])('is answered 403 where the browser says that a page of another origin sends it: %j', async (headers) => {
    const answer = await write(ORIGIN, headers);
    expect(answer.status).toBe(403);
    expect(answer.json.detail).toMatch(/page of another origin/);
  });

  it.each([
    ['', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://api.example.com' }],
    ['', { 'Sec-Fetch-Site': 'none' }],
    ['', { Origin: 'https://no-browser.example.net' }],
    [ORIGIN, { 'Sec-Fetch-Site': 'cross-site', Origin: ORIGIN }],
    [ORIGIN, { 'Sec-Fetch-Site': 'same-site', Origin: ORIGIN }],
    ['*', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://any.example.net' }],
    ['*', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('is admitted with CORS_ORIGINS "%s" and %j', async (origins, headers) => {
    expect((await write(origins, headers)).status).toBe(admitted);
  });
});

describe.each(typicalGateways)('behind $name', (gateway) => {
  it('a page elsewhere can read nothing new and write nothing, with any request that a browser sends without a preflight', async () => {
    const service = startService(gateway);
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.net' };
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    for (const type of [...types.map((name) => ({ 'Content-Type': name })), {}]) {
      const answer = await service.call('POST', COLLECTION, { headers: { ...elsewhere, ...type }, body });
      expect(answer.status).toBe(403);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    const list = await service.call('GET', COLLECTION, { headers: elsewhere });
    expect(list.json).toHaveLength(1);
    expect((await service.call('HEAD', COLLECTION, { headers: elsewhere })).status).toBe(200);
    expect(list.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
