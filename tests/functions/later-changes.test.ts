import { afterAll, expect, it } from '@jest/globals';
import { created, found, patched, replaced } from '../../shared/http/answer.js';
import { problemResponse } from '../../shared/http/problem.js';
import { createDispatcher } from '../../shared/routing/dispatcher.js';
import { route } from '../../shared/routing/route.js';
import type { ObjectSchema, WritableOf } from '../../shared/schema/schema.js';
import { openTable, startTables, type TableEnvironment } from '../support/dynamodb/tables.js';
import { aRequest, type Described } from '../support/service/request.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

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

/** Renamed, with a narrower rule, removed and added: one of each. */
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

/** A release of the service: the operations on items of a schema, kept in a table. */
function release(schema: ObjectSchema, environment: TableEnvironment, first: WritableOf<ObjectSchema>) {
  const store = openTable(environment, { name: 'book', schema, first });
  const template = '/book/{id}';
  const dispatch = createDispatcher(
    [
      route({
        method: 'POST',
        template: '/book',
        body: { schema },
        idempotent: true,
        answers: { 201: {}, 413: {}, 422: {}, 507: {} },
        async run({ request, members, idempotencyKey }) {
          const item = await store.createOnce(idempotencyKey as string, members, request.id);
          return item === 'Idempotency-Key reused' ? problemResponse(request, item) : created(request, '/book', item);
        },
      }),
      route({
        method: 'GET',
        template,
        answers: { 200: {}, 304: {}, 404: {}, 412: {} },
        run: async ({ request, parameters }) => found(request, await store.find(parameters.id, request.id), undefined),
      }),
      route({
        method: 'PUT',
        template,
        body: { schema },
        answers: { 204: {}, 404: {}, 412: {}, 413: {}, 507: {} },
        run: async ({ request, parameters, members }) =>
          replaced(request, await store.update(parameters.id, members, undefined, request.id)),
      }),
      route({
        method: 'PATCH',
        template,
        body: { schema, patch: true },
        answers: { 204: {}, 404: {}, 412: {}, 413: {}, 507: {} },
        run: async ({ request, parameters, members }) =>
          patched(request, await store.update(parameters.id, members, undefined, request.id)),
      }),
    ],
    () => undefined,
  );
  return async (method: string, path: string, body?: Described['body']) => {
    const headers = { 'idempotency-key': 'once' };
    const { status, body: content = '{}' } = await dispatch(aRequest({ method, path, headers, body })).response;
    return { status, json: JSON.parse(content) };
  };
}

/** Two releases on one table, and an item that the earlier one has created. */
async function deployTwice() {
  const environment = await (await tables).create();
  const earlier = release(before, environment, { title: 'first', shelf: 'left', pages: 1, colour: 'red' });
  const first = { name: 'first', shelf: 'left', pages: 1, owner: 'nobody', reader: 'me' };
  const later = release(after, environment, first);
  const { json } = await earlier('POST', '/book', { title: 'Ulysses', shelf: 'right', pages: 732, colour: 'blue' });
  return { earlier, later, path: `/book/${json.key}` };
}

const read = { name: 'Ulysses', shelf: 'right', pages: 732, owner: 'nobody', reader: null };

it('an item of an earlier release shows what it had under a former name, and what is filled in', async () => {
  const { later, path } = await deployTwice();
  const { key: _key, ...members } = (await later('GET', path)).json;
  expect(members).toEqual(read);
});

it('an item that breaks a rule of a later release keeps what it has until that is sent again', async () => {
  const { later, path } = await deployTwice();
  expect((await later('PATCH', path, { pages: 700 })).status).toBe(204);
  expect((await later('GET', path)).json).toMatchObject({ ...read, pages: 700 });
  const rejected = await later('PUT', path, { ...read, reader: 'you' });
  expect(rejected.json.errors).toEqual([{ pointer: '#/shelf', detail: 'Must be one of "left", not "right".' }]);
  expect((await later('PATCH', path, { shelf: 'left', reader: 'you' })).status).toBe(204);
  expect((await later('GET', path)).json).toMatchObject({ ...read, pages: 700, shelf: 'left', reader: 'you' });
});

it('an item that a later release has written has lost for an earlier one what that does not know', async () => {
  const { earlier, later, path } = await deployTwice();
  expect((await later('PATCH', path, {})).status).toBe(204);
  expect((await earlier('GET', path)).json).toMatchObject({ title: null, shelf: 'right', pages: 732, colour: 'red' });
  expect((await earlier('PATCH', path, { pages: 7 })).status).toBe(204);
  expect((await later('GET', path)).json).toMatchObject({ ...read, name: null, pages: 7 });
});

it('an earlier release that knows the later name reads what either has written', async () => {
  const environment = await (await tables).create();
  const title = { type: 'string', formerly: 'name' } as const;
  const prepared: ObjectSchema = { title: 'Book', properties: { ...before.properties, title } };
  const earlier = release(prepared, environment, { title: 'first', shelf: 'left', pages: 1, colour: 'red' });
  const later = release(after, environment, { ...read, reader: 'me' });
  const { json } = await later('POST', '/book', { ...read, shelf: 'left', reader: 'you' });
  expect((await earlier('GET', `/book/${json.key}`)).json).toMatchObject({ title: 'Ulysses' });
  expect((await earlier('PATCH', `/book/${json.key}`, { pages: 7 })).status).toBe(204);
  expect((await later('GET', `/book/${json.key}`)).json).toMatchObject({ name: 'Ulysses', pages: 7 });
});

it('a creation that is sent again after its members have changed is answered 422', async () => {
  const { later } = await deployTwice();
  const again = await later('POST', '/book', { name: 'Ulysses', shelf: 'left', owner: 'me', reader: 'you' });
  expect(again.status).toBe(422);
});
