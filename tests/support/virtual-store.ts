import { jest } from '@jest/globals';
import { TIMEOUTS } from '../../shared/dynamodb/retry.js';
import type { Send } from '../../shared/dynamodb/send.js';
import { openLog } from '../../shared/log/log.js';
import { type parcelSchema, parcels } from './parcels.js';

type Opened = import('../../shared/store/table.js').TableStore<typeof parcelSchema>;

/**
 * Opens a store of parcels that reaches DynamoDB in a way of the test's own, with the time-outs as deployed.
 *
 * @param send - Takes the place of the network and DynamoDB.
 * @returns The store.
 */
export function openStoreOn(send: Send): Opened {
  const path = '../../shared/dynamodb/send.js';
  let store: Opened | undefined;
  jest.isolateModules(() => {
    jest.doMock(path, () => ({ ...jest.requireActual<object>(path), connect: () => send }));
    const { TableStore } = require('../../shared/store/table.js') as typeof import('../../shared/store/table.js');
    const access = { endpoint: '', region: '', credentials: { accessKeyId: '', secretAccessKey: '' } };
    const options = { access, table: 'parcels', capacity: 6_000_000, log: openLog('silent'), timeouts: TIMEOUTS };
    store = new TableStore(parcels, options);
    jest.dontMock(path);
  });
  return store as Opened;
}
