import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { deleteExpired } from '../../support/dynamodb/tables.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import type { Fault } from '../virtual/network.js';
import { useVirtualTables } from '../virtual/tables.js';

/** No fault. A POST with a key puts two rows, first the use of its key and then the item, and each row can meet a fault. */
const NONE: Fault = {};
const LATE: Fault = { late: 2 * TIMEOUTS.attempt };
const MINUTE = 60_000;

const { time, network, it, startTwo } = useVirtualTables();

/** Makes a POST, and starts two instances to send it to. The first one reaches their table over the network that misbehaves. */
async function aPost() {
  const { table, service, other } = await startTwo();
  const headers = { 'Idempotency-Key': `"${randomUUID()}"` };
  const post = (to: typeof service, text = 'once') => to.call('POST', PARCELS, { headers, body: { label: text } });
  const posted = async () => (await expectStatus(200, other.call('GET', PARCELS))).json.slice(1);
  /** Once nothing is on its way any more, both instances answer with the only item that there is. */
  const expectOneItem = async () => {
    await network().settled();
    const { json } = await expectStatus(201, post(other));
    expect((await expectStatus(201, post(service))).json).toEqual(json);
    expect(await posted()).toEqual([json]);
    return json;
  };
  return { table, service, other, post, posted, expectOneItem };
}

describe('a POST with an Idempotency-Key that is sent again', () => {
  it('creates the item if the first POST did not, as after a crash between the two writes', async () => {
    const { service, other, post, posted, expectOneItem } = await aPost();
    network().misbehaveIn('PutItem', NONE, 'deny');
    expect((await expectStatus(503, post(service))).json.applied).toBe(false);
    await expectStatus(422, post(other, 'another'));
    expect(await posted()).toEqual([]);
    await expectOneItem();
  });

  it.each<[string, Fault[]]>([
    ['the reply about the use of its key was lost', ['hang after', 'deny']],
    ['the reply about its item was lost', [NONE, 'hang after', 'deny']],
    ['the attempt to put its item came late', [NONE, LATE, 'deny']],
  ])('creates one item if the first POST returned 503, because %s', async (_why, faults) => {
    const { service, other, post, expectOneItem } = await aPost();
    network().misbehaveIn('PutItem', ...faults);
    expect((await expectStatus(503, post(service))).json).not.toHaveProperty('applied');
    const { json } = await expectStatus(201, post(other));
    expect(await expectOneItem()).toEqual(json);
  });

  it('does not bring back a deleted item, even if its first request arrives after the deletion', async () => {
    const { service, other, post, posted } = await aPost();
    network().misbehaveIn('PutItem', NONE, { late: 5 * TIMEOUTS.attempt }, 'deny');
    await expectStatus(503, post(service));
    const { json } = await expectStatus(201, post(other));
    await expectStatus(204, other.call('DELETE', `${PARCELS}/${json.key}`));
    await network().settled();
    expect(await posted()).toEqual([]);
  });

  it('does not bring back a deleted item until its key expires, and creates another one after that', async () => {
    const { table, service, post, posted } = await aPost();
    const { json } = await expectStatus(201, post(service));
    await expectStatus(204, service.call('DELETE', `${PARCELS}/${json.key}`));
    for (const minutes of [29, 30]) {
      await time.pause(minutes * MINUTE);
      await time.outside(deleteExpired(table, Date.now()));
      expect((await expectStatus(201, post(service))).json).toEqual(json);
      expect(await posted()).toEqual([]);
    }
    await time.pause(2 * MINUTE);
    const { json: another } = await expectStatus(201, post(service, 'another'));
    expect(await posted()).toEqual([another]);
  });
});

describe('a POST with an Idempotency-Key that returns 413', () => {
  const LARGE = 'x'.repeat(450_000);

  it('leaves its key free, for the same item again and for a smaller one', async () => {
    const { service, other, post, expectOneItem } = await aPost();
    for (const to of [service, other, service]) await expectStatus(413, post(to, LARGE));
    await expectOneItem();
    await expectStatus(422, post(other, LARGE));
  });

  it.each<[string, 'before' | 'meanwhile', Fault[]]>([
    ['to use its key comes late', 'before', [LATE]],
    ['to free its key comes late', 'before', [NONE, NONE, LATE]],
    ['to use a key that was freed before comes late', 'before', [NONE, LATE]],
    ['to use its key comes late', 'meanwhile', [LATE]],
    ['to free it comes late, and so does the reply about the first use', 'meanwhile', ['hang after', NONE, LATE]],
  ])('leaves its key free even if an attempt %s, and another one came %s', async (_what, other, faults) => {
    const { service, other: instance, post, expectOneItem } = await aPost();
    if (other === 'before') await expectStatus(413, post(instance, LARGE));
    network().misbehaveIn('PutItem', ...faults);
    const late = post(service, LARGE);
    await network().delivered('PutItem');
    if (other === 'meanwhile') await expectStatus(413, post(instance, LARGE));
    await expectStatus(413, late);
    await expectOneItem();
  });

  it('does not free its key once that was used for another item', async () => {
    const { service, other, post, expectOneItem } = await aPost();
    network().misbehaveIn('PutItem', NONE, NONE, LATE);
    const late = post(service, LARGE);
    await time.pause(TIMEOUTS.attempt / 2);
    await expectStatus(413, post(other, LARGE));
    const { json } = await expectStatus(201, post(other));
    await expectStatus(413, late);
    expect(await expectOneItem()).toEqual(json);
    await expectStatus(422, post(other, 'another'));
  });
});
