import { afterAll, describe, expect, it } from '@jest/globals';
import * as answer from '../../../shared/http/answer.js';
import { route } from '../../../shared/routing/route.js';
import { resource } from '../../../shared/schema/resource.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';
import { startTables } from '../../support/dynamodb/tables.js';
import { PARCELS } from '../../support/service/parcels.js';
import { parcelRoutes, type Service, startService } from '../../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

const depot = {
  title: 'Depot',
  properties: { key: { type: 'string', format: 'uuid', readOnly: true }, town: { type: 'string', minLength: 1 } },
} as const satisfies ObjectSchema;
const depots = resource({ name: 'depot', schema: depot });
const DEPOTS = '/api/depot';

const depotRoutes = [
  route({
    method: 'GET',
    template: DEPOTS,
    resource: depots,
    answers: { 200: { content: [depot] } },
    run: async ({ request, items }) => answer.listed(request, DEPOTS, await items.list({})),
  }),
  route({
    method: 'POST',
    template: DEPOTS,
    resource: depots,
    body: { schema: depot },
    answers: { 201: { content: depot }, 413: {}, 507: {} },
    run: async ({ request, members, items }) => answer.created(request, DEPOTS, await items.create(members)),
  }),
  route({
    method: 'DELETE',
    template: `${DEPOTS}/{id}`,
    resource: depots,
    answers: { 204: {}, 404: {}, 412: {} },
    run: async ({ request, parameters, items }) =>
      answer.removed(request, await items.remove(parameters.id, undefined)),
  }),
];

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
    const { key } = (await service.call('POST', DEPOTS, { body: { town: 'Bonn' } })).json;
    expect(await keysAt(service, DEPOTS)).toEqual([key]);
    expect(await keysAt(service, PARCELS)).toEqual([first]);
    for (const [method, path] of [
      ['GET', `${PARCELS}/${key}`],
      ['DELETE', `${PARCELS}/${key}`],
      ['DELETE', `${DEPOTS}/${first}`],
    ] as const) {
      expect((await service.call(method, path)).status).toBe(404);
    }
    expect((await service.call('DELETE', `${DEPOTS}/${key}`)).status).toBe(204);
    expect(await keysAt(service, DEPOTS)).toEqual([]);
    expect(await keysAt(service, PARCELS)).toEqual([first]);
  });
});
