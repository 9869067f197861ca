import { type Client, createClient, TIMEOUTS, type Timeouts } from '../dynamodb/retry.js';
import { type Access, connect, type Send } from '../dynamodb/send.js';
import type { Log } from '../log/log.js';
import type { Resource } from '../schema/resource.js';
import type { ObjectSchema } from '../schema/schema.js';
import { FIRST_KEY } from './key.js';
import { partitionsOf } from './partition.js';
import { createRowReader } from './row.js';
import type { Collection, RequestContext, Store } from './store.js';
import { type Table, TableCollection } from './table-collection.js';
import { firstVersion } from './version.js';

export interface TableOptions {
  readonly access: Access;
  /** The table's name. Its partition key is the string `partition`, its sort key the string `key`. */
  readonly table: string;
  /** The most bytes that a list may take, inside a string of the result's JSON. */
  readonly capacity: number;
  readonly log: Log;
  readonly timeouts?: Timeouts;
  /** How requests reach DynamoDB; over HTTP when left out. */
  readonly connect?: ((access: Access) => Send) | undefined;
}

/** Keeps the items of a resource in a DynamoDB table, for any number of instances. */
export class TableStore<Schema extends ObjectSchema> implements Store<Schema> {
  readonly #name: string;
  readonly #client: Client;
  readonly #table: Table<Schema>;

  constructor({ name, schema, first }: Resource<Schema>, options: TableOptions) {
    const send = (options.connect ?? connect)(options.access);
    this.#name = name;
    this.#client = createClient(send, options.log, options.timeouts ?? TIMEOUTS);
    this.#table = {
      name: options.table,
      capacity: options.capacity,
      read: createRowReader(schema),
      first: first && firstVersion<Schema>(FIRST_KEY, first),
    };
  }

  for({ requestId, owner, since }: RequestContext): Collection<Schema> {
    return new TableCollection(this.#table, this.#client(requestId, since), partitionsOf(this.#name, owner));
  }
}
