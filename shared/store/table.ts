import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { createClient } from '../dynamodb/client.js';
import type { Resource } from '../schema/resource.js';
import type { ObjectSchema } from '../schema/schema.js';
import { FIRST_KEY } from './key.js';
import { partitionsOf } from './partition.js';
import { createRowReader } from './row.js';
import type { Store } from './store.js';
import { TableCollection } from './table-collection.js';
import { firstVersion } from './version.js';

export interface TableOptions {
  /** Its partition key is the string `partition`, its sort key the string `key`. */
  readonly table: string;
  /** The most bytes that a list may take, inside a string of the result's JSON. */
  readonly capacity: number;
  /** How to reach the table. What is left out comes from the environment, as in all programs that use AWS's SDK. */
  readonly access?: DynamoDBClientConfig;
}

export function openTable<Schema extends ObjectSchema>(
  resource: Resource<Schema>,
  { table, capacity, access = {} }: TableOptions,
): Store<Schema> {
  const { name, initial } = resource;
  const clientOf = createClient(access);
  const shared = {
    name: table,
    capacity,
    rows: createRowReader(resource),
    first: initial && firstVersion<Schema>(FIRST_KEY, initial),
  };
  return ({ requestId, owner, since }) =>
    new TableCollection(shared, clientOf(requestId, since), partitionsOf(name, owner));
}
