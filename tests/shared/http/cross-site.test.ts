import { describe, expect, it } from '@jest/globals';
import { createCsrfProtection } from '../../../shared/http/cross-site.js';
import { typicalGateways } from '../../support/gateways/gateways.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { aRequest } from '../../support/service/request.js';
import { startService } from '../../support/service/service.js';

const ORIGIN = 'https://app.example.com';

describe('a write', () => {
  it.each([
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.net' },
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.com' },
    { 'sec-fetch-site': 'cross-site', origin: `${ORIGIN}.evil.example.net` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { 'sec-fetch-site': '' },
  ])('returns 403 if the browser says that a page of another origin sends it: %j', (headers) => {
    const answer = createCsrfProtection([ORIGIN])(aRequest({ method: 'POST', headers }));
    expect(answer).toMatchObject({ status: 403, body: expect.stringMatching(/page of another origin/) });
  });

  it.each([
    [[], { 'sec-fetch-site': 'same-origin', origin: 'https://api.example.com' }],
    [[], { 'sec-fetch-site': 'none' }],
    [[], { origin: 'https://no-browser.example.net' }],
    [[ORIGIN], { 'sec-fetch-site': 'cross-site', origin: ORIGIN }],
    [['*'], { 'sec-fetch-site': 'cross-site', origin: 'https://any.example.net' }],
    [['*'], { 'sec-fetch-site': 'cross-site' }],
  ])('is admitted if the pages of %j may call, with %j', (origins, headers) => {
    expect(createCsrfProtection(origins)(aRequest({ method: 'POST', headers }))).toBeUndefined();
  });
});

describe.each(typicalGateways)('behind $name, a page of another origin', (gateway) => {
  it('can read nothing new and write nothing, with any request that a browser sends without a preflight', async () => {
    const service = startService(gateway);
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.net' };
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const posts = ['application/json', ...types].map((type) => ['POST', PARCELS, type] as const);
    const others = ['PUT', 'PATCH', 'DELETE'].map((method) => [method, `${PARCELS}/1`, 'application/json'] as const);
    for (const [method, path, type] of [...posts, ...others]) {
      const headers = { ...elsewhere, 'Content-Type': type };
      const answer = await expectStatus(403, service.call(method, path, { headers, body: { label: 'x' } }));
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    await expectStatus(200, service.call('HEAD', PARCELS, { headers: elsewhere }));
    const list = await expectStatus(200, service.call('GET', PARCELS, { headers: elsewhere }));
    expect(list.json).toHaveLength(1);
    expect(list.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
