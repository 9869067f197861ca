import { v4 as newKey } from 'uuid';
import { LARGEST_BODY } from '../shared/gateway/gateway.js';
import { openLog } from '../shared/log.js';
import { storedItem } from '../shared/todo/item.js';
import { later } from '../shared/todo/later.js';
import { MemoryStore } from '../shared/todo/memory.js';
import type { TodoStore } from '../shared/todo/store.js';
import { configuration, type TableConfiguration } from './configuration.js';

/** The same in all instances, so that the first item is created once. */
const FIRST_KEY = 'c4ad22fe-1959-4c41-bcff-a182fb86ee97';

/** The collection: in the table that the configuration names, otherwise in memory for as long as this instance lives. */
export const store: TodoStore = configuration.table ? inTable(configuration.table) : inMemory();

function inMemory(): TodoStore {
  const memory = new MemoryStore(LARGEST_BODY);
  memory.create(firstItem(newKey()));
  return memory;
}

/** The code for tables is a file of its own, which nobody loads who has none. */
function inTable({ name, ...access }: TableConfiguration): TodoStore {
  const log = openLog(configuration.logLevel);
  const options = { access, table: name, capacity: LARGEST_BODY, log };
  return later(
    import('../shared/todo/dynamodb.js').then(
      ({ TableStore }) => new TableStore({ ...options, first: firstItem(FIRST_KEY) }),
    ),
  );
}

function firstItem(key: string) {
  return storedItem(key, { name: 'Item1', isComplete: false }, 1);
}
