import type { Access } from '../dynamodb/access.js';
import { createClient, TIMEOUTS, type Timeouts } from '../dynamodb/retry.js';
import { connect as connectOverHttp, type Send } from '../dynamodb/send.js';
import type { Resource } from '../schema/resource.js';
import type { ObjectSchema } from '../schema/schema.js';
import { FIRST_KEY } from './key.js';
import { partitionsOf } from './partition.js';
import { createRowReader } from './row.js';
import type { Store } from './store.js';
import { TableCollection } from './table-collection.js';
import { firstVersion } from './version.js';

export interface TableOptions {
  readonly access: Access;
  /** Its partition key is the string `partition`, its sort key the string `key`. */
  readonly table: string;
  /** The most bytes that a list may take, inside a string of the result's JSON. */
  readonly capacity: number;
  readonly timeouts?: Timeouts;
  /** Over HTTP when left out. */
  readonly connect?: ((access: Access) => Send) | undefined;
}

export function openTable<Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  { access, table, capacity, timeouts = TIMEOUTS, connect = connectOverHttp }: TableOptions,
): Store<Schema> {
  const { name, initial } = resource;
  const clientOf = createClient(connect(access), timeouts);
  const shared = {
    name: table,
    capacity,
    rows: createRowReader(resource),
    first: initial && firstVersion<Schema>(FIRST_KEY, initial),
  };
  return ({ requestId, owner, since }) =>
    new TableCollection(shared, clientOf(requestId, since), partitionsOf(name, owner));
}
