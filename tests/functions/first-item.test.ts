import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FIRST_KEY } from '../../shared/store/key.js';
import type { Row } from '../../shared/store/row.js';
import { FAULTS, type Fault } from '../support/dynamodb/faults.js';
import { type FaultyServer, startFaultyServer } from '../support/dynamodb/faulty-server.js';
import { createRow, startTables, type TableEnvironment, type Tables } from '../support/dynamodb/tables.js';
import { expectStatus } from '../support/service/expect-status.js';
import { anItem, COLLECTION, FIRST as MEMBERS, NAME, SCHEMA } from '../support/service/resource.js';
import { type Service, startService } from '../support/service/service.js';

const PATH = `${COLLECTION}/${FIRST_KEY}`;
const FIRST = { key: FIRST_KEY, ...MEMBERS };

let tables: Tables;
let server: FaultyServer;

beforeAll(async () => {
  tables = await startTables();
  server = await startFaultyServer(tables.endpoint);
});

afterEach(() => server.misbehave());

afterAll(async () => {
  await server.stop();
  await tables.stop();
});

async function createTable(): Promise<TableEnvironment> {
  return { ...(await tables.create()), AWS_ENDPOINT_URL_DYNAMODB: server.endpoint };
}

/** What releases before this one put into a table when somebody looked for the first item and found no row. */
const OLD_ROW = { key: FIRST_KEY, version: 1, writeId: 'of an older release', item: FIRST } as unknown as Row<
  typeof SCHEMA
>;
const addOldRow = (environment: TableEnvironment) =>
  createRow({ ...environment, AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint }, { name: NAME, schema: SCHEMA }, OLD_ROW);

const list = async (service: Service, query = '') =>
  (await expectStatus(200, service.call('GET', `${COLLECTION}${query}`))).json;

describe('the first item of a new table', () => {
  it('is there at version 1 for all callers, and reading it writes nothing', async () => {
    const environment = await createTable();
    server.misbehave();
    for (const service of [startService(undefined, environment), startService(undefined, environment)]) {
      expect(await list(service)).toEqual([FIRST]);
      const { json, headers } = await expectStatus(200, service.call('GET', PATH));
      expect([json, headers.etag]).toEqual([FIRST, '"1"']);
      await expectStatus(304, service.call('GET', PATH, { headers: { 'If-None-Match': '"1"' } }));
      await expectStatus(412, service.call('DELETE', PATH, { headers: { 'If-Match': '"2"' } }));
    }
    expect(new Set(server.operations)).toEqual(new Set(['Query', 'GetItem']));
  });

  it.each<Fault>([...FAULTS.filter((fault) => !fault.startsWith('hang')), { late: 200 }, { again: 50 }])(
    'is in every list, whatever becomes of the first write: %j',
    async (fault) => {
      const environment = await createTable();
      const service = startService(undefined, environment);
      server.misbehaveIn('PutItem', fault);
      const writing = service.call('POST', COLLECTION, { body: anItem('a') });
      expect((await list(startService(undefined, environment)))[0]).toEqual(FIRST);
      await writing;
      expect((await list(service))[0]).toEqual(FIRST);
    },
  );

  it.each<Fault>(['deny', 'throttle', 'fail', 'hang'])(
    'is there though the table can not be written: %s',
    async (fault) => {
      const service = startService(undefined, await createTable());
      server.misbehaveForever(fault, 'PutItem');
      expect(await list(service)).toEqual([FIRST]);
      await expectStatus(200, service.call('GET', PATH));
    },
  );

  it('is in its place on every page', async () => {
    const service = startService(undefined, await createTable());
    expect(await list(service, '?limit=1')).toEqual([FIRST]);
    const { key } = (await expectStatus(201, service.call('POST', COLLECTION, { body: anItem('a') }))).json;
    const page = await expectStatus(200, service.call('GET', `${COLLECTION}?limit=1`));
    expect([page.json, page.headers.link]).toEqual([[FIRST], expect.stringContaining(`after=${FIRST_KEY}`)]);
    const keys = async (query: string) => (await list(service, query)).map((item: { key: string }) => item.key);
    expect(await keys(`?after=${FIRST_KEY}`)).toEqual([key]);
    expect(await keys(`?after=${FIRST_KEY.toUpperCase()}&limit=1`)).toEqual([key]);
    expect(await keys('?after=00000000-0000-0000-0000-000000000000&limit=1')).toEqual([FIRST_KEY]);
    expect(await keys(`?after=${FIRST_KEY.replace(/0$/, '1')}`)).toEqual([key]);
    expect(await keys('?limit=2')).toEqual([FIRST_KEY, key]);
    await expectStatus(204, service.call('DELETE', PATH));
    expect(await keys('?limit=1')).toEqual([key]);
    expect(await keys('')).toEqual([key]);
  });
});

describe.each([
  ['in a new table', false],
  ['in a table with its row from before', true],
])('the first item %s', (_where, isOld) => {
  async function start(): Promise<[Service, Service]> {
    const environment = await createTable();
    if (isOld) await addOldRow(environment);
    return [startService(undefined, environment), startService(undefined, environment)];
  }

  it('is changed like any other', async () => {
    const [one, other] = await start();
    const patched = await expectStatus(
      204,
      one.call('PATCH', PATH, { headers: { 'If-Match': '"1"' }, body: anItem('b') }),
    );
    expect(patched.headers.etag).toBe('"2"');
    expect(await list(other)).toEqual([{ ...FIRST, ...anItem('b') }]);
    await expectStatus(412, other.call('PUT', PATH, { headers: { 'If-Match': '"1"' }, body: FIRST }));
    await expectStatus(204, other.call('PUT', PATH, { headers: { 'If-Match': '"2"' }, body: FIRST }));
    expect((await one.call('GET', PATH)).headers.etag).toBe('"3"');
  });

  it('is changed by only one of two callers who change its first version', async () => {
    const [one, other] = await start();
    const change = (service: Service) =>
      service.call('PATCH', PATH, { headers: { 'If-Match': '"1"' }, body: anItem('b') });
    const answers = await Promise.all([one, other, one, other].map(change));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412]);
  });

  it('is never there again once it was deleted', async () => {
    const [one, other] = await start();
    await expectStatus(204, one.call('DELETE', PATH, { headers: { 'If-Match': '"1"' } }));
    for (const service of [one, other]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        await expectStatus(404, service.call(method, PATH, method === 'GET' ? {} : { body: FIRST }));
      }
      for (const query of ['', '?limit=1']) expect(await list(service, query)).toEqual([]);
    }
  });

  it('may get its row from an instance of an older release at any time', async () => {
    const environment = await createTable();
    const service = startService(undefined, environment);
    expect(await list(service)).toEqual([FIRST]);
    server.misbehaveIn('PutItem', { late: 200 });
    const patching = service.call('PATCH', PATH, { body: anItem('b') });
    await addOldRow(environment);
    expect((await expectStatus(204, patching)).headers.etag).toBe('"2"');
    expect(await list(service)).toEqual([{ ...FIRST, ...anItem('b') }]);
  });
});
