import type { Operation } from './description.js';

/**
 * Sorts operations into paths, as both formats have them.
 *
 * @param operations - The operations.
 * @param write - Writes one.
 * @returns What was written, by path and method.
 */
export function byPath(operations: readonly Operation[], write: (operation: Operation) => object): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: write(operation) };
  }
  return paths;
}

/**
 * Leaves out the definitions that nothing refers to. Definitions do not refer to each other.
 *
 * @param definitions - All of them by name.
 * @param paths - What refers to them.
 * @param prefix - What a reference has in front of the name.
 * @returns Those that are referred to.
 */
export function referenced(
  definitions: readonly (readonly [name: string, definition: object])[],
  paths: object,
  prefix: string,
): object {
  const text = JSON.stringify(paths);
  return Object.fromEntries(definitions.filter(([name]) => text.includes(`"${prefix}${name}"`)));
}
