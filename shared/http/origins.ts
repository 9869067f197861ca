import { Problem } from '../problem.js';
import type { Headers, Request, Response } from './message.js';

/**
 * Creates a check that throws a Problem for writes that a page of another origin makes a browser send (CSRF). CORS does not
 * stop a POST without a media type, which needs no preflight. Browsers set `Sec-Fetch-Site`, and scripts can't (Fetch
 * Metadata, section 2.3). Clients that don't send it may write.
 *
 * @param origins - The origins of pages that may write, or `*` for all.
 */
export function createCsrfProtection(origins: readonly string[]): (request: Request) => void {
  const trusted = (origin: string | undefined) => origins.some((named) => named === origin || named === '*');

  return (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const site = request.header('sec-fetch-site') ?? 'none';
    if (site === 'none' || site === 'same-origin' || trusted(request.header('origin'))) return;
    throw new Problem('cross-site-write');
  };
}

export type Cors = (request: Request, response: Response) => Response;

/**
 * Creates the function that adds the header fields of CORS (Fetch standard, section 3.3). Credentials are never allowed.
 *
 * @param origins - The origins of pages that may call, or `*` for all.
 * @param signIn - With sign-in, pages may read the challenge of a 401, which REST APIs rename.
 */
export function createCors(origins: readonly string[], signIn: boolean): Cors {
  if (origins.length === 0) return (_request, response) => response;
  const any = origins.includes('*');
  const challenge = signIn ? ', WWW-Authenticate, x-amzn-Remapped-WWW-Authenticate' : '';
  const exposed = { 'Access-Control-Expose-Headers': `Allow, ETag, Link, Location, Retry-After${challenge}` };

  return (request, response) => {
    const vary = any ? undefined : [response.headers.Vary, 'Origin'].filter(Boolean).join(', ');
    const headers: Headers = { ...response.headers, ...(vary && { Vary: vary }) };
    // `*` is in every response, even without `Origin`, because a cache may give the response to any page.
    const origin = any ? '*' : origins.find((named) => named === request.header('origin'));
    if (origin === undefined) return { ...response, headers };
    const preflight = request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined;
    const more = preflight ? preflightHeaders(response.headers.Allow ?? '') : exposed;
    return { ...response, headers: { ...headers, 'Access-Control-Allow-Origin': origin, ...more } };
  };
}

/**
 * Allows any header field, because tracing adds some. `*` does not include `Authorization` (Fetch standard, section
 * 3.3.3). Chromium keeps a preflight for two hours at most.
 */
function preflightHeaders(methods: string): Headers {
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '7200',
  };
}
