import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { storedItem } from '../../shared/todo/item.js';
import { type Service, startService } from '../support/service.js';
import { fillTable, startTables } from '../support/tables.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

/** Two instances of the service on one table. */
async function startTwo(): Promise<[Service, Service]> {
  const environment = await (await tables).create();
  return [startService(undefined, environment), startService(undefined, environment)];
}

async function create(service: Service): Promise<string> {
  const { key } = (await service.call('POST', '/api/todo', { body: { name: 'a' } })).json;
  return `/api/todo/${key}`;
}

const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

describe('two instances on one table', () => {
  it('see what the other one has written at once', async () => {
    const [one, other] = await startTwo();
    const path = await create(one);
    expect((await other.call('GET', path)).json.name).toBe('a');
    await other.call('PATCH', path, { body: { name: 'b' } });
    expect((await one.call('GET', path)).headers.etag).toBe('"2"');
    await one.call('DELETE', path);
    expect((await other.call('GET', path)).status).toBe(404);
  });

  it('create the first item once, however many begin at the same time', async () => {
    const environment = await (await tables).create();
    const services = Array.from({ length: 10 }, () => startService(undefined, environment));
    const lists = await Promise.all(services.map((service) => service.call('GET', '/api/todo')));
    const [first] = lists[0]?.json ?? [];
    expect(first).toMatchObject({ name: 'Item1', isComplete: false });
    for (const list of lists) expect(list.json).toEqual([first]);
  });

  it('never create the first item again once it was deleted', async () => {
    const environment = await (await tables).create();
    const [{ key }] = (await startService(undefined, environment).call('GET', '/api/todo')).json;
    const path = `/api/todo/${key}`;
    const body = { key, name: 'c' };
    const other = startService(undefined, environment);
    expect((await other.call('DELETE', path, { headers: { 'If-Match': '"2"' } })).status).toBe(412);
    expect((await other.call('DELETE', path, { headers: { 'If-Match': '"1"' } })).status).toBe(204);
    for (const service of [other, startService(undefined, environment)]) {
      expect((await service.call('GET', path)).status).toBe(404);
      expect((await service.call('PUT', path, { body })).status).toBe(404);
      expect((await service.call('PATCH', path, { body })).status).toBe(404);
      expect((await service.call('DELETE', path)).status).toBe(404);
      expect((await service.call('GET', '/api/todo')).text).toBe('[]');
      expect((await service.call('GET', '/api/todo?limit=1')).text).toBe('[]');
    }
  });

  it('can change the first item before anyone has listed it', async () => {
    const known = (await (await startTwo())[0].call('GET', '/api/todo')).json[0].key;
    const [fresh] = await startTwo();
    expect((await fresh.call('PATCH', `/api/todo/${known}`, { body: { isComplete: true } })).status).toBe(204);
    expect((await fresh.call('GET', '/api/todo')).json).toEqual([{ key: known, name: 'Item1', isComplete: true }]);
  });

  it('lose none of 100 parallel patches of different members', async () => {
    const [one, other] = await startTwo();
    const path = await create(one);
    const patches = Array.from({ length: 100 }, (_, number) => {
      const last = number >= 98;
      const body = number % 2 ? { name: last ? 'last' : `name ${number}` } : { isComplete: last || number % 4 === 0 };
      return { service: number % 3 ? one : other, body };
    });
    const answers = await Promise.all(
      patches.slice(0, 98).map(({ service, body }) => service.call('PATCH', path, { body })),
    );
    answers.push(
      ...(await Promise.all(patches.slice(98).map(({ service, body }) => service.call('PATCH', path, { body })))),
    );
    expect(
      count(
        answers.map(({ status }) => status),
        204,
      ),
    ).toBe(100);
    const { json, headers } = await one.call('GET', path);
    expect(json).toMatchObject({ name: 'last', isComplete: true });
    expect(headers.etag).toBe('"101"');
  });

  it.each([
    ['by its tag', '"1"'],
    [
      'among more than DynamoDB compares at once',
      ['"1"', ...Array.from({ length: 100 }, (_, index) => `"${index + 100}"`)].join(),
    ],
  ])('let one of 50 replacements of the same version through, named %s', async (_how, tags) => {
    const [one, other] = await startTwo();
    const path = await create(one);
    const key = path.split('/').pop();
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, number) => {
        const request = { headers: { 'If-Match': tags }, body: { key, name: `replacement ${number}` } };
        return { number, status: (await (number % 2 ? one : other).call('PUT', path, request)).status };
      }),
    );
    const [winner] = answers.filter(({ status }) => status === 204);
    expect(
      count(
        answers.map(({ status }) => status),
        412,
      ),
    ).toBe(49);
    expect((await one.call('GET', path)).json.name).toBe(`replacement ${winner?.number}`);
  });

  it('never bring back an item that is deleted while it is replaced and patched', async () => {
    const [one, other] = await startTwo();
    const paths = await Promise.all(Array.from({ length: 20 }, () => create(one)));
    const statuses = await Promise.all(
      paths.flatMap((path) => {
        const body = { key: path.split('/').pop(), name: 'b' };
        return [
          other.call('PUT', path, { body }),
          one.call('DELETE', path),
          other.call('PATCH', path, { body }),
          other.call('DELETE', path),
          one.call('PUT', path, { body }),
        ].map(async (answer) => (await answer).status);
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([204, 404]));
    for (const path of paths) expect((await one.call('GET', path)).status).toBe(404);
    expect((await other.call('GET', '/api/todo')).json).toHaveLength(1);
  });

  it('keep all of 100 items created in parallel', async () => {
    const [one, other] = await startTwo();
    const paths = await Promise.all(Array.from({ length: 100 }, (_, number) => create(number % 2 ? one : other)));
    const listed = (await one.call('GET', '/api/todo')).json.map(({ key }: { key: string }) => `/api/todo/${key}`);
    expect(listed).toHaveLength(101);
    expect(listed).toEqual(expect.arrayContaining(paths));
  });
});

