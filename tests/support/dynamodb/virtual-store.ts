import { jest } from '@jest/globals';
import type { Send } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import { type parcelSchema, parcels } from '../service/fixtures.js';

type Opened = import('../../../shared/store/table.js').TableStore<typeof parcelSchema>;

/**
 * Opens a store of parcels that reaches DynamoDB in a way of the test's own, with the time-outs as deployed.
 *
 * @param send - Takes the place of the network and DynamoDB.
 * @returns The store.
 */
export function openStoreOn(send: Send): Opened {
  return openStoresOn(send, 1)[0] as Opened;
}

/** Opens several of them, as instances that know nothing of each other. */
export function openStoresOn(send: Send, count: number): Opened[] {
  const path = '../../../shared/dynamodb/send.js';
  let stores: Opened[] = [];
  jest.isolateModules(() => {
    jest.doMock(path, () => ({ ...jest.requireActual<object>(path), connect: () => send }));
    const { TableStore } = require('../../../shared/store/table.js') as typeof import('../../../shared/store/table.js');
    const access = { endpoint: '', region: '', credentials: { accessKeyId: '', secretAccessKey: '' } };
    const options = { access, table: 'parcels', capacity: 6_000_000, log: openLog('silent') };
    stores = Array.from({ length: count }, () => new TableStore(parcels, options));
    jest.dontMock(path);
  });
  return stores;
}
