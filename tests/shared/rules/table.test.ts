import { afterAll, describe, jest } from '@jest/globals';
import { startTables } from '../../support/dynamodb/tables.js';
import { useOptions } from '../../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

describe('with the collection in a table', () => {
  // One gateway is enough, because a store does not know from which one a request came.
  jest.doMock('../../support/gateways/gateways.js', () => {
    const { gateways, ...actual } = jest.requireActual<{ gateways: object[] }>('../../support/gateways/gateways.js');
    const one = gateways.slice(0, 1);
    return { ...actual, gateways: one, typicalGateways: one };
  });
  useOptions({ createTable: async () => (await tables).create() });
  for (const suite of ['operations', 'conditions', 'idempotency']) require(`./${suite}.test.js`);
});
