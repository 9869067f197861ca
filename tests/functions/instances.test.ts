import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTables } from '../support/dynamodb/tables.js';
import { addNotes } from '../support/service/add-notes.js';
import { expectStatus } from '../support/service/expect-status.js';
import { NOTES } from '../support/service/notes.js';
import { anItem, COLLECTION, OPTIONAL, TEXT, VALUES } from '../support/service/resource.js';
import { type Service, startService } from '../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

/** Two instances of the service on one table. */
async function startTwo(): Promise<[Service, Service]> {
  const environment = await (await tables).create();
  return [startService(undefined, environment), startService(undefined, environment)];
}

async function create(service: Service): Promise<string> {
  const { key } = (await expectStatus(201, service.call('POST', COLLECTION, { body: anItem('a') }))).json;
  return `${COLLECTION}/${key}`;
}

const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('two instances on one table', () => {
  it('see what the other one has written at once', async () => {
    const [one, other] = await startTwo();
    const path = await create(one);
    expect((await other.call('GET', path)).json[TEXT]).toBe('a');
    await expectStatus(204, other.call('PATCH', path, { body: anItem('b') }));
    expect((await one.call('GET', path)).headers.etag).toBe('"2"');
    await expectStatus(204, one.call('DELETE', path));
    expect((await other.call('GET', path)).status).toBe(404);
  });

  it('lose and reject none of 50 parallel patches of one item, also where there are six instances', async () => {
    const environment = await (await tables).create();
    const services = Array.from({ length: 6 }, () => startService(undefined, environment));
    const [one] = services as [Service];
    const path = await create(one);
    const patch = (number: number) => {
      const body = number % 2 ? anItem(`name ${number}`) : { [OPTIONAL]: VALUES[number % 4 === 0 ? 0 : 1] };
      return expectStatus(204, (services[number % 6] as Service).call('PATCH', path, { body }));
    };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => patch(number)));
    const tags = answers.map(({ headers }) => Number(headers.etag?.slice(1, -1))).sort((a, b) => a - b);
    expect(tags).toEqual(Array.from({ length: 50 }, (_, number) => number + 2));
    expect((await one.call('GET', path)).headers.etag).toBe('"51"');
  });

  it.each([
    ['by its tag', '"1"'],
    ['among a hundred others', ['"1"', ...Array.from({ length: 100 }, (_, index) => `"${index + 100}"`)].join()],
  ])('let one of 50 replacements of the same version through, named %s', async (_how, tags) => {
    const [one, other] = await startTwo();
    const path = await create(one);
    const key = path.split('/').pop();
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, number) => {
        const request = { headers: { 'If-Match': tags }, body: { key, ...anItem(`replacement ${number}`) } };
        return { number, status: (await (number % 2 ? one : other).call('PUT', path, request)).status };
      }),
    );
    const [winner] = answers.filter(({ status }) => status === 204);
    expect(count(answers, 412)).toBe(49);
    expect((await one.call('GET', path)).json[TEXT]).toBe(`replacement ${winner?.number}`);
  });

  it('never bring back an item that is deleted while it is replaced and patched', async () => {
    const [one, other] = await startTwo();
    const paths = await Promise.all(Array.from({ length: 20 }, () => create(one)));
    const statuses = await Promise.all(
      paths.flatMap((path) => {
        const body = { key: path.split('/').pop(), ...anItem('b') };
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
    expect((await other.call('GET', COLLECTION)).json).toHaveLength(1);
  });

  it('keep all of 100 items created in parallel', async () => {
    const [one, other] = await startTwo();
    const paths = await Promise.all(Array.from({ length: 100 }, (_, number) => create(number % 2 ? one : other)));
    const listed = (await one.call('GET', COLLECTION)).json.map(({ key }: { key: string }) => `${COLLECTION}/${key}`);
    expect(listed).toHaveLength(101);
    expect(listed).toEqual(expect.arrayContaining(paths));
  });
});

/** What DynamoDB lets a row have, in bytes; a lone surrogate makes it two a character. The other members take some of it. */
const LARGEST_ROW = 400 * 1_024;
const OTHERS = 500;

describe('a table of large items', () => {
  beforeAll(addNotes);

  it('refuses one beyond 400 KB with 413, after the checks that come before', async () => {
    const [service] = await startTwo();
    const { json } = await expectStatus(201, service.call('POST', NOTES, { body: { text: 'a' } }));
    const path = `${NOTES}/${json.key}`;
    const absent = `${NOTES}/00000000-0000-4000-8000-000000000000`;
    for (const text of ['x'.repeat(LARGEST_ROW), `${'x'.repeat(LARGEST_ROW / 2)}\ud800`]) {
      expect((await service.call('POST', NOTES, { body: { text } })).status).toBe(413);
      expect((await service.call('PUT', path, { body: { text } })).status).toBe(413);
      expect((await service.call('PATCH', path, { body: { text } })).status).toBe(413);
      expect((await service.call('PATCH', path, { headers: { 'If-Match': '"2"' }, body: { text } })).status).toBe(412);
      expect((await service.call('PATCH', absent, { body: { text } })).status).toBe(404);
    }
    expect((await service.call('GET', path)).headers.etag).toBe('"1"');
    for (const text of ['x'.repeat(LARGEST_ROW - OTHERS), `${'x'.repeat((LARGEST_ROW - OTHERS) / 2)}\ud800`]) {
      expect((await service.call('PATCH', path, { body: { text } })).status).toBe(204);
      expect((await service.call('GET', path)).json.text).toBe(text);
    }
  });

  it('lists twelve megabytes in full by the links, in order, none missing and none twice', async () => {
    const [one, other] = await startTwo();
    const keys: string[] = (await one.call('GET', NOTES)).json.map(({ key }: { key: string }) => key);
    for (let number = 1; number < 62; number += 1) {
      const { json } = await expectStatus(201, one.call('POST', NOTES, { body: { text: 'x'.repeat(200_000) } }));
      keys.push(json.key);
    }
    for (const [start, count] of [
      [NOTES, 2],
      [`${NOTES}?limit=7`, 9],
    ] as const) {
      const pages: string[][] = [];
      for (let next: string | undefined = start; next; ) {
        const { json, headers } = await expectStatus(200, (pages.length % 2 ? one : other).call('GET', next));
        pages.push(json.map(({ key }: { key: string }) => key));
        next = headers.link?.replace(/^<(.*)>.*$/, '$1').slice(one.prefix.length);
      }
      expect(pages.flat()).toEqual(keys);
      expect(pages).toHaveLength(count);
    }
  });
});
