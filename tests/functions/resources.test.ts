import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readComments } from '../../docs/generator/comments.js';
import { describeService } from '../../docs/generator/describe.js';
import { toSwagger2 } from '../../docs/generator/swagger2.js';
import { createParser } from '../../shared/schema/parse.js';
import type { ItemOf, ObjectSchema, PatchOf, WritableOf } from '../../shared/schema/schema.js';
import type { Version } from '../../shared/store/version.js';
import { openTable, startTables } from '../support/dynamodb/tables.js';
import * as notes from '../support/service/notes.js';
import { COLLECTION, FIRST } from '../support/service/resource.js';
import { addNotes, type Service, startService } from '../support/service/service.js';

const { NOTES, note } = notes;
const DEFAULTS = { isPinned: false, due: null, priority: 3, labels: [] };

const tables = startTables();

afterAll(async () => (await tables).stop());

beforeAll(addNotes);

const list = async (service: Service, path: string) => (await service.call('GET', path)).json;

describe.each([
  ['memory', async () => ({})],
  ['one table', async () => (await tables).create()],
])("notes beside the service's own items in %s", (_name, environment) => {
  const start = async () => startService(undefined, await environment());

  it('are created, found, listed and deleted by themselves', async () => {
    const service = await start();
    const created = await service.call('POST', NOTES, { body: { text: 'a', isPinned: true, other: 'x' } });
    expect(created.status).toBe(201);
    expect(Object.entries(created.json).slice(1)).toEqual(Object.entries({ text: 'a', ...DEFAULTS, isPinned: true }));
    const path = `${NOTES}/${created.json.key}`;
    expect(created.headers.location).toBe(`${service.prefix}${path}`);
    expect((await service.call('GET', path)).json).toEqual(created.json);
    const [first, ...more] = await list(service, NOTES);
    expect(first).toEqual({ key: expect.any(String), text: 'Note1', ...DEFAULTS });
    expect(more).toEqual([created.json]);
    expect(await list(service, COLLECTION)).toEqual([expect.objectContaining(FIRST)]);
    for (const method of ['GET', 'DELETE']) {
      expect((await service.call(method, `${COLLECTION}/${created.json.key}`)).status).toBe(404);
    }
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect(await list(service, NOTES)).toEqual([first]);
    expect((await service.call('DELETE', `${NOTES}/${first.key}`)).status).toBe(204);
    expect(await list(service, NOTES)).toEqual([]);
    expect(await list(service, COLLECTION)).toHaveLength(1);
  });

  it('are stored as they were sent, patched member by member, and replaced', async () => {
    const service = await start();
    const sent = { text: 'a', isPinned: true, due: '2026-12-24T18:00:00+01:00', priority: 5, labels: ['x', 'é'] };
    const { json } = await service.call('POST', NOTES, { body: sent });
    expect(json).toEqual({ key: json.key, ...sent });
    const path = `${NOTES}/${json.key}`;
    const changed = async (method: string, body: object) => {
      expect((await service.call(method, path, { body })).status).toBe(204);
      const { key: _key, ...members } = (await service.call('GET', path)).json;
      return members;
    };
    expect(await changed('PATCH', { LABELS: [], priority: 1 })).toEqual({ ...sent, priority: 1, labels: [] });
    const { due, priority } = DEFAULTS;
    expect(await changed('PATCH', { due, priority: null })).toEqual({ ...sent, due, priority, labels: [] });
    expect(await changed('PUT', { text: 'b', priority: 2 })).toEqual({ text: 'b', ...DEFAULTS, priority: 2 });
  });
});

describe('a second resource', () => {
  let service: Service;

  beforeAll(() => {
    service = startService();
  });

  it.each([
    [{}, '#/text', 'Must be a string of at least 1 character, but is missing.'],
    [
      { text: 'a', due: 'tomorrow' },
      '#/due',
      'a date and time such as "2026-11-21T09:30:00Z", or null; got "tomorrow"',
    ],
    [{ text: 'a', priority: 6 }, '#/priority', 'an integer from 1 to 5; got 6'],
    [{ text: 'a', labels: ['a', 'a'] }, '#/labels', 'but has duplicates'],
    [{ text: 'a', labels: ['a', ''] }, '#/labels/1', 'a string of at least 1 character; got ""'],
  ])('answers 400 to %j, by its own schema', async (body, pointer, detail) => {
    const { status, json } = await service.call('POST', NOTES, { body });
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
  });

  it('is described in the document like the first', () => {
    const info = { version: 'v1', title: 'Two', description: 'Two resources.' };
    const document = describeService(info, [
      { exported: { ...notes }, comments: readComments('tests/support/service/notes.ts') },
    ]);
    expect(toSwagger2(document)).toMatchObject({
      paths: {
        [NOTES]: { get: { operationId: 'ApiTestnoteGet' }, post: { operationId: 'ApiTestnotePost' } },
        [`${NOTES}/{id}`]: {
          get: { operationId: 'ApiTestnoteByIdGet' },
          delete: { operationId: 'ApiTestnoteByIdDelete' },
        },
      },
      definitions: { TestNote: { required: ['text'], properties: { priority: { default: 3 } } } },
    });
  });

  it('has members of the types in its schema: no other value compiles', () => {
    const item = {} as ItemOf<typeof note>;
    const right: readonly [string | null, number, readonly string[]] = [item.due, item.priority, item.labels];
    // @ts-expect-error an integer is no boolean
    const integer: boolean = item.priority;
    // @ts-expect-error it may be null
    const text: string = item.due;
    // @ts-expect-error an item is not to be changed
    item.labels?.push('x');
    const patch: PatchOf<typeof note> = { priority: 1 };
    // @ts-expect-error an integer is no boolean
    const wrong: PatchOf<typeof note> = { priority: true };
    // @ts-expect-error the service assigns it
    const assigned: PatchOf<typeof note> = { key: 'x' };
    // @ts-expect-error a whole item has all members that a client sets
    const partial: WritableOf<typeof note> = { text: 'a', isPinned: false };
    expect([right, integer, text, patch, wrong, assigned, partial]).toHaveLength(7);
  });
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
  /** A member was renamed, one narrowed, one removed, and two added. */
  const after: ObjectSchema = {
    title: 'Book',
    properties: {
      key,
      name: { type: 'string', formerly: 'title' },
      shelf: { type: 'string', enum: ['left'] },
      pages: { type: 'integer', default: 1 },
      owner: { type: 'string', minLength: 1, backfill: 'nobody' },
      reader: { type: 'string' },
    },
  };
  const written = { title: 'Ulysses', shelf: 'right', pages: 732, colour: 'blue' };
  const read = { name: 'Ulysses', shelf: 'right', pages: 732, owner: 'nobody', reader: null };

  /** Opens the stores of an earlier and a later release on one table, and creates an item by the earlier one. */
  async function deployTwice(earlierSchema = before) {
    const environment = await (await tables).create();
    const open = (schema: ObjectSchema) => {
      const store = openTable(environment, { name: 'book', schema });
      const createOnce = (members: object) =>
        store.create(members as WritableOf<ObjectSchema>, 'once') as Promise<Version<ObjectSchema>>;
      return {
        find: async (id: string) => (await store.find(id))?.item,
        patch: (id: string, members: object) => store.update(id, members, undefined),
        createOnce,
      };
    };
    const earlier = open(earlierSchema);
    return { earlier, later: open(after), id: (await earlier.createOnce(written)).key };
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
    expect(await later.createOnce(again)).toBe('Idempotency-Key reused');
  });
});
