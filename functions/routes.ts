import type { AnyRoute } from '../shared/http/route.js';
import { createItem, deleteItem, findItem, listItems, patchItem, replaceItem } from './todo.js';

/** All that the service answers: what is not here does not exist. The order means nothing. */
export const routes: readonly AnyRoute[] = [listItems, createItem, findItem, replaceItem, patchItem, deleteItem];
