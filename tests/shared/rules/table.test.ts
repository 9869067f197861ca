import { afterAll, describe, expect, it, jest } from '@jest/globals';
import type { Fault } from '../../support/dynamodb/faults.js';
import { startFaultyServer } from '../../support/dynamodb/faulty-server.js';
import { startTables } from '../../support/dynamodb/tables.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { keepInTables, startService } from '../../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

describe('with the collection in a table', () => {
  // One gateway is enough, because a store does not know from which one a request came.
  jest.doMock('../../support/gateways/gateways.js', () => {
    const { gateways, ...actual } = jest.requireActual<{ gateways: object[] }>('../../support/gateways/gateways.js');
    const one = gateways.slice(0, 1);
    return { ...actual, gateways: one, typicalGateways: one };
  });
  keepInTables(async () => (await tables).create());
  for (const suite of ['operations', 'list', 'conditions', 'idempotency']) require(`./${suite}.test.js`);

  it.each<Fault>(['cut before', 'cut after', 'cut within the reply'])(
    'a connection that breaks is not noticed by callers: %s',
    async (fault) => {
      const { endpoint } = await tables;
      const server = await startFaultyServer(endpoint);
      const table = { ...(await (await tables).create()), endpoint: server.endpoint };
      const service = startService(undefined, { table });
      for (const attempts of [0, 1]) {
        server.misbehave(...Array<Fault>(attempts).fill(fault));
        const { json } = await expectStatus(201, service.call('POST', PARCELS, { body: { label: 'a' } }));
        server.misbehave(fault);
        expect((await service.call('GET', `${PARCELS}/${json.key}`)).json).toEqual(json);
      }
      expect((await service.call('GET', PARCELS)).json).toHaveLength(3);
      await server.stop();
    },
  );
});
