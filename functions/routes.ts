import { type AnyRoute, isRoute } from '../shared/routing/route.js';
import { documentationRoutes } from './documentation.js';
import * as todo from './todo.js';

export const resourceFiles: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { todo };

const resourceRoutes: readonly AnyRoute[] = Object.values(resourceFiles)
  .flatMap((file): unknown[] => Object.values(file))
  .filter(isRoute);

/** All routes of the service, in any order. */
export function routesOf(signIn: boolean): readonly AnyRoute[] {
  return [...resourceRoutes, ...documentationRoutes(signIn)];
}
