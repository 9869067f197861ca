import { readTags } from '../shared/http/etag.js';
import { negotiate } from '../shared/http/negotiate.js';
import type { Request } from '../shared/http/request.js';
import { API_HEADERS, type Response } from '../shared/http/response.js';
import { type Call, route } from '../shared/http/route.js';

/** Gives the description document. */
export const getDocument = route({
  method: 'GET',
  template: '/swagger/v1/swagger.json',
  answers: { 200: {}, 304: {} },
  async run({ request }) {
    return unlessKnown(request, await asset('document'));
  },
});

/** Gives the page: all of it in one response, for the one instance answers one request at a time. */
export const getPage = route({
  method: 'GET',
  template: '/swagger/ui',
  answers: { 200: {}, 304: {} },
  async run({ request }) {
    const coding = negotiate(request.headers['accept-encoding'] ?? '', ['identity', 'gzip'], 'identity');
    return unlessKnown(request, await asset(`page.${coding}`));
  },
});

/** Leads from the root to the page. */
export const redirectRoot = route({ method: 'GET', template: '/', answers: { 302: {} }, run: redirect });

/** Leads from the folder of document and page to the page. */
export const redirectSwagger = route({ method: 'GET', template: '/swagger', answers: { 302: {} }, run: redirect });

function redirect({ request }: Call): Response<302> {
  return { status: 302, headers: { ...API_HEADERS, Location: `${request.prefix}/swagger/ui` } };
}

/** The answers that the build has made whole, beside this code: each is read when it is first asked for. */
const assets = new Map<string, Promise<Response<200>>>();

function asset(name: string): Promise<Response<200>> {
  const known = assets.get(name);
  if (known) return known;
  const read = readAsset(name);
  assets.set(name, read);
  return read;
}

/** Only here is the file system asked for: loading it would cost every cold start a third of a millisecond. */
async function readAsset(name: string): Promise<Response<200>> {
  const { readFile } = await import('node:fs/promises');
  return JSON.parse(await readFile(new URL(`./${name}.json`, import.meta.url), 'utf8'));
}

function unlessKnown(request: Request, answer: Response<200>): Response<200 | 304> {
  const known = request.headers['if-none-match'];
  if (known === undefined) return answer;
  const { 'Content-Type': _type, 'Content-Encoding': _encoding, ...headers } = answer.headers;
  const tags = readTags(known, 'weak').map((tag) => `"${tag}"`);
  return known.trim() === '*' || tags.includes(headers.ETag as string) ? { status: 304, headers } : answer;
}
