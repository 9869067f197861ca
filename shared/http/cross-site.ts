import type { Request, Response } from './message.js';
import { problemResponse } from './problem.js';

/** Returns the answer to a write that it rejects; undefined for an admitted write, and for every read. */
export type CsrfProtection = (request: Request) => Response<403> | undefined;

/**
 * Builds the protection from writes that a page of another origin makes a browser send (CSRF). CORS alone does not stop a POST
 * without a media type, because browsers send it without a preflight. Browsers set `Sec-Fetch-Site` themselves, and scripts
 * can't (Fetch Metadata, section 2.3); other clients don't send it, and are admitted. Pages of the origins named may write,
 * with `*` those of all.
 */
export function createCsrfProtection(origins: readonly string[]): CsrfProtection {
  const trusted = (origin: string | undefined) => origins.some((named) => named === origin || named === '*');

  return (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return undefined;
    const site = request.header('sec-fetch-site') ?? 'none';
    if (site === 'none' || site === 'same-origin' || trusted(request.header('origin'))) return undefined;
    return problemResponse(request, 'cross-site-write');
  };
}
