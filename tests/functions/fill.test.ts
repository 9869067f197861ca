import { describe, expect, it } from '@jest/globals';
import { LARGEST_BODY, LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { type Kind, kinds } from '../support/kinds.js';
import { loadHandler } from '../support/service.js';
import { faultsOf } from '../support/sound.js';

/** The longest origin that the configuration takes. */
const ORIGIN = `https://${'a'.repeat(241)}.example.com:65535`;

/** What a text takes inside the result's JSON, in bytes. */
const inResult = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

/** A name of such units that an item takes just so many bytes of the list, its comma among them. */
function nameFor(bytes: number, unit: string): string {
  const each = inResult(JSON.stringify(unit)) - inResult('""');
  const key = '00000000-0000-4000-8000-000000000000';
  const room = bytes - inResult(JSON.stringify({ key, name: '', isComplete: false })) - 1;
  return `x${unit.repeat(Math.floor((room - 1) / each))}${'x'.repeat((room - 1) % each)}`;
}

/** The service, called as by a page of that origin; what the whole result takes is checked each time. */
function startAtLongest(kind: Kind) {
  const handle = loadHandler({ CORS_ORIGINS: ORIGIN });
  const headers = { Origin: ORIGIN, 'Content-Type': 'application/json' };
  return async (method: string, path: string, body?: object) => {
    const result = await handle(kind.event({ method, path, headers, body: body && JSON.stringify(body) }));
    expect(faultsOf(result)).toEqual([]);
    return result as { statusCode: number; body: string };
  };
}

/** Fills the list to the byte: one more is refused. */
async function fill(kind: Kind, unit: string) {
  const call = startAtLongest(kind);
  const used = inResult((await call('GET', '/api/todo')).body);
  const name = nameFor(LARGEST_BODY - used, unit);
  expect((await call('POST', '/api/todo', { name: `${name}x` })).statusCode).toBe(507);
  const created = await call('POST', '/api/todo', { name });
  expect(created.statusCode).toBe(201);
  const list = (await call('GET', '/api/todo')).body;
  expect(inResult(list)).toBe(LARGEST_BODY);
  return { call, name, path: `/api/todo/${JSON.parse(created.body).key}`, list };
}

describe.each(kinds)('the list behind $name', (kind) => {
  it('is filled to the byte, with all that JSON within JSON escapes', async () => {
    await fill(kind, '"\\\u0001\n\u2028é€😀\ud800');
  });
});

describe('the list', () => {
  it.each(['x', '"', '\\', '\u0001', '\n', '\u2028', 'é', '€', '😀', '\ud800'])(
    'filled to the byte with %j takes no more, and is left as it is by what is refused',
    async (unit) => {
      const { call, name, path, list } = await fill(kinds[0] as Kind, unit);
      const key = path.slice('/api/todo/'.length);
      const tooLarge = nameFor(LARGEST_BODY, unit);
      expect((await call('POST', '/api/todo', { name: tooLarge })).statusCode).toBe(413);
      expect((await call('POST', '/api/todo', { name: nameFor(LARGEST_BODY - 1, unit) })).statusCode).toBe(507);
      expect((await call('POST', '/api/todo', { name: 'x' })).statusCode).toBe(507);
      for (const method of ['PUT', 'PATCH']) {
        expect((await call(method, path, { key, name: `${name}x` })).statusCode).toBe(507);
        expect((await call(method, path, { key, name: `${tooLarge}x` })).statusCode).toBe(413);
      }
      expect((await call('GET', '/api/todo')).body).toBe(list);
      // Done, the item takes a byte less.
      expect((await call('PATCH', path, { isComplete: true, name: `${name}xx` })).statusCode).toBe(507);
      expect((await call('PATCH', path, { isComplete: true, name: `${name}x` })).statusCode).toBe(204);
      expect(inResult((await call('GET', '/api/todo')).body)).toBe(LARGEST_BODY);
    },
  );

  it('leaves room for the longest header fields that the configuration allows, and for a link to a next part', async () => {
    const result = await startAtLongest(kinds[0] as Kind)('GET', '/api/todo');
    const rest = Buffer.byteLength(JSON.stringify({ ...result, body: '' }));
    expect(LARGEST_RESULT - LARGEST_BODY - rest).toBeGreaterThanOrEqual(350);
  });
});
