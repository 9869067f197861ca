import type { ListPage } from './store.js';

/**
 * Makes a page of a list.
 *
 * @param versions - The items on it.
 * @param next - The cursor of the next page; undefined where the list ends.
 * @returns The page.
 */
export function pageOf(versions: readonly { readonly json: string }[], next?: string): ListPage {
  const json = `[${versions.map((version) => version.json).join(',')}]`;
  return next === undefined ? { json } : { json, next };
}
