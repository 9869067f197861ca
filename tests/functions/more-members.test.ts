import { afterAll, describe, expect, it } from '@jest/globals';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import * as answer from '../../shared/http/answer.js';
import type { Response } from '../../shared/http/message.js';
import { createDispatcher } from '../../shared/routing/dispatcher.js';
import { route } from '../../shared/routing/route.js';
import { createParser } from '../../shared/schema/parse.js';
import type { ItemOf, ObjectSchema, PatchOf, WritableOf } from '../../shared/schema/schema.js';
import { MemoryStore } from '../../shared/store/memory.js';
import { RowFormat } from '../../shared/store/row.js';
import type { Resource, Store } from '../../shared/store/store.js';
import { openTable, startTables } from '../support/dynamodb/tables.js';
import { writtenDefinition } from '../support/service/definition.js';
import { createNote, listNotes, NOTES, note, patchNote, replaceNote } from '../support/service/notes.js';
import { aRequest, type Described } from '../support/service/request.js';

/** The note with three more members: all that is said of them is said here. */
const grown = {
  title: 'TestNote',
  properties: {
    ...note.properties,
    due: { type: 'string', format: 'date-time', nullable: true, default: null },
    priority: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    labels: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      maxItems: 10,
      uniqueItems: true,
      default: [],
    },
  },
} as const satisfies ObjectSchema;

type Grown = typeof grown;

const FIRST: WritableOf<Grown> = { text: 'Note1', isPinned: false, due: null, priority: 3, labels: [] };
const resource: Resource<Grown> = { name: 'test-note', schema: grown, first: FIRST };
const DUE = '2026-12-24T18:00:00+01:00';
const labels = (count: number) => Array.from({ length: count }, (_, index) => `label ${index}`);

const tables = startTables();

afterAll(async () => (await tables).stop());

const body = { schema: grown } as const;

/** The service's own declarations, on a store of items that have more members. */
function serve(store: Store<Grown>) {
  const routes = [
    route({
      method: 'GET',
      template: NOTES,
      answers: listNotes.answers,
      run: async ({ request }) => answer.listed(request, NOTES, await store.list({}, request.id)),
    }),
    route({
      method: 'POST',
      template: NOTES,
      body,
      answers: createNote.answers,
      run: async ({ request, members }) => answer.created(request, NOTES, await store.create(members, request.id)),
    }),
    route({
      method: 'PUT',
      template: `${NOTES}/{id}`,
      body,
      answers: replaceNote.answers,
      run: async ({ request, parameters, members }) =>
        answer.replaced(request, await store.update(parameters.id, members, undefined, request.id)),
    }),
    route({
      method: 'PATCH',
      template: `${NOTES}/{id}`,
      body: { ...body, patch: true },
      answers: patchNote.answers,
      run: async ({ request, parameters, members }) =>
        answer.patched(request, await store.update(parameters.id, members, undefined, request.id)),
    }),
  ];
  const dispatch = createDispatcher(routes, () => undefined);
  return async (method: string, path: string, sent?: Described['body']) => {
    const { status, body: content }: Response = await dispatch(aRequest({ method, path, body: sent })).response;
    return { status, json: content === undefined ? undefined : JSON.parse(content) };
  };
}

describe.each<[string, (capacity?: number) => Store<Grown> | Promise<Store<Grown>>]>([
  ['memory', (capacity = 6_000_000) => new MemoryStore(resource, capacity)],
  ['a table', async (capacity) => openTable(await (await tables).create(), resource, capacity)],
])('a note with due, priority and labels in %s', (_name, open) => {
  it('has them with their defaults where they are left out, behind the members that were there before', async () => {
    const call = serve(await open());
    const { status, json } = await call('POST', NOTES, { text: 'a' });
    expect(status).toBe(201);
    expect(Object.entries(json).slice(1)).toEqual(Object.entries({ ...FIRST, text: 'a' }));
    const list = (await call('GET', NOTES)).json;
    expect(list).toEqual([{ key: expect.any(String), ...FIRST }, json]);
  });

  it('keeps what is sent, replaces it whole and patches it member by member', async () => {
    const call = serve(await open());
    const sent = { text: 'a', isPinned: true, due: DUE, priority: 5, labels: labels(10) };
    const { json } = await call('POST', NOTES, sent);
    expect(json).toEqual({ key: json.key, ...sent });
    const path = `${NOTES}/${json.key}`;
    const changed = async (method: string, body: object) => {
      expect((await call(method, path, body)).status).toBe(204);
      const { key: _key, ...members } = (await call('GET', NOTES)).json[1];
      return members;
    };
    expect(await changed('PATCH', { priority: 1 })).toEqual({ ...sent, priority: 1 });
    expect(await changed('PATCH', { LABELS: ['x'] })).toEqual({ ...sent, priority: 1, labels: ['x'] });
    expect(await changed('PATCH', { due: null, priority: null, labels: null })).toEqual({
      ...sent,
      due: null,
      priority: 3,
      labels: [],
    });
    expect(await changed('PUT', { key: json.key, text: 'b', due: DUE })).toEqual({ ...FIRST, text: 'b', due: DUE });
  });

  it('counts all of them for the capacity of the list, to the byte', async () => {
    const store = await open();
    await store.create({ ...FIRST, text: '"', due: DUE, labels: ['\\', 'é'] }, '');
    const { json } = await store.list({}, '');
    const size = Buffer.byteLength(JSON.stringify(json)) - 2;
    const fill = async (capacity: number) => {
      const exact = await open(capacity);
      const created = await exact.create({ ...FIRST, text: '"', due: DUE, labels: ['\\', 'é'] }, '');
      const page = await exact.list({}, '');
      return typeof created === 'object' && page.next === undefined;
    };
    expect([await fill(size), await fill(size - 1)]).toEqual([true, false]);
  });
});

