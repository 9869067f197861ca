import { readFileSync } from 'node:fs';
import { API_HEADERS, type Request, type Response } from '../shared/http/message.js';
import { chooseCoding } from '../shared/http/negotiate.js';
import { parseTags } from '../shared/http/precondition.js';
import type { SignInUrls } from '../shared/openid/sign-in-urls.js';
import { type AnyRoute, type Call, route } from '../shared/routing/route.js';
import { completePage } from './page.js';
import { fillDocument, ISSUER_PLACEHOLDER } from './placeholders.js';

/** What only a stage knows about sign-in. */
export interface WhoseTokens {
  /** In characters of RFC 3986, which need no escaping in JSON or in an entity tag. */
  readonly issuer: string;
  /** Where the page signs people in; undefined if it does not, or the provider did not answer in time. */
  signInUrls(): Promise<SignInUrls | undefined>;
}

/** @param tokens - Undefined without sign-in. */
export function documentationRoutes(tokens: WhoseTokens | undefined): readonly AnyRoute[] {
  const document = (name: string) => {
    if (!tokens) return asset(`./${name}`);
    const { issuer } = tokens;
    return fillDocument(asset(`./with-tokens/${name}`), { [ISSUER_PLACEHOLDER]: issuer }, issuer);
  };
  const pages = new Map<string, Promise<Response<200>>>();
  const page = async (coding: 'gzip' | 'identity') => {
    if (!tokens) return asset(`./page.${coding}`);
    const urls = await tokens.signInUrls();
    const name = JSON.stringify([coding, urls]);
    const known = pages.get(name) ?? completePage(asset('./with-tokens/page.identity'), tokens.issuer, urls, coding);
    pages.set(name, known);
    return known;
  };
  const answers = { 200: {}, 304: {} } as const;
  return [
    route({
      method: 'GET',
      template: '/swagger/v1/swagger.json',
      open: true,
      answers,
      run: async ({ request }) => unlessKnown(request, document('document')),
    }),
    route({
      method: 'GET',
      template: '/swagger/v1/openapi.json',
      open: true,
      answers,
      run: async ({ request }) => unlessKnown(request, under(request.prefix, document('openapi'))),
    }),
    // All in one response, because the only instance answers one request at a time.
    route({
      method: 'GET',
      template: '/swagger/ui',
      open: true,
      answers,
      async run({ request }) {
        const coding = chooseCoding(request.header('accept-encoding'), ['gzip', 'identity']);
        return unlessKnown(request, await page(coding));
      },
    }),
    route({ method: 'GET', template: '/', open: true, answers: { 302: {} }, run: redirect }),
    route({ method: 'GET', template: '/swagger', open: true, answers: { 302: {} }, run: redirect }),
  ];
}

async function redirect({ request }: Pick<Call, 'request'>): Promise<Response<302>> {
  return { status: 302, headers: { ...API_HEADERS, Location: `${request.prefix}/swagger/ui` } };
}

const assets = new Map<string, Response<200>>();

/** Synchronously, because loading `fs/promises` would take two milliseconds. */
function asset(name: string): Response<200> {
  const known = assets.get(name);
  if (known) return known;
  const read: Response<200> = JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
  assets.set(name, read);
  return read;
}

/**
 * Puts the caller's prefix into `servers`, for clients that are generated from the document. A prefix needs no escaping
 * in an entity tag or a JSON string.
 */
export function under(prefix: string, response: Response<200>): Response<200> {
  return fillDocument(response, { '"servers":[{"url":"/"}]': `"servers":[{"url":"${prefix || '/'}"}]` }, prefix);
}

/** Ignores a malformed If-None-Match, because the content is public. */
function unlessKnown(request: Request, response: Response<200>): Response<200 | 304> {
  const sent = request.header('if-none-match');
  const known = sent === undefined ? undefined : parseTags(sent);
  if (known === undefined) return response;
  const { 'Content-Type': _type, 'Content-Encoding': _encoding, ...headers } = response.headers;
  const tag = headers.ETag as string;
  return known === '*' || known.includes(tag) || known.includes(`W/${tag}`) ? { status: 304, headers } : response;
}
