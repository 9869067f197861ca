import { afterAll, describe, expect, it } from '@jest/globals';
import { startTables } from '../../support/dynamodb/tables.js';
import { PARCELS, type Parcel, type ParcelMembers, parcels } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

describe.each([
  ['memory', async () => undefined],
  ['a table', async () => (await tables).create()],
])('members of all types in %s', (_name, table) => {
  it('are kept as they were sent, patched one by one, and replaced, in the order of the schema', async () => {
    const service = startService(undefined, { table: await table() });
    const sent = {
      label: 'a',
      note: 'to be signed for',
      service: 'express',
      day: '2026-12-23',
      due: '2026-12-24T18:00:00+01:00',
      pieces: 5,
      weight: 1e-7,
      fragile: true,
      tags: ['x', 'é'],
      sizes: [null, -1.5],
    };
    const { text, json } = await service.call('POST', PARCELS, { body: { other: 1, ...sent } });
    expect(text).toBe(JSON.stringify({ key: json.key, ...sent }));
    const changed = async (method: string, body: object) => {
      expect((await service.call(method, `${PARCELS}/${json.key}`, { body })).status).toBe(204);
      const { key: _key, ...members } = (await service.call('GET', `${PARCELS}/${json.key}`)).json;
      return members;
    };
    expect(await changed('PATCH', { TAGS: [], pieces: 1 })).toEqual({ ...sent, pieces: 1, tags: [] });
    const left = { ...sent, note: null, pieces: 1, sizes: [1, 2, 3], tags: [] };
    expect(await changed('PATCH', { note: null, pieces: null, sizes: null })).toEqual(left);
    const replaced = { ...parcels.first, label: 'b', weight: 2 };
    expect(await changed('PUT', { key: json.key, label: 'b', weight: 2 })).toEqual(replaced);
  });
});

it.each([
  [{}, '#/label', 'Must be a string that contains a character that is not white space, but is missing.'],
  [
    { label: 'a', due: 'soon' },
    '#/due',
    'Must be a date and time such as "2026-11-21T09:30:00Z", or null; got "soon".',
  ],
  [{ label: 'a', service: 'drone' }, '#/service', 'Must be one of "letter", "express"; got "drone".'],
  [{ label: 'a', pieces: 6 }, '#/pieces', 'Must be an integer from 1 to 5; got 6.'],
  [{ label: 'a', weight: null }, '#/weight', 'Must be a number of at least 0; got null.'],
  [{ label: 'a', tags: ['a', 'a'] }, '#/tags', expect.stringContaining('but has duplicates')],
  [{ label: 'a', tags: ['a', ''] }, '#/tags/1', 'Must be a string of at least 1 character; got "".'],
])('the body %j returns 400, by the schema', async (body, pointer, detail) => {
  const { status, json } = await startService().call('POST', PARCELS, { body });
  expect(status).toBe(400);
  expect(json.errors).toEqual([{ pointer, detail }]);
});

it('members have the types of their schema: no other value compiles', () => {
  const item = {} as Parcel;
  const right: readonly [string | null, number, readonly string[]] = [item.due, item.pieces, item.tags];
  const service: 'letter' | 'express' = item.service;
  // @ts-expect-error an integer is no boolean
  const integer: boolean = item.pieces;
  // @ts-expect-error it may be null
  const text: string = item.due;
  // @ts-expect-error an item is not to be changed
  item.tags?.push('x');
  const patch: Partial<ParcelMembers> = { pieces: 1 };
  // @ts-expect-error an integer is no boolean
  const wrong: Partial<ParcelMembers> = { pieces: true };
  // @ts-expect-error the service assigns it
  const assigned: Partial<ParcelMembers> = { key: 'x' };
  // @ts-expect-error a whole item has all members that a client sets
  const partial: ParcelMembers = { label: 'a', fragile: false };
  expect([right, service, integer, text, patch, wrong, assigned, partial]).toHaveLength(8);
});
