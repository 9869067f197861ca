import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { sendTo } from '../../../serverless/local/dynamodb.js';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { PROBLEMS } from '../../../shared/http/problems.js';
import type { LogLevel } from '../../../shared/log/log.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { deleteExpired, deleteRows, type Table } from '../../support/dynamodb/tables.js';
import { type Answer, expectStatus } from '../../support/service/answer.js';
import { captureLog } from '../../support/service/log.js';
import { PARCELS, parcels } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';
import { type Fault, LIES } from '../../support/simulation/network.js';
import { useVirtualTables } from '../../support/simulation/virtual-tables.js';

const { time, network, it, startTwo } = useVirtualTables();

type Call = Parameters<Service['call']>;

const post = async (service: Service, label = 'a') =>
  (await expectStatus(201, service.call('POST', PARCELS, { body: { label } }))).json;

const list = async (service: Service, query = '') =>
  (await expectStatus(200, service.call('GET', `${PARCELS}${query}`))).json;

const FIRST_PATH = `${PARCELS}/${FIRST_KEY}`;
const FIRST = { key: FIRST_KEY, ...parcels.first };

/** Starts two instances on one table, the first of which reaches it over the network that misbehaves, and creates an item. */
async function start() {
  const { table, service, other } = await startTwo();
  const item = await post(service);
  network().misbehave();
  return { table, service, other, item, path: `${PARCELS}/${item.key}`, key: item.key as string };
}

/** Starts an instance over that network, and collects the lines of its log. */
function startLogging(table: Table, logLevel: LogLevel) {
  const service = startService(undefined, { table: { ...table, endpoint: network().endpoint }, logLevel });
  return { service, lines: captureLog() };
}

describe('the table', () => {
  it('gets one call to read or create an item, and two to change one, and is read consistently', async () => {
    const { service, path, key } = await start();
    const asked = async (...call: Call) => {
      network().misbehave();
      const { status } = await service.call(...call);
      for (const [index, input] of network().inputs.entries()) {
        const operation = network().operations[index];
        // Only so is each acknowledged write seen.
        if (operation !== 'PutItem') expect(input).toHaveProperty('ConsistentRead', true);
      }
      return [status, ...network().operations];
    };
    const body = { key, label: 'b' };
    expect(await asked('GET', `${PARCELS}?limit=2`)).toEqual([200, 'Query']);
    expect(await asked('GET', path)).toEqual([200, 'GetItem']);
    expect(await asked('POST', PARCELS, { body })).toEqual([201, 'PutItem']);
    expect(await asked('PUT', path, { body })).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('PATCH', path, { body })).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('PATCH', path, { headers: { 'If-Match': '"1"' }, body })).toEqual([412, 'GetItem']);
    expect(await asked('DELETE', path)).toEqual([204, 'GetItem', 'PutItem']);
    expect(await asked('DELETE', path)).toEqual([404, 'GetItem']);
    expect(await asked('DELETE', `${PARCELS}/no-guid`)).toEqual([404]);
    const headers = { 'Idempotency-Key': 'k' };
    expect(await asked('POST', PARCELS, { headers, body })).toEqual([201, 'PutItem', 'PutItem']);
    expect(await asked('POST', PARCELS, { headers, body })).toEqual([201, 'PutItem', 'GetItem', 'PutItem']);
    expect(await asked('POST', PARCELS, { headers, body: { label: 'c' } })).toEqual([422, 'PutItem', 'GetItem']);
  });

  it('leaves the rows of deleted items out of what it sends', async () => {
    const { service, path, table } = await start();
    await expectStatus(204, service.call('DELETE', path));
    network().misbehave();
    const [first] = (await expectStatus(200, service.call('GET', PARCELS))).json;
    expect(first).toMatchObject({ label: 'first' });
    const again = sendTo(table)('Query', network().inputs[0]).then(({ text }) => JSON.parse(text));
    expect(await time.outside(again)).toMatchObject({ Count: 0, ScannedCount: 1 });
  });

  it('may delete the tombstone of an item after two hours, but keeps that of the first one', async () => {
    const { service, path } = await start();
    for (const deleted of [path, FIRST_PATH]) await expectStatus(204, service.call('DELETE', deleted));
    const [, { Item: tombstone }, , { Item: kept }] = network().inputs;
    const left = Number(tombstone.expires.N) - Date.now() / 1_000;
    expect([left > 7_100, left <= 7_200]).toEqual([true, true]);
    expect(kept).not.toHaveProperty('expires');
    for (const row of [tombstone, kept]) expect(row).not.toHaveProperty('item');
  });
});

