import { expect, it } from '@jest/globals';
import type { Collection } from '../../../shared/store/store.js';
import { expectStatus } from '../../support/service/answer.js';
import { startDeployed } from '../../support/service/deployed.js';
import { OPERATIONS } from '../../support/service/documented.js';

const LIST = '/api/expense';
const LUNCH = { amount: 12.5, currency: 'EUR', paidOn: '2026-11-20' };

it('an expense is created, read, listed, replaced, changed and deleted', async () => {
  const { call } = startDeployed();
  expect((await call('GET', LIST)).json).toEqual([]);
  const { json: created } = await expectStatus(201, call('POST', LIST, { body: LUNCH }));
  const { key } = created;
  expect(created).toEqual({ key, ...LUNCH, category: null, tags: [], isReimbursed: false });
  const path = `${LIST}/${key}`;
  expect((await call('GET', path)).json).toEqual(created);
  const whole = { ...created, amount: 0.01, category: 'Travel', tags: ['train', 'Bonn'], isReimbursed: true };
  await expectStatus(204, call('PUT', path, { body: whole }));
  expect((await call('GET', LIST)).json).toEqual([whole]);
  await expectStatus(204, call('PATCH', path, { body: { category: null, tags: ['bus'], isReimbursed: null } }));
  expect((await call('GET', path)).json).toEqual({ ...whole, category: null, tags: ['bus'], isReimbursed: false });
  await expectStatus(204, call('DELETE', path));
  expect((await call('GET', LIST)).json).toEqual([]);
});

it.each([
  [{ amount: 0 }, '#/amount', 'Must be a number above 0 and at most 1000000; got 0.'],
  [{ currency: undefined }, '#/currency', 'Must be one of "EUR", "GBP", "USD", but is missing.'],
  [{ tags: [''] }, '#/tags/0', 'got ""'],
])('an expense with %j is not valid, and the error names the member', async (wrong, pointer, detail) => {
  const answer = await expectStatus(400, startDeployed().call('POST', LIST, { body: { ...LUNCH, ...wrong } }));
  expect(answer.json.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
});

it('a request that can not be answered as it was meant returns the status that the document has for it', async () => {
  const { call } = startDeployed();
  const post = (body: object) => call('POST', LIST, { headers: { 'Idempotency-Key': 'a' }, body });
  const { key } = (await expectStatus(201, post(LUNCH))).json;
  await expectStatus(422, post({ ...LUNCH, amount: 1 }));
  await expectStatus(400, call('GET', `${LIST}?limit=0`));
  await expectStatus(304, call('GET', `${LIST}/${key}`, { headers: { 'If-None-Match': '"1"' } }));
  for (const [method, template] of OPERATIONS) {
    const path = template.replace('{id}', key);
    const expectAnswer = (status: number, headers: Record<string, string>, body: unknown = { ...LUNCH, key }) =>
      expectStatus(status, call(method, path, { headers, ...(/^P/.test(method) && { body }) }));
    if (method !== 'GET') await expectAnswer(403, { 'Sec-Fetch-Site': 'cross-site' });
    if (/^P/.test(method)) {
      await expectAnswer(413, {}, 'x'.repeat(2 ** 20 + 1));
      await expectAnswer(415, { 'Content-Type': 'text/html' });
    }
    if (path === LIST) continue;
    await expectAnswer(400, { 'If-Match': '7' });
    await expectAnswer(412, { 'If-Match': '"7"' });
    await expectStatus(404, call(method, `${LIST}/nobody`, { body: { ...LUNCH, key: 'nobody' } }));
  }
});

it.each([
  [507, async () => 'full' as const],
  [500, () => Promise.reject(new Error('the store burns'))],
  [503, () => Promise.reject(Object.assign(new Error('busy'), { retryAfter: 2, applied: false }))],
])('an operation returns %i if that is what the store comes to', async (status, outcome) => {
  const failing = outcome as () => Promise<never>;
  const items: Collection = { list: failing, find: failing, create: failing, update: failing, remove: failing };
  const { call } = startDeployed(undefined, {}, () => ({ for: () => items }));
  for (const [method, template] of OPERATIONS) {
    if (status === 507 && !/^P/.test(method)) continue;
    await expectStatus(status, call(method, template.replace('{id}', '1'), { body: { ...LUNCH, key: '1' } }));
  }
});
