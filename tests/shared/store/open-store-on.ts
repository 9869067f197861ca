import type { Send } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import { TableStore } from '../../../shared/store/table.js';
import { parcels } from '../../support/service/parcels.js';

/**
 * Opens a store of parcels, with the time-outs as deployed, that sends its requests to a function of the test.
 *
 * @param send - Stands for the network and DynamoDB.
 * @param since - When the total time-out of the request began; now when left out.
 * @returns The collection of a request.
 */
export function openStoreOn(send: Send, since?: number) {
  const access = { endpoint: '', region: '', credentials: { accessKeyId: '', secretAccessKey: '' } };
  const options = { access, table: 'parcels', capacity: 6_000_000, log: openLog('silent'), connect: () => send };
  return new TableStore(parcels, options).for({ requestId: 'request-1', since });
}
