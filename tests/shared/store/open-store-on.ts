import type { Send } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import { TableStore } from '../../../shared/store/table.js';
import { parcels } from '../../support/service/parcels.js';

/** Opens a store of parcels that sends its requests to a function of the test, `since` its total time-out began. */
export function openStoreOn(send: Send, since?: number) {
  const access = { endpoint: '', region: '', credentials: { accessKeyId: '', secretAccessKey: '' } };
  const options = { access, table: 'parcels', capacity: 6_000_000, log: openLog('silent'), connect: () => send };
  return new TableStore(parcels, options).for({ requestId: 'request-1', since });
}
