import { jest } from '@jest/globals';
import type { AnyRoute } from '../../../shared/routing/route.js';

/**
 * Gives each service that is loaded from now on the notes of notes.ts as a second resource, as the one line in
 * functions/routes.ts would.
 */
export function addNotes(): void {
  jest.doMock('../../../functions/routes.js', () => {
    const actual = jest.requireActual<{ routes: readonly AnyRoute[] }>('../../../functions/routes.js');
    const { isRoute } = jest.requireActual<{ isRoute: (value: unknown) => boolean }>(
      '../../../shared/routing/route.js',
    );
    return { ...actual, routes: [...actual.routes, ...Object.values(require('./notes.js') as object).filter(isRoute)] };
  });
}
