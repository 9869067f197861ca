import type { AnyRoute } from '../shared/http/route.js';
import { getDocument, getPage, redirectRoot, redirectSwagger } from './swagger.js';
import { createItem, deleteItem, findItem, listItems, patchItem, replaceItem } from './todo.js';

/** The operations on to-do items: the service's interface, as the description document has it. */
export const interfaceRoutes: readonly AnyRoute[] = [
  listItems,
  createItem,
  findItem,
  replaceItem,
  patchItem,
  deleteItem,
];

/** All that the service answers: what is not here does not exist. The order means nothing. */
export const routes: readonly AnyRoute[] = [...interfaceRoutes, getDocument, getPage, redirectRoot, redirectSwagger];
