import { afterAll, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../shared/store/store.js';
import { environmentOf, startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { expectStatus } from '../../support/service/answer.js';
import { startDeployed } from '../../support/service/deployed.js';
import type { Service } from '../../support/service/service.js';

const LUNCH = { amount: 12.5, currency: 'EUR', paidOn: '2026-11-20' };
const NOBODY = '00000000-0000-4000-8000-000000000000';

const tables = startTables();

afterAll(async () => (await tables).stop());

async function create(service: Service, members: object = LUNCH) {
  return (await expectStatus(201, service.call('POST', '/api/expense', { body: members }))).json;
}

describe.each(gateways)('behind $name', (gateway) => {
  it('an expense is created, read, listed, replaced, changed and deleted', async () => {
    const service = startDeployed(gateway);
    expect((await service.call('GET', '/api/expense')).json).toEqual([]);
    const created = await create(service);
    const { key } = created;
    expect(created).toEqual({ key, ...LUNCH, category: null, tags: [], isReimbursed: false });
    expect((await service.call('GET', '/api/expense')).json).toEqual([created]);
    const path = `/api/expense/${key}`;
    const read = async () => (await expectStatus(200, service.call('GET', path))).json;
    expect(await read()).toEqual(created);
    const whole = { ...created, amount: 0.01, category: 'Travel', tags: ['train', 'Bonn'], isReimbursed: true };
    await expectStatus(204, service.call('PUT', path, { body: whole }));
    expect(await read()).toEqual(whole);
    await expectStatus(
      204,
      service.call('PATCH', path, { body: { category: null, tags: ['bus'], isReimbursed: null } }),
    );
    expect(await read()).toEqual({ ...whole, category: null, tags: ['bus'], isReimbursed: false });
    await expectStatus(204, service.call('DELETE', path));
    await expectStatus(404, service.call('GET', path));
  });
});

it('expenses are kept in a table, too', async () => {
  const environment = environmentOf(await (await tables).create());
  const created = await create(startDeployed(undefined, environment));
  expect((await startDeployed(undefined, environment).call('GET', '/api/expense')).json).toEqual([created]);
});

describe('the members of an expense', () => {
  const service = startDeployed();

  it.each([
    [{ amount: 0 }, '#/amount', 'Must be a number above 0 and at most 1000000; got 0.'],
    [{ amount: -1 }, '#/amount', 'got -1'],
    [{ amount: '12' }, '#/amount', 'got "12"'],
    [{ amount: undefined }, '#/amount', 'is missing'],
    [{ currency: 'eur' }, '#/currency', 'EUR'],
    [{ currency: undefined }, '#/currency', 'is missing'],
    [{ category: '' }, '#/category', 'got ""'],
    [{ paidOn: '2026-02-30' }, '#/paidOn', 'got "2026-02-30"'],
    [{ tags: [''] }, '#/tags/0', 'got ""'],
    [{ tags: 'train' }, '#/tags', 'got "train"'],
    [{ isReimbursed: 'no' }, '#/isReimbursed', 'Must be true or false; got "no".'],
  ])('with %j are not valid, and the error names the member', async (wrong, pointer, detail) => {
    const { status, json } = await service.call('POST', '/api/expense', { body: { ...LUNCH, ...wrong } });
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
  });
});

describe('a request that can not be answered as it was meant', () => {
  const service = startDeployed();
  const evil = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.net' };

  it('returns the status that the document has for it', async () => {
    const { key } = await create(service);
    const path = `/api/expense/${key}`;
    await expectStatus(304, service.call('GET', path, { headers: { 'If-None-Match': '"1"' } }));
    await expectStatus(400, service.call('GET', '/api/expense?limit=0'));
    for (const [method, body] of [['GET'], ['PUT', { key, ...LUNCH }], ['PATCH', {}], ['DELETE']] as const) {
      await expectStatus(412, service.call(method, path, { headers: { 'If-Match': '"7"' }, body }));
      await expectStatus(400, service.call(method, path, { headers: { 'If-Match': '7' }, body }));
      const id = method === 'PUT' ? { ...body, key: NOBODY } : body;
      await expectStatus(404, service.call(method, `/api/expense/${NOBODY}`, { body: id }));
    }
    const bodies = { POST: '/api/expense', PUT: path, PATCH: path };
    for (const [method, at] of Object.entries({ ...bodies, DELETE: path }))
      await expectStatus(403, service.call(method, at, { headers: evil, body: {} }));
    for (const [method, at] of Object.entries(bodies)) {
      await expectStatus(413, service.call(method, at, { body: 'x'.repeat(2 ** 20 + 1) }));
      await expectStatus(415, service.call(method, at, { headers: { 'Content-Type': 'text/html' }, body: '<p>' }));
    }
  });

  it('creates no second expense if its Idempotency-Key was used before', async () => {
    const post = (amount: number) =>
      service.call('POST', '/api/expense', { headers: { 'Idempotency-Key': 'a' }, body: { ...LUNCH, amount } });
    expect((await post(1)).text).toBe((await post(1)).text);
    await expectStatus(422, post(2));
  });

  it.each([
    [507, async () => 'full' as const],
    [500, () => Promise.reject(new Error('the store burns'))],
    [503, () => Promise.reject(Object.assign(new Error('busy'), { retryAfter: 2, applied: false }))],
  ])('returns %i if that is what the store comes to', async (status, outcome) => {
    const failing = outcome as () => Promise<never>;
    const items: Collection = { list: failing, find: failing, create: failing, update: failing, remove: failing };
    const burning = startDeployed(undefined, {}, () => ({ for: () => items }));
    await expectStatus(status, burning.call('POST', '/api/expense', { body: LUNCH }));
    await expectStatus(status, burning.call('PUT', '/api/expense/1', { body: { key: '1', ...LUNCH } }));
    await expectStatus(status, burning.call('PATCH', '/api/expense/1', { body: {} }));
    if (status === 507) return;
    await expectStatus(status, burning.call('GET', '/api/expense'));
    await expectStatus(status, burning.call('GET', '/api/expense/1'));
    await expectStatus(status, burning.call('DELETE', '/api/expense/1'));
  });
});
