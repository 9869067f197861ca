import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anItem, CHANGE, COLLECTION, INVALID, TEXT } from '../support/service/resource.js';
import { type OfflineService, startOffline } from '../support/start/offline.js';

let service: OfflineService;

beforeAll(async () => {
  service = await startOffline();
});

afterAll(() => service?.stop());

describe('over HTTP, through serverless-offline', () => {
  it('does all six operations', async () => {
    const created = await service.call('POST', COLLECTION, { body: anItem('Walk the dog') });
    expect(created.status).toBe(201);
    const path = created.headers.location as string;
    expect(path).toBe(`${COLLECTION}/${created.json.key}`);
    expect((await service.call('GET', path)).json).toEqual(created.json);
    expect((await service.call('PATCH', path, { body: CHANGE })).status).toBe(204);
    expect((await service.call('GET', path)).json).toEqual({ ...created.json, ...CHANGE });
    const { key } = created.json;
    expect((await service.call('PUT', path, { body: { key, ...anItem('Walk the cat') } })).status).toBe(204);
    expect((await service.call('GET', COLLECTION)).json).toContainEqual({ ...created.json, ...anItem('Walk the cat') });
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect((await service.call('GET', path)).status).toBe(404);
  });

  it('keeps one collection for all requests: 200 parallel POSTs are all in the list afterwards', async () => {
    const names = Array.from({ length: 200 }, (_, number) => `parallel ${number}`);
    const answers = await Promise.all(names.map((name) => service.call('POST', COLLECTION, { body: anItem(name) })));
    expect(answers.map((answer) => answer.status)).toEqual(names.map(() => 201));
    const listed = (await service.call('GET', COLLECTION)).json.map((item: Record<string, unknown>) => item[TEXT]);
    expect(listed).toEqual(expect.arrayContaining(names));
  });

  it.each([
    `${COLLECTION.toUpperCase()}/`,
    COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    `${COLLECTION}?x=1`,
  ])('finds the list at %s', async (path) => {
    expect((await service.call('GET', path)).status).toBe(200);
  });

  it('answers HEAD and OPTIONS', async () => {
    expect(await service.call('HEAD', COLLECTION)).toMatchObject({ status: 200, text: '' });
    const options = await service.call('OPTIONS', COLLECTION);
    expect(options).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS, POST' } });
  });

  it.each([[''], ['null'], ['[]'], [JSON.stringify(INVALID)], ['{"'], ['['.repeat(2 ** 20)]])(
    'answers 400 to a POST of %.12j, saying what was wrong',
    async (body) => {
      const answer = await service.call('POST', COLLECTION, { headers: { 'content-type': 'application/json' }, body });
      expect(answer.status).toBe(400);
      expect(answer.json.detail).toMatch(/missing|null|array|see errors|not valid JSON/);
    },
  );

  it('takes a body that the emulator encodes in base64', async () => {
    const headers = { 'content-type': 'application/octet-stream+json' };
    const answer = await service.call('POST', COLLECTION, { headers, body: `\ufeff${JSON.stringify(anItem('é'))}` });
    expect(answer.status).toBe(201);
    expect(answer.json[TEXT]).toBe('é');
  });
});
