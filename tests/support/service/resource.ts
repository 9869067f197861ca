// What tests send. When another resource takes the place of to-dos, this file changes, and the tests of the wire format.
import { todoItem } from '../../../functions/todo.js';

/** The resource's name: that of its file in functions/, and of its items in a table. */
export const NAME = 'todo';

/** The schema of its items. */
export const SCHEMA = todoItem;

/** The members that have a default, each with it. */
const DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(SCHEMA.properties).flatMap(([name, schema]) => ('default' in schema ? [[name, schema.default]] : [])),
);

/** The path of its list. */
export const COLLECTION = '/api/todo';

/** The ids of its operations in the documents. */
export const OPERATIONS = {
  list: 'ApiTodoGet',
  create: 'ApiTodoPost',
  find: 'ApiTodoByIdGet',
  replace: 'ApiTodoByIdPut',
  patch: 'ApiTodoByIdPatch',
  remove: 'ApiTodoByIdDelete',
} as const;

/** The members of the item that a new collection has. */
export const FIRST: Readonly<Record<string, unknown>> = { name: 'Item1', ...DEFAULTS };

/** A member that is required, and takes any text of up to 200 characters of which one is visible. */
export const TEXT = 'name';

/** A member with a default. */
export const OPTIONAL = 'isComplete';

/** Its default, and another value of it. */
export const VALUES = [false, true] as const;

/** A merge patch that changes each item that {@link anItem} makes. */
export const CHANGE = { isComplete: true };

/** A body with wrong members, and what the errors point to. */
export const INVALID = { name: ' ', isComplete: 'yes' };
export const POINTERS = ['#/name', '#/isComplete'];

/**
 * Makes the members of a valid item, those with defaults left out.
 *
 * @param text - That of the member {@link TEXT}.
 * @returns The body of a POST.
 */
export function anItem(text = 'Walk the dog') {
  return { name: text };
}
