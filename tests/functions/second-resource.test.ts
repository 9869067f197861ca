import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readComments } from '../../docs/generator/comments.js';
import { describeService } from '../../docs/generator/describe.js';
import { toSwagger2 } from '../../docs/generator/swagger2.js';
import { createDispatcher } from '../../shared/routing/dispatcher.js';
import { isRoute } from '../../shared/routing/route.js';
import { startTables } from '../support/dynamodb/tables.js';
import { type Service, startService } from '../support/service/service.js';

const NOTES = 'tests/support/service/notes.ts';
const INFO = { version: 'v1', title: 'Two', description: 'Two resources.' };

const tables = startTables();

afterAll(async () => {
  jest.dontMock('../../functions/routes.js');
  await (await tables).stop();
});

/** The service with notes among its routes, as the one line in functions/routes.ts would have it. */
beforeAll(() => {
  jest.doMock('../../functions/routes.js', () => {
    const actual = jest.requireActual<typeof import('../../functions/routes.js')>('../../functions/routes.js');
    return {
      ...actual,
      routes: [...actual.routes, ...Object.values(require('../support/service/notes.js') as object).filter(isRoute)],
    };
  });
});

const list = async (service: Service, path: string) => (await service.call('GET', path)).json;

describe.each([
  ['memory', async () => ({})],
  ['one table', async () => (await tables).create()],
])('notes beside to-dos in %s', (_name, environment) => {
  it('are created, found, listed and deleted, each kind by itself', async () => {
    const service = startService(undefined, await environment());
    const created = await service.call('POST', '/api/note', { body: { text: 'a', isPinned: true, name: 'x' } });
    expect(created).toMatchObject({ status: 201, json: { text: 'a', isPinned: true } });
    const path = `/api/note/${created.json.key}`;
    expect(created.headers.location).toBe(`${service.prefix}${path}`);
    expect((await service.call('GET', path)).json).toEqual(created.json);
    expect(await list(service, '/api/note')).toEqual([expect.objectContaining({ text: 'Note1' }), created.json]);
    expect(await list(service, '/api/todo')).toEqual([expect.objectContaining({ name: 'Item1' })]);
    expect((await service.call('GET', `/api/todo/${created.json.key}`)).status).toBe(404);
    expect((await service.call('DELETE', `/api/todo/${created.json.key}`)).status).toBe(404);
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect((await service.call('GET', path)).status).toBe(404);
    expect(await list(service, '/api/note')).toHaveLength(1);
  });

  it('have first items of their own: deleting one leaves the other', async () => {
    const service = startService(undefined, await environment());
    const [{ key }] = await list(service, '/api/note');
    expect((await service.call('DELETE', `/api/note/${key}`)).status).toBe(204);
    expect(await list(service, '/api/note')).toEqual([]);
    expect(await list(service, '/api/todo')).toHaveLength(1);
  });

  it('have pages of their own', async () => {
    const service = startService(undefined, await environment());
    for (const text of ['a', 'b', 'c']) {
      await service.call('POST', '/api/note', { body: { text } });
      await service.call('POST', '/api/todo', { body: { name: text } });
    }
    const first = await service.call('GET', '/api/note?limit=2');
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.link ?? '') ?? [];
    expect(next.startsWith(`${service.prefix}/api/note?limit=2&after=`)).toBe(true);
    const rest = await service.call('GET', next.slice(service.prefix.length));
    expect([...first.json, ...rest.json].map(({ text }) => text)).toEqual(['Note1', 'a', 'b', 'c']);
    expect(rest.headers).not.toHaveProperty('link');
  });

  it('are checked by their own schema, and answer conditional requests', async () => {
    const service = startService(undefined, await environment());
    const rejected = await service.call('POST', '/api/note', { body: { name: 'x', text: '' } });
    expect(rejected.json.errors).toEqual([
      { pointer: '#/text', detail: 'Must be a string of 1 to 200 characters, not "".' },
    ]);
    const { json } = await service.call('POST', '/api/note', { body: { text: 'a' } });
    const headers = { 'If-None-Match': '"1"' };
    expect((await service.call('GET', `/api/note/${json.key}`, { headers })).status).toBe(304);
    expect((await service.call('DELETE', `/api/note/${json.key}`, { headers })).status).toBe(412);
  });
});

describe('a second resource', () => {
  it('is one file of at most 120 lines', () => {
    expect(readFileSync(NOTES, 'utf8').split('\n').length).toBeLessThanOrEqual(121);
  });

  it('is described in the document like the first', () => {
    const file = {
      exported: require('../support/service/notes.js') as Record<string, unknown>,
      comments: readComments(NOTES),
    };
    const document = describeService(INFO, [file]);
    expect(toSwagger2(document)).toMatchObject({
      paths: {
        '/api/note': { get: { operationId: 'ApiNoteGet' }, post: { operationId: 'ApiNotePost' } },
        '/api/note/{id}': { get: { operationId: 'ApiNoteByIdGet' }, delete: { operationId: 'ApiNoteByIdDelete' } },
      },
      definitions: { Note: { required: ['text'] } },
    });
  });

  it('can not be declared twice', () => {
    const { listNotes } = require('../support/service/notes.js') as typeof import('../support/service/notes.js');
    expect(() => createDispatcher([listNotes, listNotes], () => undefined)).toThrow(/match the same paths for GET/);
  });
});
