import { afterAll, describe, expect, it } from '@jest/globals';
import { startTables } from '../../support/dynamodb/tables.js';
import { PARCELS, parcels } from '../../support/service/parcels.js';
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
