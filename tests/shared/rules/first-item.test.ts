import { describe, expect } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import type { Fault } from '../../support/dynamodb/faults.js';
import { createRow, type Table } from '../../support/dynamodb/tables.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS, parcels } from '../../support/service/parcels.js';
import type { Service } from '../../support/service/service.js';
import { useVirtualTables } from '../virtual/tables.js';

const { time, network, it, startTwo } = useVirtualTables();

const list = async (service: Service, query = '') =>
  (await expectStatus(200, service.call('GET', `${PARCELS}${query}`))).json;

const PATH = `${PARCELS}/${FIRST_KEY}`;
const FIRST = { key: FIRST_KEY, ...parcels.first };

/** The row of the first item as earlier releases wrote it when a caller read the item and there was none. */
const OLD_ROW = { key: FIRST_KEY, version: 1, writeId: 'of an older release', item: FIRST };
const addOldRow = (table: Table) => time.outside(createRow(table, OLD_ROW));

describe('the first item of a new table', () => {
  it('is there at version 1 for all callers, and reading it writes nothing', async () => {
    const { service, other } = await startTwo();
    for (const caller of [service, other]) {
      expect(await list(caller)).toEqual([FIRST]);
      expect(await caller.call('GET', PATH)).toMatchObject({ status: 200, json: FIRST, headers: { etag: '"1"' } });
      await expectStatus(412, caller.call('DELETE', PATH, { headers: { 'If-Match': '"2"' } }));
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

  it('is first in the list, page by page', async () => {
    const { service } = await startTwo();
    const { key } = (await expectStatus(201, service.call('POST', PARCELS, { body: { label: 'a' } }))).json;
    const page = await expectStatus(200, service.call('GET', `${PARCELS}?limit=1`));
    expect([page.json, page.headers.link]).toEqual([[FIRST], expect.stringContaining(`after=${FIRST_KEY}`)]);
    const keys = async (query: string) => (await list(service, query)).map((item: { key: string }) => item.key);
    expect(await keys(`?after=${FIRST_KEY}`)).toEqual([key]);
    expect(await keys(`?after=${FIRST_KEY.toUpperCase()}&limit=1`)).toEqual([key]);
    expect(await keys('?after=00000000-0000-0000-0000-000000000000&limit=1')).toEqual([FIRST_KEY]);
    expect(await keys(`?after=${FIRST_KEY.replace(/0$/, '1')}`)).toEqual([key]);
    expect(await keys('?limit=2')).toEqual([FIRST_KEY, key]);
    await expectStatus(204, service.call('DELETE', PATH));
    expect(await keys('?limit=1')).toEqual([key]);
  });

  it('may get its row from an instance of an older release at any time', async () => {
    const { table, service } = await startTwo();
    expect(await list(service)).toEqual([FIRST]);
    network().misbehaveIn('PutItem', { late: 200 });
    const patching = service.call('PATCH', PATH, { body: { label: 'b' } });
    await addOldRow(table);
    expect((await expectStatus(204, patching)).headers.etag).toBe('"2"');
    expect(await list(service)).toEqual([{ ...FIRST, label: 'b' }]);
  });
});

describe.each([
  ['in a new table', false],
  ['in a table with its row from before', true],
])('the first item %s', (_where, isOld) => {
  async function start() {
    const { table, service, other } = await startTwo();
    if (isOld) await addOldRow(table);
    return [service, other] as const;
  }

  it('is changed like any other, and by only one of several callers who change the same version', async () => {
    const [one, other] = await start();
    const change = (service: Service) =>
      service.call('PATCH', PATH, { headers: { 'If-Match': '"1"' }, body: { label: 'b' } });
    const answers = await Promise.all([one, other, one, other].map(change));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412]);
    expect(await list(other)).toEqual([{ ...FIRST, label: 'b' }]);
    await expectStatus(204, other.call('PUT', PATH, { headers: { 'If-Match': '"2"' }, body: FIRST }));
    expect((await one.call('GET', PATH)).headers.etag).toBe('"3"');
  });

  it('never comes back after it was deleted', async () => {
    const [one, other] = await start();
    await expectStatus(204, one.call('DELETE', PATH, { headers: { 'If-Match': '"1"' } }));
    for (const service of [one, other]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
        await expectStatus(404, service.call(method, PATH, { body: FIRST }));
      for (const query of ['', '?limit=1']) expect(await list(service, query)).toEqual([]);
    }
  });
});
