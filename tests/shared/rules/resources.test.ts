import { afterAll, describe, expect, it } from '@jest/globals';
import type { AnyRoute } from '../../../shared/routing/route.js';
import { createParser } from '../../../shared/schema/parse.js';
import type { ObjectSchema, WritableOf } from '../../../shared/schema/schema.js';
import type { Version } from '../../../shared/store/version.js';
import { collectionIn, startTables } from '../../support/dynamodb/tables.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS, parcel } from '../../support/service/parcels.js';
import { parcelRoutes, startService } from '../../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

it.each([
  ['memory', async () => undefined],
  ['one table', async () => (await tables).create()],
])('two resources in %s have items of their own, and begin empty without a first item', async (_name, table) => {
  const DEPOTS = '/api/depot';
  const depots = { name: 'depot', schema: parcel };
  const depotRoutes = parcelRoutes.map(
    (route): AnyRoute => ({ ...route, template: route.template.replace(PARCELS, DEPOTS), resource: depots }),
  );
  const service = startService(undefined, { routes: [...parcelRoutes, ...depotRoutes], table: await table() });
  const keysAt = async (path: string) => (await service.call('GET', path)).json.map(({ key }: { key: string }) => key);
  const [first] = await keysAt(PARCELS);
  expect(await keysAt(DEPOTS)).toEqual([]);
  const { key } = (await service.call('POST', DEPOTS, { body: { label: 'Bonn' } })).json;
  expect([await keysAt(DEPOTS), await keysAt(PARCELS)]).toEqual([[key], [first]]);
  for (const path of [`${PARCELS}/${key}`, `${DEPOTS}/${first}`]) await expectStatus(404, service.call('DELETE', path));
  await expectStatus(204, service.call('DELETE', `${DEPOTS}/${key}`));
  expect([await keysAt(DEPOTS), await keysAt(PARCELS)]).toEqual([[], [first]]);
});

describe('a resource whose members have changed', () => {
  const key = { type: 'string', format: 'uuid', readOnly: true } as const;
  const before: ObjectSchema = {
    title: 'Book',
    properties: {
      key,
      title: { type: 'string' },
      shelf: { type: 'string', enum: ['left', 'right'] },
      pages: { type: 'integer', default: 1 },
      colour: { type: 'string', default: 'red' },
    },
  };
  /** A member was renamed, one narrowed, one removed, and some added. */
  const after: ObjectSchema = {
    title: 'Book',
    properties: {
      key,
      name: { type: 'string', formerly: 'title' },
      shelf: { type: 'string', enum: ['left'] },
      // It is there under its present name, so the former one does not count.
      pages: { type: 'integer', default: 1, formerly: 'shelf' },
      state: { type: 'string', default: 'new', formerly: 'neverThere' },
      grade: { type: 'string', nullable: true, default: 'good', backfill: null },
      owner: { type: 'string', minLength: 1, backfill: 'nobody' },
      reader: { type: 'string' },
    },
  };
  const written = { title: 'Ulysses', shelf: 'right', pages: 732, colour: 'blue' };
  const kept = { shelf: 'right', pages: 732 };
  const read = { name: 'Ulysses', ...kept, state: 'new', grade: null, owner: 'nobody', reader: null };

  /** Opens the stores of an earlier and a later release on one table, and creates an item by the earlier one. */
  async function deployTwice(earlierSchema = before) {
    const table = await (await tables).create();
    const open = (schema: ObjectSchema) => {
      const store = collectionIn(table, { name: 'book', schema });
      const create = (members: object) =>
        store.create(members as WritableOf<ObjectSchema>, 'once') as Promise<Version<ObjectSchema>>;
      return {
        create,
        find: async (id: string) => (await store.find(id))?.item,
        patch: (id: string, members: object) => store.update(id, members, undefined),
      };
    };
    const earlier = open(earlierSchema);
    return { earlier, later: open(after), id: (await earlier.create(written)).key };
  }

  it('gives an earlier item its value under the new name, backfills what it lacks, and keeps what is not allowed any more', async () => {
    const { later, id } = await deployTwice();
    expect(await later.find(id)).toEqual({ key: id, ...read });
    await later.patch(id, { pages: 700 });
    expect(await later.find(id)).toEqual({ key: id, ...read, pages: 700 });
    const errors = [{ pointer: '#/shelf', detail: 'Must be one of "left"; got "right".' }];
    expect(createParser(after).whole({ ...read, reader: 'you' })).toEqual({ errors });
  });

  it('loses, with each write, the members that the writing release does not know', async () => {
    const { earlier, later, id } = await deployTwice();
    await later.patch(id, {});
    expect(await earlier.find(id)).toEqual({ key: id, ...written, title: null, colour: 'red' });
    await earlier.patch(id, { pages: 7 });
    expect(await later.find(id)).toEqual({ key: id, ...read, name: null, pages: 7 });
  });

  it('is read by an earlier release that knows the later name, whichever release has written the item', async () => {
    const title = { type: 'string', formerly: 'name' } as const;
    const { earlier, later, id } = await deployTwice({ ...before, properties: { ...before.properties, title } });
    await later.patch(id, { reader: 'you' });
    expect(await earlier.find(id)).toMatchObject({ title: 'Ulysses' });
    await earlier.patch(id, { pages: 7 });
    expect(await later.find(id)).toMatchObject({ name: 'Ulysses', pages: 7 });
  });

  it('does not create an item again for an Idempotency-Key of the earlier release', async () => {
    const { later } = await deployTwice();
    const again = { name: 'Ulysses', shelf: 'left', pages: 1, owner: 'me', reader: 'you' };
    expect(await later.create(again)).toBe('idempotency-key-reused');
  });
});