const wrong: [object, string, string][] = [
  [{ due: 'tomorrow' }, '#/due', 'a date and time such as "2026-11-21T09:30:00Z", or null, not "tomorrow"'],
  [{ due: 5 }, '#/due', 'a date and time such as "2026-11-21T09:30:00Z", or null, not 5'],
  [{ priority: 0 }, '#/priority', 'an integer from 1 to 5, not 0'],
  [{ priority: 6 }, '#/priority', 'an integer from 1 to 5, not 6'],
  [{ priority: 2.5 }, '#/priority', 'an integer from 1 to 5, not 2.5'],
  [{ priority: true }, '#/priority', 'an integer from 1 to 5, not true'],
  [{ labels: labels(11) }, '#/labels', 'but has 11 elements'],
  [{ labels: ['a', 'a'] }, '#/labels', 'but has duplicates'],
  [{ labels: ['a', ''] }, '#/labels/1', 'a string of at least 1 character, not ""'],
  [{ labels: 'a' }, '#/labels', 'not "a"'],
];

describe('a new member', () => {
  const call = serve(new MemoryStore(resource, 6_000_000));
  const documented = addFormats.default(new Ajv({ strict: false })).compile(writtenDefinition(grown, undefined));

  it.each(wrong)('that is wrong is answered 400, and named: %j', async (member, pointer, detail) => {
    for (const [method, path] of [
      ['POST', NOTES],
      ['PUT', `${NOTES}/1`],
      ['PATCH', `${NOTES}/1`],
    ] as const) {
      const { status, json } = await call(method, path, { text: 'a', ...member });
      expect(status).toBe(400);
      expect(json.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
    }
    expect(documented({ text: 'a', ...member })).toBe(false);
  });

  it('is in the document, with what it may be and its default', () => {
    expect(writtenDefinition(grown, undefined)).toMatchObject({
      required: ['text'],
      properties: {
        due: { type: 'string', format: 'date-time', 'x-nullable': true, default: null },
        priority: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
        labels: { type: 'array', maxItems: 10, uniqueItems: true, default: [], items: { type: 'string' } },
      },
    });
    const patch = writtenDefinition(grown, 'patch');
    for (const name of ['due', 'priority', 'labels']) expect(patch.properties[name]).toHaveProperty('x-nullable', true);
  });

  it('has its default in items that were stored before it was declared', () => {
    const before = new RowFormat('test-note', note);
    const read = createParser(note).whole({ text: 'old', isPinned: true });
    if ('errors' in read) throw new Error('the item is not valid');
    const item = { key: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47', ...read.members };
    const attributes = before.attributesOf({ key: item.key, version: 4, writeId: '1', item });
    expect(new RowFormat('test-note', grown).parse(attributes)).toMatchObject({
      version: 4,
      item: { ...item, due: null, priority: 3, labels: [] },
    });
  });

  it('has its own type, so that no other value compiles', () => {
    const item = {} as ItemOf<Grown>;
    const due: string | null = item.due;
    const priority: number = item.priority;
    const all: readonly string[] = item.labels;
    // @ts-expect-error an integer is no boolean
    const integer: boolean = item.priority;
    // @ts-expect-error it may be null
    const text: string = item.due;
    // @ts-expect-error an item is not to be changed
    item.labels?.push('x');
    const patch: PatchOf<Grown> = { priority: 1 };
    // @ts-expect-error an integer is no boolean
    const wrong: PatchOf<Grown> = { priority: true };
    // @ts-expect-error the service assigns it
    const assigned: PatchOf<Grown> = { key: 'x' };
    // @ts-expect-error a whole item has all members that a client sets
    const partial: WritableOf<Grown> = { text: 'a', isPinned: false };
    expect([due, priority, all, integer, text, patch, wrong, assigned, partial]).toHaveLength(9);
  });
});
