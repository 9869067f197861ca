import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readComments } from '../../docs/generator/comments.js';
import { describeService } from '../../docs/generator/describe.js';
import { toSwagger2 } from '../../docs/generator/swagger2.js';
import { createDispatcher } from '../../shared/routing/dispatcher.js';
import { startTables } from '../support/dynamodb/tables.js';
import { addNotes } from '../support/service/add-notes.js';
import { NOTES } from '../support/service/notes.js';
import { anItem, COLLECTION, FIRST } from '../support/service/resource.js';
import { type Service, startService } from '../support/service/service.js';

const FILE = 'tests/support/service/notes.ts';
const INFO = { version: 'v1', title: 'Two', description: 'Two resources.' };

const tables = startTables();

afterAll(async () => {
  await (await tables).stop();
});

beforeAll(addNotes);

const list = async (service: Service, path: string) => (await service.call('GET', path)).json;

describe.each([
  ['memory', async () => ({})],
  ['one table', async () => (await tables).create()],
])("notes beside the service's own items in %s", (_name, environment) => {
  it('are created, found, listed and deleted, each kind by itself', async () => {
    const service = startService(undefined, await environment());
    const created = await service.call('POST', NOTES, { body: { text: 'a', isPinned: true, other: 'x' } });
    expect(created).toMatchObject({ status: 201, json: { text: 'a', isPinned: true } });
    const path = `${NOTES}/${created.json.key}`;
    expect(created.headers.location).toBe(`${service.prefix}${path}`);
    expect((await service.call('GET', path)).json).toEqual(created.json);
    expect(await list(service, NOTES)).toEqual([expect.objectContaining({ text: 'Note1' }), created.json]);
    expect(await list(service, COLLECTION)).toEqual([expect.objectContaining(FIRST)]);
    expect((await service.call('GET', `${COLLECTION}/${created.json.key}`)).status).toBe(404);
    expect((await service.call('DELETE', `${COLLECTION}/${created.json.key}`)).status).toBe(404);
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect((await service.call('GET', path)).status).toBe(404);
    expect(await list(service, NOTES)).toHaveLength(1);
  });

  it('have first items of their own: deleting one leaves the other', async () => {
    const service = startService(undefined, await environment());
    const [{ key }] = await list(service, NOTES);
    expect((await service.call('DELETE', `${NOTES}/${key}`)).status).toBe(204);
    expect(await list(service, NOTES)).toEqual([]);
    expect(await list(service, COLLECTION)).toHaveLength(1);
  });

  it('have pages of their own', async () => {
    const service = startService(undefined, await environment());
    for (const text of ['a', 'b', 'c']) {
      await service.call('POST', NOTES, { body: { text } });
      await service.call('POST', COLLECTION, { body: anItem(text) });
    }
    const first = await service.call('GET', `${NOTES}?limit=2`);
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.link ?? '') ?? [];
    expect(next.startsWith(`${service.prefix}${NOTES}?limit=2&after=`)).toBe(true);
    const rest = await service.call('GET', next.slice(service.prefix.length));
    expect([...first.json, ...rest.json].map(({ text }) => text)).toEqual(['Note1', 'a', 'b', 'c']);
    expect(rest.headers).not.toHaveProperty('link');
  });

  it('are checked by their own schema, and answer conditional requests', async () => {
    const service = startService(undefined, await environment());
    const rejected = await service.call('POST', NOTES, { body: anItem('x') });
    expect(rejected.json.errors).toEqual([
      { pointer: '#/text', detail: 'Must be a string of at least 1 character, but is missing.' },
    ]);
    const { json } = await service.call('POST', NOTES, { body: { text: 'a' } });
    const headers = { 'If-None-Match': '"1"' };
    expect((await service.call('GET', `${NOTES}/${json.key}`, { headers })).status).toBe(304);
    expect((await service.call('DELETE', `${NOTES}/${json.key}`, { headers })).status).toBe(412);
  });
});

describe('a second resource', () => {
  it('is one file of at most 150 lines', () => {
    expect(readFileSync(FILE, 'utf8').split('\n').length).toBeLessThanOrEqual(151);
  });

  it('is described in the document like the first', () => {
    const file = {
      exported: require('../support/service/notes.js') as Record<string, unknown>,
      comments: readComments(FILE),
    };
    const document = describeService(INFO, [file]);
    expect(toSwagger2(document)).toMatchObject({
      paths: {
        [NOTES]: { get: { operationId: 'ApiTestnoteGet' }, post: { operationId: 'ApiTestnotePost' } },
        [`${NOTES}/{id}`]: {
          get: { operationId: 'ApiTestnoteByIdGet' },
          delete: { operationId: 'ApiTestnoteByIdDelete' },
        },
      },
      definitions: { TestNote: { required: ['text'] } },
    });
  });

  it('can not be declared twice', () => {
    const { listNotes } = require('../support/service/notes.js') as typeof import('../support/service/notes.js');
    expect(() => createDispatcher([listNotes, listNotes], () => undefined)).toThrow(/match the same paths for GET/);
  });
});
