import { randomUUID } from 'node:crypto';

/** The collection of every peer but the bare handler, which has its own. */
export const items = new Map();

create({ name: 'Item1' });

/** Adds an item under a new key. */
export function create({ name, isComplete = false }) {
  const item = { key: randomUUID(), name, isComplete };
  items.set(item.key, item);
  return item;
}

/** Puts an item in the place of another. */
export function replace(key, { name, isComplete = false }) {
  items.set(key, { key, name, isComplete });
}

/** Says what is wrong with an item to create, or one that replaces the item of this key. */
export function flaw(item, key = item?.key) {
  if (typeof item?.name !== 'string' || item.name.trim() === '') return 'name must be a string that is not blank';
  if (typeof (item.isComplete ?? false) !== 'boolean') return 'isComplete must be true or false';
  return item.key === key ? undefined : 'key must be the one in the path';
}
