import { problem } from './problem.js';
import type { Request } from './request.js';
import type { Response } from './response.js';

/** Refuses a request that would change something, or admits it by answering nothing. */
export type Guard = (request: Request) => Response<403> | undefined;

/**
 * Builds the guard against writes that a page of another origin makes a browser send. CORS alone stops those that a
 * browser asks about first, and not a POST whose body has no media type. Browsers name the relation themselves, beyond
 * the reach of scripts (Fetch Metadata, section 2.3); clients that are no browsers don't, and are admitted.
 *
 * @param origins - The origins whose pages may write, or `*` for all.
 * @returns The guard.
 */
export function createGuard(origins: readonly string[]): Guard {
  const trusted = (origin: string | undefined) => origins.some((named) => named === origin || named === '*');

  return (request) => {
    const site = request.header('sec-fetch-site') ?? 'none';
    if (site === 'none' || site === 'same-origin' || trusted(request.header('origin'))) return undefined;
    return problem(request, 403, 'A page of another origin sent this, and only pages of origins known here may write.');
  };
}
