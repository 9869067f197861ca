import { type AnyRoute, isRoute } from '../shared/routing/route.js';
import { documentationRoutes, type WhoseTokens } from './documentation.js';
import * as todo from './todo.js';

/** The resources: each is declared in the file of that name in this folder, and described in the documents. */
export const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { todo };

/** The routes of the resources. */
export const resourceRoutes: readonly AnyRoute[] = Object.values(resources)
  .flatMap((file): unknown[] => Object.values(file))
  .filter(isRoute);

/** All routes of the service. Their order has no effect. */
export function routesOf(tokens: WhoseTokens | undefined): readonly AnyRoute[] {
  return [...resourceRoutes, ...documentationRoutes(tokens)];
}
