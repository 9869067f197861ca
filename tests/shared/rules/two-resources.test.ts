import { afterAll, describe, expect, it } from '@jest/globals';
import type { AnyRoute } from '../../../shared/routing/route.js';
import { startTables } from '../../support/dynamodb/tables.js';
import { PARCELS, parcel } from '../../support/service/parcels.js';
import { parcelRoutes, type Service, startService } from '../../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

const DEPOTS = '/api/depot';
const depots = { name: 'depot', schema: parcel };
const depotRoutes = parcelRoutes.map(
  (route): AnyRoute => ({ ...route, template: route.template.replace(PARCELS, DEPOTS), resource: depots }),
);

const keysAt = async (service: Service, path: string) =>
  (await service.call('GET', path)).json.map(({ key }: { key: string }) => key);

describe.each([
  ['memory', async () => undefined],
  ['one table', async () => (await tables).create()],
])('two resources in %s', (_name, table) => {
  it('have items of their own, and begin empty if they declare no first item', async () => {
    const service = startService(undefined, { routes: [...parcelRoutes, ...depotRoutes], table: await table() });
    const [first] = await keysAt(service, PARCELS);
    expect(await keysAt(service, DEPOTS)).toEqual([]);
    const { key } = (await service.call('POST', DEPOTS, { body: { label: 'Bonn' } })).json;
    expect(await keysAt(service, DEPOTS)).toEqual([key]);
    expect(await keysAt(service, PARCELS)).toEqual([first]);
    for (const path of [`${PARCELS}/${key}`, `${DEPOTS}/${first}`])
      expect((await service.call('DELETE', path)).status).toBe(404);
    expect((await service.call('DELETE', `${DEPOTS}/${key}`)).status).toBe(204);
    expect(await keysAt(service, DEPOTS)).toEqual([]);
    expect(await keysAt(service, PARCELS)).toEqual([first]);
  });
});
