import { describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../shared/store/store.js';
import { gateways } from '../../support/gateways/gateways.js';
import { expectStatus } from '../../support/service/answer.js';
import { startDeployed } from '../../support/service/deployed.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe.each(gateways)('behind $name', (gateway) => {
  it('a lamp is created, read, listed and deleted, and has one boolean', async () => {
    const service = startDeployed(gateway);
    const { json: created } = await expectStatus(201, service.call('POST', '/api/lamp', { body: { isOn: true } }));
    expect(created).toEqual({ key: created.key, isOn: true });
    expect((await service.call('GET', '/api/lamp')).json).toEqual([expect.objectContaining({ isOn: false }), created]);
    const path = `/api/lamp/${created.key}`;
    expect((await expectStatus(200, service.call('GET', path))).json).toEqual(created);
    await expectStatus(204, service.call('DELETE', path));
    await expectStatus(404, service.call('GET', path));
    expect((await expectStatus(404, service.call('PUT', path, { body: created }))).headers.allow).toContain('DELETE');
  });
});

describe('a request that can not be answered as it was meant', () => {
  const service = startDeployed();
  const post = (body: unknown, headers = {}) => service.call('POST', '/api/lamp', { headers, body });

  it('returns the status that the document has for it', async () => {
    const { json: created } = await post({ isOn: true });
    const path = `/api/lamp/${created.key}`;
    await expectStatus(304, service.call('GET', path, { headers: { 'If-None-Match': '"1"' } }));
    await expectStatus(400, service.call('GET', '/api/lamp?limit=0'));
    const evil = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.net' };
    for (const method of ['GET', 'DELETE']) {
      await expectStatus(412, service.call(method, path, { headers: { 'If-Match': '"7"' } }));
      await expectStatus(400, service.call(method, path, { headers: { 'If-Match': '7' } }));
      await expectStatus(404, service.call(method, `/api/lamp/${NOBODY}`));
    }
    await expectStatus(403, service.call('DELETE', path, { headers: evil }));
    await expectStatus(403, post({ isOn: true }, evil));
    await expectStatus(413, post('x'.repeat(2 ** 20 + 1)));
    await expectStatus(415, post('<p>', { 'Content-Type': 'text/html' }));
    for (const isOn of ['true', 1, null, undefined])
      expect((await expectStatus(400, post({ isOn }))).json.errors[0].pointer).toBe('#/isOn');
    await expectStatus(201, post({ isOn: true }, { 'Idempotency-Key': 'a' }));
    await expectStatus(422, post({ isOn: false }, { 'Idempotency-Key': 'a' }));
  });

  it.each([
    [507, async () => 'full' as const],
    [500, () => Promise.reject(new Error('the store burns'))],
    [503, () => Promise.reject(Object.assign(new Error('busy'), { retryAfter: 2, applied: false }))],
  ])('returns %i if that is what the store comes to', async (status, outcome) => {
    const failing = outcome as () => Promise<never>;
    const items: Collection = { list: failing, find: failing, create: failing, update: failing, remove: failing };
    const burning = startDeployed(undefined, {}, () => ({ for: () => items }));
    await expectStatus(status, burning.call('POST', '/api/lamp', { body: { isOn: true } }));
    if (status === 507) return;
    await expectStatus(status, burning.call('GET', '/api/lamp'));
    await expectStatus(status, burning.call('GET', '/api/lamp/1'));
    await expectStatus(status, burning.call('DELETE', '/api/lamp/1'));
  });
});
