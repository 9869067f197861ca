import { describe, expect, it } from '@jest/globals';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

const ORIGIN = 'https://app.example.com';
const service = startService(undefined, { corsOrigins: ['https://other.example.com', ORIGIN] });
const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('CORS', () => {
  it('is off unless origins are named', async () => {
    const { headers } = await startService().call('GET', PARCELS, { headers: { Origin: ORIGIN } });
    expect(corsHeaders(headers)).toEqual([]);
    expect(headers.vary).toBe('Accept');
  });

  it.each([
    [200, PARCELS, 'Accept, Origin'],
    [404, '/none', 'Origin'],
  ])('lets pages of a named origin read answers and their header fields: %i', async (status, path, vary) => {
    const answer = await service.call('GET', path, { headers: { Origin: ORIGIN } });
    expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': ORIGIN, vary } });
    expect(answer.headers['access-control-expose-headers']).toBe('Allow, ETag, Link, Location, Retry-After');
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each([{ Origin: 'https://evil.example.com' }, { Origin: `${ORIGIN}.evil.com` }, { Origin: 'null' }, {}])(
    'does not let other pages read answers: %j',
    async (headers) => {
      const answer = await service.call('GET', PARCELS, { headers });
      expect(answer.status).toBe(200);
      expect(corsHeaders(answer.headers)).toEqual([]);
      expect(answer.headers.vary).toBe('Accept, Origin');
    },
  );

  it('answers a preflight request, but no other, with the methods of the path, and with none if the path is unknown', async () => {
    const headers = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PUT', 'Sec-Fetch-Site': 'cross-site' };
    const answer = await expectStatus(204, service.call('OPTIONS', `${PARCELS}/1`, { headers }));
    // The last three are those of a signature, for an authorizer of the type aws_iam.
    const allowed =
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Amz-Content-Sha256, X-Amz-Date, X-Amz-Security-Token';
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
      'access-control-allow-headers': allowed,
      'access-control-max-age': '7200',
    });
    const unknown = await service.call('OPTIONS', '/none', { headers });
    expect(unknown).toMatchObject({ status: 404, headers: { 'access-control-allow-methods': '' } });
    const read = await service.call('GET', PARCELS, { headers });
    expect(read.headers).toHaveProperty('access-control-expose-headers');
    expect(read.headers).not.toHaveProperty('access-control-allow-methods');
  });

  it('has * in every answer if all origins may call, because a cache may give the answer to another page', async () => {
    const open = startService(undefined, { corsOrigins: ['*'] });
    const { headers } = await open.call('OPTIONS', PARCELS, { headers: { Origin: ORIGIN } });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers).not.toHaveProperty('vary');
    expect(headers).not.toHaveProperty('access-control-allow-methods');
  });
});
