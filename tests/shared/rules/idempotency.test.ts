import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

const service = startService();

function post(idempotencyKey: string, body: unknown = { label: 'once' }) {
  return service.call('POST', PARCELS, { headers: { 'Idempotency-Key': idempotencyKey }, body });
}

async function count(): Promise<number> {
  return (await service.call('GET', PARCELS)).json.length;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('POST the collection with an Idempotency-Key', () => {
  it('gets the same answer again and creates one item, in quotes or not, even if the key is that of an item', async () => {
    const { key } = (await service.call('POST', PARCELS, { body: { label: 'another' } })).json;
    const before = await count();
    const first = await post(key);
    expect(first.status).toBe(201);
    for (const again of [await post(key), await post(`"${key}"`)]) {
      expect(again).toMatchObject({ status: 201, text: first.text });
      expect(again.headers).toMatchObject({ location: first.headers.location, etag: '"1"' });
    }
    expect(await count()).toBe(before + 1);
    expect(first.json.key).not.toBe(key);
  });

  it('gets the same answer after the item was changed or deleted, and does not undo that', async () => {
    const key = randomUUID();
    const first = await post(key);
    const path = `${PARCELS}/${first.json.key}`;
    await service.call('PATCH', path, { body: { fragile: true } });
    expect(await post(key)).toMatchObject({ status: 201, text: first.text });
    expect((await service.call('GET', path)).json).toMatchObject({ fragile: true });
    await service.call('DELETE', path);
    expect(await post(key)).toMatchObject({ status: 201, text: first.text });
    expect((await service.call('GET', path)).status).toBe(404);
  });

  it('creates one item, even if it is sent several times at once', async () => {
    const before = await count();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('gets the same answer if only the letter case of names, the order or defaults differ', async () => {
    const key = randomUUID();
    const first = await post(key, { label: 'a', fragile: false });
    const again = '{ "key": "ignored", "pieces": 1, "LABEL": "a" }';
    expect((await post(key, again)).text).toBe(first.text);
  });

  it('returns 422 with other members, and creates nothing', async () => {
    const key = randomUUID();
    await post(key, { label: 'a' });
    const before = await count();
    const answer = await post(key, { label: 'b' });
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toMatch('Send this request with a new key.');
    expect(await count()).toBe(before);
  });

  it('gets the same answer for an hour, and creates another item after that', async () => {
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    const key = randomUUID();
    const first = await post(key);
    clock.mockReturnValue(start + 59 * 60_000);
    expect((await post(key)).text).toBe(first.text);
    clock.mockReturnValue(start + 60 * 60_000);
    const second = await post(key);
    expect(second.status).toBe(201);
    expect(second.json.key).not.toBe(first.json.key);
  });

  it('creates an item for each key, and one for each POST without a key', async () => {
    const before = await count();
    for (const headers of [{ 'Idempotency-Key': randomUUID() }, { 'Idempotency-Key': randomUUID() }, {}, {}])
      await service.call('POST', PARCELS, { headers, body: { label: 'once' } });
    expect(await count()).toBe(before + 4);
  });

  it('returns 400 if the key is malformed, before its body is checked', async () => {
    const answer = await post('a b', '');
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toMatch('Idempotency-Key is malformed');
  });

  it('does not use up its key if it is rejected', async () => {
    const key = randomUUID();
    expect((await post(key, { label: ' ' })).status).toBe(400);
    expect((await post(key)).status).toBe(201);
  });
});

it('an Idempotency-Key is ignored by operations that take none', async () => {
  const headers = { 'Idempotency-Key': 'a b' };
  expect((await service.call('GET', PARCELS, { headers })).status).toBe(200);
});
