import { afterAll, describe, expect, it } from '@jest/globals';
import { createParser } from '../../../shared/schema/parse.js';
import type { ObjectSchema, WritableOf } from '../../../shared/schema/schema.js';
import type { Version } from '../../../shared/store/version.js';
import { openTable, startTables } from '../../support/dynamodb/tables.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

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
  /** A member was renamed, one narrowed, one removed, and two added. */
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
  const read = {
    name: 'Ulysses',
    shelf: 'right',
    pages: 732,
    state: 'new',
    grade: null,
    owner: 'nobody',
    reader: null,
  };

  /** Opens the stores of an earlier and a later release on one table, and creates an item by the earlier one. */
  async function deployTwice(earlierSchema = before) {
    const table = await (await tables).create();
    const open = (schema: ObjectSchema) => {
      const store = openTable(table, { name: 'book', schema });
      const create = (members: object) =>
        store.create(members as WritableOf<ObjectSchema>, 'once') as Promise<Version<ObjectSchema>>;
      return {
        find: async (id: string) => (await store.find(id))?.item,
        patch: (id: string, members: object) => store.update(id, members, undefined),
        create,
      };
    };
    const earlier = open(earlierSchema);
    return { earlier, later: open(after), id: (await earlier.create(written)).key };
  }

  it('gives an earlier item its value under the new name, and backfills what it lacks', async () => {
    const { later, id } = await deployTwice();
    expect(await later.find(id)).toEqual({ key: id, ...read });
  });

  it('keeps a value that breaks a later constraint until the member is sent', async () => {
    const { later, id } = await deployTwice();
    await later.patch(id, { pages: 700 });
    expect(await later.find(id)).toEqual({ key: id, ...read, pages: 700 });
    expect(createParser(after).whole({ ...read, reader: 'you' })).toEqual({
      errors: [{ pointer: '#/shelf', detail: 'Must be one of "left"; got "right".' }],
    });
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
    expect(await later.create(again)).toBe('Idempotency-Key reused');
  });
});
