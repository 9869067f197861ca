// The resource of the deployed service, for tests that hold for any other in its place.
import { exampleItemOf } from '../../docs/generator/schemas.js';
import { todos } from '../../functions/todo.js';
import { writable } from '../../shared/schema/schema.js';

/** The path of the list. */
export const COLLECTION = todos.path;

/** A body that POST takes: the examples of its members. */
export const MEMBERS = JSON.stringify(exampleItemOf(writable(todos.schema)));
