import { type AnyRoute, isRoute } from '../shared/routing/route.js';
import * as swagger from './swagger.js';
import * as todo from './todo.js';

/** The resources: each is declared in the file of that name in this folder, and described in the documents. */
export const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { todo };

/** All routes of the service: what is not here does not exist. Their order has no effect. */
export const routes: readonly AnyRoute[] = [...Object.values(resources), swagger]
  .flatMap((file): unknown[] => Object.values(file))
  .filter(isRoute);
