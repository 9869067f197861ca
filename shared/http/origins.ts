import type { Headers, Request, Response } from './message.js';
import { problemResponse } from './problem.js';

/**
 * Gives the origin of a page's address as the page sends it, with the host and port of any scheme: URL itself knows no origins of
 * the schemes of apps. Undefined if the text is no URL.
 */
export function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

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

/** Adds the header fields that let a page of another origin read a response. */
export type Cors = (request: Request, response: Response) => Response;

/**
 * Builds the server side of the CORS protocol (Fetch standard, section 3.3) for the origins whose pages may call, or `*`
 * for all; undefined without origins. Credentials are never allowed.
 *
 * @param origins - The origins whose pages may call.
 * @param asksForTokens - Whether they may read the challenge of a 401. REST APIs and function URLs rename it.
 */
export function createCors(origins: readonly string[], asksForTokens: boolean): Cors | undefined {
  if (origins.length === 0) return undefined;
  const any = origins.includes('*');
  const challenge = asksForTokens ? ', WWW-Authenticate, x-amzn-Remapped-WWW-Authenticate' : '';
  const exposed = { 'Access-Control-Expose-Headers': `Allow, ETag, Link, Location, Retry-After${challenge}` };

  return (request, response) => {
    const vary = any ? undefined : [response.headers.Vary, 'Origin'].filter(Boolean).join(', ');
    const headers: Headers = { ...response.headers, ...(vary && { Vary: vary }) };
    // With `*`, the field is on every answer, because a cache may give the answer to another page.
    const origin = any ? '*' : origins.find((named) => named === request.header('origin'));
    if (origin === undefined) return { ...response, headers };
    const preflight = request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined;
    const more = preflight ? preflightHeaders(response.headers.Allow ?? '') : exposed;
    return { ...response, headers: { ...headers, 'Access-Control-Allow-Origin': origin, ...more } };
  };
}

/**
 * Any header field may be sent, because tracing adds fields of its own; `*` alone would leave out `Authorization` (Fetch
 * standard, section 3.3.3). Two hours: Chromium keeps the answer to a preflight no longer.
 */
function preflightHeaders(methods: string): Headers {
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '7200',
  };
}
