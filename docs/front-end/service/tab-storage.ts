import { Failure } from './failure.js';

/**
 * The storage of this tab.
 *
 * @throws Failure if the browser stores nothing for this site.
 */
export function tabStorage(): Storage {
  try {
    return sessionStorage;
  } catch {
    throw new Failure(
      'Your browser stores nothing for this site, which needs that. Allow it, and load this page again.',
    );
  }
}