describe('a fault of the table (rules 20 and 22)', () => {
  it.each<[Fault, RegExp]>([
    ['deny', /AccessDeniedException/],
    ['miss the table', /ResourceNotFoundException/],
    ['expire', /RequestExpired/],
    // In throttling, the last attempt may have no time left for its reply.
    ['throttle', /ProvisionedThroughputExceededException|no reply within/],
    ['hang', /no reply within/],
  ])('that lasts returns 503 in time by every operation, is logged and changes nothing: %s', async (fault, error) => {
    const { table, other, item, path, key } = await start();
    const { service, lines } = startLogging(table, 'error');
    network().misbehaveBy(() => fault);
    const ofItem = ['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, path] as const);
    for (const [method, to] of [['GET', PARCELS], ['POST', PARCELS], ...ofItem] as const) {
      const began = time.now;
      const answer = await expectStatus(503, service.call(method, to, { body: { key, label: 'b' } }));
      expect(time.now - began).toBeLessThan(TIMEOUTS.total + 1);
      expect(answer.headers['retry-after']).toBe('2');
      // Nobody knows what became of the item that was sent; nothing else had been sent yet.
      const kind = fault === 'hang' && method === 'POST' ? 'maybe-applied' : 'unavailable';
      expect(answer.json).toMatchObject({ detail: PROBLEMS[kind].detail });
      expect(answer.json.applied).toBe(kind === 'unavailable' ? false : undefined);
      expect(answer.text).not.toMatch(/Dynamo|Exception|aws|table/i);
      expect(lines.pop()).toMatchObject({
        level: 'ERROR',
        message: 'the collection is unavailable',
        requestId: answer.json.requestId,
        error: { cause: { message: expect.stringMatching(error), stack: expect.any(String) } },
      });
    }
    // Another attempt would not help against these.
    if (fault === 'deny' || fault === 'miss the table') expect(network().operations).toHaveLength(6);
    if (fault === 'expire') expect(network().operations).toHaveLength(18);
    expect(await list(other)).toEqual([FIRST, item]);
  });

  it.each<Fault>([
    'throttle',
    'fail after',
    'hang',
    'hang after',
    'cut before',
    'cut after',
    'expire',
    'fail with success',
    'talk nonsense',
  ])('that passes is not noticed by callers, applies no write twice, and is logged each time: %s', async (fault) => {
    const { table, item: before } = await start();
    const { service, lines } = startLogging(table, 'warn');
    /** The first request for each operation of DynamoDB fails, and all later ones go through. */
    const call = (status: number, ...request: Call) => {
      const seen = new Set<string>();
      network().misbehaveBy((operation) => (seen.size < seen.add(operation).size ? fault : undefined));
      return expectStatus(status, service.call(...request));
    };
    const { json: item } = await call(201, 'POST', PARCELS, { body: { label: 'b' } });
    const path = `${PARCELS}/${item.key}`;
    expect((await call(200, 'GET', path)).json).toEqual(item);
    await call(204, 'PATCH', path, { headers: { 'If-Match': '"1"' }, body: { fragile: true } });
    await call(204, 'PUT', path, { headers: { 'If-Match': '"2"' }, body: { key: item.key, label: 'c' } });
    expect((await call(200, 'GET', path)).headers.etag).toBe('"3"');
    expect((await call(200, 'GET', PARCELS)).json).toEqual([FIRST, before, { ...item, label: 'c' }]);
    await call(204, 'DELETE', path, { headers: { 'If-Match': '"3"' } });
    await call(404, 'GET', path);
    expect(lines).toHaveLength(11);
    const line = { level: 'WARN', message: 'retrying a call to DynamoDB', requestId: expect.stringMatching(/./) };
    for (const logged of lines) expect(logged).toMatchObject({ ...line, operation: expect.any(String), error: {} });
  });
});

describe('a write whose reply says that it failed, although it was applied', () => {
  it.each<Fault>([...LIES, 'cut after', 'switch after'])(
    'is applied once, and no answer denies that: %s',
    async (fault) => {
      const { service, other, path, key } = await start();
      const change = { label: 'b' };
      for (const [method, body] of [['PATCH', change], ['PUT', { key, label: 'c' }], ['DELETE']] as const) {
        network().misbehaveIn('PutItem', fault);
        const { status, json } = await service.call(method, path, { body });
        expect([status, json?.applied]).toEqual([network().operations.length > 2 ? 204 : 503, undefined]);
        const left = await other.call('GET', path);
        expect(left).toMatchObject(method === 'DELETE' ? { status: 404 } : { json: body, headers: {} });
      }
      for (const [label, headers, faults] of [
        ['once', {}, [fault]],
        ['with a key', { 'Idempotency-Key': `"${randomUUID()}"` }, [NONE, fault]],
      ] as const) {
        network().misbehaveIn('PutItem', ...faults);
        const { status, json } = await service.call('POST', PARCELS, { headers, body: { label } });
        expect([status, json.applied]).toEqual([network().operations.length > faults.length ? 201 : 503, undefined]);
        const labels = (await list(other)).map((item: typeof FIRST) => item.label);
        expect(labels.filter((known: string) => known === label)).toEqual([label]);
      }
    },
  );
});

// Nothing on the way to DynamoDB is known to do that (rule 22).
describe('a request that something in between sends twice, and whose first reply is lost,', () => {
  const TWICE: Fault = { twice: 1_000 };

  /** Starts a write of one instance, and makes a call of the other between its two copies. */
  async function between(write: Promise<Answer>, call: () => Promise<unknown>): Promise<Answer> {
    await network().delivered('PutItem');
    await call();
    return write;
  }

  it('may undo what another caller has written since, as the second copy fails and the write is tried again', async () => {
    const { service, other, path } = await start();
    network().misbehaveIn('PutItem', TWICE);
    const patching = service.call('PATCH', path, { body: { label: 'b' } });
    const patched = await between(patching, () =>
      expectStatus(204, other.call('PATCH', path, { body: { label: 'c' } })),
    );
    expect(patched).toMatchObject({ status: 204, headers: { etag: '"4"' } });
    expect(await other.call('GET', path)).toMatchObject({ json: { label: 'b' }, headers: { etag: '"4"' } });
  });

  it('may return 412 although it was applied, if it had a precondition and another caller has written since', async () => {
    const { service, other, path } = await start();
    network().misbehaveIn('PutItem', TWICE);
    const patching = service.call('PATCH', path, { headers: { 'If-Match': '"1"' }, body: { label: 'b' } });
    const patched = await between(patching, async () => {
      expect(await other.call('GET', path)).toMatchObject({ json: { label: 'b' }, headers: { etag: '"2"' } });
      await expectStatus(204, other.call('PATCH', path, { body: { fragile: true } }));
    });
    expect(patched.status).toBe(412);
    expect(await other.call('GET', path)).toMatchObject({ json: { label: 'b', fragile: true } });
  });

  it('is applied once if nobody has written since', async () => {
    const { service, other, path } = await start();
    network().misbehaveIn('PutItem', TWICE, TWICE);
    const headers = { 'If-Match': '"1"' };
    await expectStatus(204, service.call('PATCH', path, { headers, body: { label: 'b' } }));
    expect(await other.call('GET', path)).toMatchObject({ json: { label: 'b' }, headers: { etag: '"2"' } });
    await expectStatus(204, service.call('DELETE', path, { headers: { 'If-Match': '"2"' } }));
    await expectStatus(404, other.call('GET', path));
  });

  it('creates one item by a POST, and does not bring it back if it was deleted since', async () => {
    const { service, other, item } = await start();
    network().misbehaveIn('PutItem', TWICE);
    const posting = service.call('POST', PARCELS, { body: { label: 'b' } });
    const posted = await between(posting, async () => {
      const [, , { key }] = await list(other);
      await expectStatus(204, other.call('DELETE', `${PARCELS}/${key}`));
    });
    expect(posted.status).toBe(201);
    expect(await list(other)).toEqual([FIRST, item]);
    const headers = { 'Idempotency-Key': `"${randomUUID()}"` };
    network().misbehaveIn('PutItem', TWICE, TWICE);
    const { json } = await expectStatus(201, service.call('POST', PARCELS, { headers, body: { label: 'c' } }));
    expect(await list(other)).toEqual([FIRST, item, json]);
  });
});

/** So late that the next attempt arrives first. */
const LATE: Fault = { late: 2 * TIMEOUTS.attempt };

describe('an attempt that comes after the next one (rule 22)', () => {
  it.each<Fault>([LATE, { again: TIMEOUTS.attempt }])(
    'does not bring back an item that another caller has deleted, if its POST arrives %j',
    async (fault) => {
      const { service, other, item } = await start();
      network().misbehaveIn('PutItem', fault);
      const { key } = await post(service, 'b');
      await expectStatus(204, other.call('DELETE', `${PARCELS}/${key}`));
      await network().settled();
      expect(await list(other)).toEqual([FIRST, item]);
    },
  );

  it('does not bring back an item whose row was deleted by hand', async () => {
    const { table, service, other, path, key } = await start();
    network().misbehaveIn('PutItem', LATE, 'deny');
    const patching = service.call('PATCH', path, { body: { label: 'b' } });
    await time.pause(TIMEOUTS.attempt / 2);
    await time.outside(deleteRows(table, (row) => row.key.S === key));
    await expectStatus(503, patching);
    await network().settled();
    await expectStatus(404, other.call('GET', path));
  });
});

describe('a write that got no reply before another caller changed the item', () => {
  /** Waits for a call, and makes another one in between, as soon as the first attempt to write was delivered. */
  async function meanwhile<Result>(call: Promise<Result>, other: () => Promise<unknown>): Promise<Result> {
    await network().delivered('PutItem');
    await other();
    return call;
  }

  it.each(['PATCH', 'DELETE'])('returns 201 if it created the item, even if that had a %s since', async (method) => {
    const { service, other } = await start();
    network().misbehaveIn('PutItem', 'hang after');
    const created = await meanwhile(service.call('POST', PARCELS, { body: { label: 'b' } }), async () => {
      const { key } = (await list(other)).at(-1);
      await expectStatus(204, other.call(method, `${PARCELS}/${key}`, { body: { label: 'c' } }));
    });
    expect(created).toMatchObject({ status: 201, json: { label: 'b' }, headers: { etag: '"1"' } });
    const left = await other.call('GET', `${PARCELS}/${created.json.key}`);
    expect(left).toMatchObject(method === 'DELETE' ? { status: 404 } : { json: { label: 'c' } });
  });

  it.each<[string, number, Fault, Record<string, string>, string, object]>([
    ['503 if it was applied, because nobody can tell', 503, 'hang after', {}, 'PATCH', { etag: '"3"' }],
    ['412 if its precondition fails by now', 412, 'hang', { 'If-Match': '"1"' }, 'PATCH', { etag: '"2"' }],
    ['204 if it was not applied, even if the other one sent the same', 204, 'hang', {}, 'PATCH', { etag: '"3"' }],
    ['404 if it was not applied and the item is gone', 404, 'hang', {}, 'DELETE', {}],
  ])('returns %s', async (_what, status, fault, headers, method, left) => {
    const { service, other, path } = await start();
    network().misbehaveIn('PutItem', fault);
    const body = { label: 'b' };
    const answer = await meanwhile(service.call('PATCH', path, { headers, body }), () =>
      expectStatus(204, other.call(method, path, { body })),
    );
    expect(answer.status).toBe(status);
    if (status === 503) expect(answer.json).not.toHaveProperty('applied');
    if (status === 204) expect(answer.headers).toMatchObject(left);
    expect((await other.call('GET', path)).headers).toMatchObject(left);
  });
});

it('an item is deleted by only one of several callers who do so at once, and is not found by the others', async () => {
  const { service, other, path } = await start();
  const answers = await Promise.all([service, other, service, other].map((caller) => caller.call('DELETE', path)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
});

describe('the first item of a new table', () => {
  it('is there at version 1 for all callers, and reading it writes nothing', async () => {
    const { service, other } = await startTwo();
    for (const caller of [service, other]) {
      expect(await list(caller)).toEqual([FIRST]);
      expect(await caller.call('GET', FIRST_PATH)).toMatchObject({ json: FIRST, headers: { etag: '"1"' } });
      await expectStatus(412, caller.call('DELETE', FIRST_PATH, { headers: { 'If-Match': '"2"' } }));
    }
    expect(network().operations).toEqual(['Query', 'GetItem', 'GetItem']);
  });

  it.each<Fault>(['deny', 'hang after', { late: TIMEOUTS.attempt / 2 }, { again: 100 }])(
    'is in every list, whatever the outcome of the first write: %j',
    async (fault) => {
      const { service, other } = await startTwo();
      network().misbehaveIn('PutItem', fault, fault);
      const writing = service.call('POST', PARCELS, { body: { label: 'a' } });
      expect((await list(other))[0]).toEqual(FIRST);
      await writing;
      expect((await list(service))[0]).toEqual(FIRST);
    },
  );

  it('never comes back if it was deleted before it had a row', async () => {
    const { service, item } = await start();
    await expectStatus(204, service.call('DELETE', FIRST_PATH));
    for (const query of ['', '?limit=1', `?after=${FIRST_KEY}`]) expect(await list(service, query)).toEqual([item]);
    await expectStatus(404, service.call('GET', FIRST_PATH));
  });

  it('is changed by only one of several callers, and never comes back once it was deleted', async () => {
    const { service, other } = await startTwo();
    const change = (caller: Service) =>
      caller.call('PATCH', FIRST_PATH, { headers: { 'If-Match': '"1"' }, body: { label: 'b' } });
    const answers = await Promise.all([service, other, service, other].map(change));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412]);
    expect(await list(other)).toEqual([{ ...FIRST, label: 'b' }]);
    await expectStatus(204, other.call('PUT', FIRST_PATH, { headers: { 'If-Match': '"2"' }, body: FIRST }));
    await expectStatus(204, service.call('DELETE', FIRST_PATH, { headers: { 'If-Match': '"3"' } }));
    for (const caller of [service, other]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
        await expectStatus(404, caller.call(method, FIRST_PATH, { body: FIRST }));
      for (const query of ['', '?limit=1']) expect(await list(caller, query)).toEqual([]);
    }
  });
});

/** No fault. A POST with a key puts two rows, first the use of its key and then the item, and each row can meet a fault. */
const NONE: Fault = {};

/** Makes a POST with an Idempotency-Key, and starts two instances to send it to. */
async function aPost() {
  const { table, service, other } = await startTwo();
  const headers = { 'Idempotency-Key': `"${randomUUID()}"` };
  const post = (to: Service, label = 'once') => to.call('POST', PARCELS, { headers, body: { label } });
  const posted = async () => (await list(other)).slice(1);
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

describe('a POST with an Idempotency-Key that is sent again (rules 21 and 29)', () => {
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

  it('does not bring back a deleted item until its key expires, and creates another one after that', async () => {
    const { table, service, post, posted } = await aPost();
    const { json } = await expectStatus(201, post(service));
    await expectStatus(204, service.call('DELETE', `${PARCELS}/${json.key}`));
    for (const minutes of [29, 30]) {
      await time.pause(minutes * 60_000);
      await time.outside(deleteExpired(table, Date.now()));
      expect((await expectStatus(201, post(service))).json).toEqual(json);
      expect(await posted()).toEqual([]);
    }
    await time.pause(120_000);
    const { json: another } = await expectStatus(201, post(service, 'another'));
    expect(await posted()).toEqual([another]);
  });
});

describe('an item that could never fit', () => {
  it('is rejected before anything is written, and leaves its Idempotency-Key free', async () => {
    const { service, other, post, expectOneItem } = await aPost();
    const large = 'x'.repeat(400_000);
    network().misbehave();
    await expectStatus(413, post(service, large));
    expect(network().operations).toEqual([]);
    await expectStatus(413, service.call('PATCH', FIRST_PATH, { body: { label: large } }));
    expect(network().operations).toEqual(['GetItem']);
    await expectOneItem();
    // It is 413, not 422, although the key was used: no first use was ever asked for.
    await expectStatus(413, post(other, large));
  });
});
