import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { TIMEOUTS } from '../../shared/dynamodb/retry.js';
import type { Fault } from '../support/dynamodb/faults.js';
import { deleteExpired } from '../support/dynamodb/tables.js';
import { useVirtualTables } from '../support/dynamodb/virtual-tables.js';
import { expectStatus } from '../support/service/answer.js';
import { anItem, COLLECTION } from '../support/service/resource.js';

/** What a request meets that nothing happens to. A POST with a key puts two rows: the use of its key, and the item. */
const NONE: Fault = {};
const LATE: Fault = { late: 2 * TIMEOUTS.attempt };
const MINUTE = 60_000;

const { time, network, it, startTwo: startVirtual } = useVirtualTables();

/** A POST with a key of its own, to two instances on one table. The first one reaches it over the network that misbehaves. */
async function aPost() {
  const { environment, service, other } = await startVirtual();
  const headers = { 'Idempotency-Key': `"${randomUUID()}"` };
  const post = (to: typeof service, text = 'once') => to.call('POST', COLLECTION, { headers, body: anItem(text) });
  const posted = async () => (await expectStatus(200, other.call('GET', COLLECTION))).json.slice(1);
  return { environment, service, other, post, posted };
}

describe('a POST with an Idempotency-Key that is sent again', () => {
  it('creates the item where the first one could not, as after a crash in between', async () => {
    const { service, other, post, posted } = await aPost();
    network().misbehaveIn('PutItem', NONE, 'deny');
    expect((await expectStatus(503, post(service))).json.applied).toBe(false);
    expect(await posted()).toEqual([]);
    const { json } = await expectStatus(201, post(other));
    expect(await posted()).toEqual([json]);
    expect((await expectStatus(201, post(service))).json).toEqual(json);
  });

  it.each<[string, Fault[]]>([
    ['of the use of its key', ['hang after', 'deny']],
    ['of its item', [NONE, 'hang after', 'deny']],
    ['of its item, and that came late', [NONE, LATE, 'deny']],
  ])('creates one item where it was answered 503 because the reply was lost %s', async (_which, faults) => {
    const { service, other, post, posted } = await aPost();
    network().misbehaveIn('PutItem', ...faults);
    expect((await expectStatus(503, post(service))).json).not.toHaveProperty('applied');
    const { json } = await expectStatus(201, post(other));
    await network().settled();
    expect((await expectStatus(201, post(service))).json).toEqual(json);
    expect(await posted()).toEqual([json]);
  });

  it.each<Fault>(['hang after', 'throttle', LATE, { again: 1_000 }])(
    'creates one item, whatever becomes of its first requests: %j',
    async (fault) => {
      const { service, other, post, posted } = await aPost();
      network().misbehaveIn('PutItem', fault, fault, fault);
      const { json } = await expectStatus(201, post(service));
      await network().settled();
      expect((await expectStatus(201, post(other))).json).toEqual(json);
      expect(await posted()).toEqual([json]);
    },
  );

  it('creates one item where two instances get it at the same time, and one of them is cut off from its first replies', async () => {
    const { service, other, post, posted } = await aPost();
    network().misbehaveIn('PutItem', 'hang after', 'hang after');
    const answers = await Promise.all([post(service), post(other), post(service), post(other)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await posted()).toEqual([answers[0]?.json]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('does not bring back the item that was deleted, though its first request comes after that', async () => {
    const { service, other, post, posted } = await aPost();
    network().misbehaveIn('PutItem', NONE, { late: 5 * TIMEOUTS.attempt }, 'deny');
    await expectStatus(503, post(service));
    const { json } = await expectStatus(201, post(other));
    await expectStatus(204, other.call('DELETE', `${COLLECTION}/${json.key}`));
    await network().settled();
    expect(await posted()).toEqual([]);
  });

  it('does not bring back the item that was deleted, as long as its key lives, and creates another one after that', async () => {
    const { environment, service, post, posted } = await aPost();
    const { json } = await expectStatus(201, post(service));
    await expectStatus(204, service.call('DELETE', `${COLLECTION}/${json.key}`));
    for (const minutes of [29, 30]) {
      await time.pause(minutes * MINUTE);
      await time.outside(deleteExpired(environment, Date.now()));
      expect((await expectStatus(201, post(service))).json).toEqual(json);
      expect(await posted()).toEqual([]);
    }
    await time.pause(2 * MINUTE);
    const { json: another } = await expectStatus(201, post(service, 'another'));
    expect(await posted()).toEqual([another]);
  });

  it('is answered 422 with other members, also where the first one has created nothing yet', async () => {
    const { service, other, post, posted } = await aPost();
    network().misbehaveIn('PutItem', NONE, 'deny');
    await expectStatus(503, post(service));
    await expectStatus(422, post(other, 'another'));
    expect(await posted()).toEqual([]);
  });
});