describe('a table of large items', () => {
  it('refuses one beyond 400 KB with 413, after the checks that come before', async () => {
    const [service] = await startTwo();
    const path = await create(service);
    const key = path.split('/').pop();
    const absent = '/api/todo/00000000-0000-4000-8000-000000000000';
    for (const name of ['x'.repeat(409_501), 'é'.repeat(204_751), '\ud800'.repeat(204_751)]) {
      expect((await service.call('POST', '/api/todo', { body: { name } })).status).toBe(413);
      expect((await service.call('PUT', path, { body: { key, name } })).status).toBe(413);
      expect((await service.call('PATCH', path, { body: { name } })).status).toBe(413);
      expect((await service.call('PATCH', path, { headers: { 'If-Match': '"2"' }, body: { name } })).status).toBe(412);
      expect((await service.call('PATCH', absent, { body: { name } })).status).toBe(404);
    }
    for (const name of ['x'.repeat(409_500), '\u0000'.repeat(409_500), 'é'.repeat(204_750), '\ud800'.repeat(204_750)]) {
      expect((await service.call('PATCH', path, { body: { name } })).status).toBe(204);
      expect((await service.call('GET', path)).json.name).toBe(name);
    }
  });

  it('lists 10,000 items of 1 kB in full by the links, none missing and none twice', async () => {
    const environment = await (await tables).create();
    const [one, other] = [startService(undefined, environment), startService(undefined, environment)];
    const items = Array.from({ length: 10_000 }, () =>
      storedItem(randomUUID(), { name: 'x'.repeat(930), isComplete: false }, 1),
    );
    await fillTable(environment, items);
    const keys = items.map(({ key }) => key);
    for (const start of ['/api/todo', '/api/todo?limit=1000']) {
      const parts: string[][] = [];
      for (let next: string | undefined = start; next; ) {
        const { json, headers } = await (parts.length % 2 ? one : other).call('GET', next);
        parts.push(json.map(({ key }: { key: string }) => key));
        next = headers.link?.replace(/^<(.*)>.*$/, '$1').slice(one.prefix.length);
      }
      const listed = parts.flat();
      expect(listed).toHaveLength(10_001);
      expect(new Set(listed).size).toBe(10_001);
      expect(new Set([...listed, ...keys]).size).toBe(10_001);
      expect(parts.length).toBe(start === '/api/todo' ? 2 : 11);
    }
  });
});
