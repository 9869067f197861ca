import { describe, expect, it } from '@jest/globals';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

const ORIGIN = 'https://app.example.com';
/** That of an app in a web view. */
const APP = 'capacitor://localhost';
const service = startService(undefined, { corsOrigins: ['https://other.example.com', APP, ORIGIN] });
const open = startService(undefined, { corsOrigins: ['*'] });
const closed = startService();
const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('CORS (rule 25)', () => {
  it('is off unless origins are named', async () => {
    const { headers } = await closed.call('GET', PARCELS, { headers: { Origin: ORIGIN } });
    expect(corsHeaders(headers)).toEqual([]);
    expect(headers.vary).toBe('Accept');
  });

  it.each([
    [200, PARCELS, 'Accept, Origin', ORIGIN],
    [200, PARCELS, 'Accept, Origin', APP],
    [404, '/none', 'Origin', ORIGIN],
  ])('lets pages of a named origin read answers and their header fields: %i', async (status, path, vary, origin) => {
    const answer = await service.call('GET', path, { headers: { Origin: origin } });
    expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': origin, vary } });
    expect(corsHeaders(answer.headers)).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
    expect(answer.headers['access-control-expose-headers']).toBe('Allow, ETag, Link, Location, Retry-After');
  });

  it.each([{ Origin: `${ORIGIN}.evil.com`, 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'null' }, {}])(
    'is not for other pages, which can read nothing new: %j',
    async (headers) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await expectStatus(200, service.call(method, PARCELS, { headers }));
        expect([corsHeaders(answer.headers), answer.headers.vary]).toEqual([[], 'Accept, Origin']);
      }
    },
  );

  it('answers a preflight request, but no other, with the methods of the path, and with none if the path is unknown', async () => {
    const headers = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PUT', 'Sec-Fetch-Site': 'cross-site' };
    const answer = await expectStatus(204, service.call('OPTIONS', `${PARCELS}/1`, { headers }));
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
      // Any header field, and with it the only one that * leaves out.
      'access-control-allow-headers': '*, Authorization',
      'access-control-max-age': '7200',
    });
    const unknown = await service.call('OPTIONS', '/none', { headers });
    expect(unknown).toMatchObject({ status: 404, headers: { 'access-control-allow-methods': '' } });
    const read = await service.call('GET', PARCELS, { headers });
    expect(corsHeaders(read.headers)).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
  });

  it('has * in every answer if all origins may call, because a cache may give the answer to another page', async () => {
    const { headers } = await open.call('OPTIONS', PARCELS, { headers: { Origin: ORIGIN } });
    expect(headers['access-control-allow-origin']).toBe('*');
    for (const name of ['vary', 'access-control-allow-methods']) expect(headers).not.toHaveProperty(name);
  });
});

it.each([
  [403, { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.example.com' }, service],
  [403, { 'Sec-Fetch-Site': 'cross-site', Origin: `${ORIGIN}.evil.example.net` }, service],
  [403, { 'Sec-Fetch-Site': 'same-origin, cross-site' }, service],
  [403, { 'Sec-Fetch-Site': '' }, service],
  [201, { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://api.example.com' }, closed],
  [201, { 'Sec-Fetch-Site': 'none' }, closed],
  [201, { Origin: 'https://no-browser.example.net' }, closed],
  [201, { 'Sec-Fetch-Site': 'cross-site', Origin: ORIGIN }, service],
  [201, { 'Sec-Fetch-Site': 'cross-site', Origin: APP }, service],
  [403, { 'Sec-Fetch-Site': 'cross-site', Origin: 'ionic://localhost' }, service],
  [201, { 'Sec-Fetch-Site': 'cross-site' }, open],
])(
  '%i is the answer to a write with %j, because browsers say which page sends it (rule 6)',
  async (status, headers, to) => {
    const { json } = await expectStatus(status, to.call('POST', PARCELS, { headers, body: { label: 'x' } }));
    if (status === 403) expect(json.detail).toMatch('A page of another origin');
  },
);
