import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { anItem, CHANGE, COLLECTION, INVALID, OPTIONAL, TEXT, VALUES } from '../support/service/resource.js';
import { startService } from '../support/service/service.js';

const service = startService();

/** A POST that can be sent again. */
function aPost(body: object = anItem('once')) {
  const headers = { 'Idempotency-Key': `"${randomUUID()}"` };
  return () => service.call('POST', COLLECTION, { headers, body });
}

async function count(): Promise<number> {
  return (await service.call('GET', COLLECTION)).json.length;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('POST the collection with an Idempotency-Key', () => {
  it('gives the same answer again and creates one item', async () => {
    const before = await count();
    const send = aPost();
    const first = await send();
    expect(first.status).toBe(201);
    const again = await send();
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers).toMatchObject({ location: first.headers.location, etag: '"1"' });
    expect(await count()).toBe(before + 1);
  });

  it('gives the same answer when the item was changed or deleted meanwhile, and leaves it so', async () => {
    const send = aPost();
    const first = await send();
    const path = `${COLLECTION}/${first.json.key}`;
    await service.call('PATCH', path, { body: CHANGE });
    expect(await send()).toMatchObject({ status: 201, text: first.text });
    expect((await service.call('GET', path)).json).toMatchObject(CHANGE);
    await service.call('DELETE', path);
    expect(await send()).toMatchObject({ status: 201, text: first.text });
    expect((await service.call('GET', path)).status).toBe(404);
  });

  it('creates one item for requests at the same time', async () => {
    const before = await count();
    const send = aPost();
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('compares what the members mean: their spelling, order and defaults make no difference', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const post = (body: unknown) => service.call('POST', COLLECTION, { headers, body });
    const { [TEXT]: _text, ...others } = anItem('a');
    const first = await post(JSON.stringify({ ...anItem('a'), [OPTIONAL]: VALUES[0] }));
    expect((await post(JSON.stringify({ [TEXT.toUpperCase()]: 'a', key: 'ignored', ...others }, null, 2))).text).toBe(
      first.text,
    );
  });

  it('takes a key with quotes and without for the same', async () => {
    const key = randomUUID();
    const post = (sent: string) =>
      service.call('POST', COLLECTION, { headers: { 'Idempotency-Key': sent }, body: anItem('a') });
    expect((await post(key)).text).toBe((await post(`"${key}"`)).text);
  });

  it('answers 422 for other members, and creates nothing', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await service.call('POST', COLLECTION, { headers, body: anItem('a') });
    const before = await count();
    const answer = await service.call('POST', COLLECTION, { headers, body: anItem('b') });
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toMatch('Send the request with a key of its own.');
    expect(await count()).toBe(before);
  });

  it('gives the same answer for an hour, and creates another item after that', async () => {
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    const send = aPost();
    const first = await send();
    clock.mockReturnValue(start + 59 * 60_000);
    expect((await send()).text).toBe(first.text);
    clock.mockReturnValue(start + 60 * 60_000);
    const second = await send();
    expect(second.status).toBe(201);
    expect(second.json.key).not.toBe(first.json.key);
  });

  it('creates an item for each key, and one for each POST without a key', async () => {
    const before = await count();
    for (const send of [aPost(), aPost()]) expect((await send()).status).toBe(201);
    const body = anItem('once');
    for (let time = 0; time < 2; time += 1) expect((await service.call('POST', COLLECTION, { body })).status).toBe(201);
    expect(await count()).toBe(before + 4);
  });

  it.each([
    ['64 visible characters', 'k'.repeat(64), 201],
    ['65 of them', 'k'.repeat(65), 400],
    ['64 of them in quotes', `"${'k'.repeat(63)}!"`, 201],
    ['65 of them in quotes', `"${'k'.repeat(65)}"`, 400],
    ['nothing in quotes', '""', 400],
    ['two keys', '"a", "b"', 400],
    ['a letter that is not ASCII', '"\u00e9"', 400],
  ])('takes 1 to 64 visible characters: %s', async (_what, key, status) => {
    const answer = await service.call('POST', COLLECTION, {
      headers: { 'Idempotency-Key': key },
      body: anItem('a'),
    });
    expect(answer.status).toBe(status);
  });

  it('answers 400 for a key that is malformed, before it looks at the body', async () => {
    const answer = await service.call('POST', COLLECTION, { headers: { 'Idempotency-Key': 'a b' }, body: '' });
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toMatch('Idempotency-Key is malformed');
  });

  it('does not remember a request that was rejected', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    expect((await service.call('POST', COLLECTION, { headers, body: INVALID })).status).toBe(400);
    expect((await service.call('POST', COLLECTION, { headers, body: anItem('a') })).status).toBe(201);
  });

  it('is ignored by operations that do not take one', async () => {
    const headers = { 'Idempotency-Key': 'a b' };
    expect((await service.call('GET', COLLECTION, { headers })).status).toBe(200);
  });
});
