import { readFileSync } from 'node:fs';
import { API_HEADERS, type Request, type Response } from '../shared/http/message.js';
import { chooseCoding } from '../shared/http/negotiate.js';
import { parseTags } from '../shared/http/precondition.js';
import { type Call, route } from '../shared/routing/route.js';

export const getDocument = route({
  method: 'GET',
  template: '/swagger/v1/swagger.json',
  answers: { 200: {}, 304: {} },
  run: async ({ request }) => unlessKnown(request, asset('document')),
});

export const getOpenApi = route({
  method: 'GET',
  template: '/swagger/v1/openapi.json',
  answers: { 200: {}, 304: {} },
  run: async ({ request }) => unlessKnown(request, asset('openapi')),
});

/** Gives the page, all of it in one response, because the only instance answers one request at a time. */
export const getPage = route({
  method: 'GET',
  template: '/swagger/ui',
  answers: { 200: {}, 304: {} },
  async run({ request }) {
    const coding = chooseCoding(request.header('accept-encoding'), ['gzip', 'identity']);
    return unlessKnown(request, asset(`page.${coding}`));
  },
});

export const redirectRoot = route({ method: 'GET', template: '/', answers: { 302: {} }, run: redirect });

export const redirectSwagger = route({ method: 'GET', template: '/swagger', answers: { 302: {} }, run: redirect });

async function redirect({ request }: Pick<Call, 'request'>): Promise<Response<302>> {
  return { status: 302, headers: { ...API_HEADERS, Location: `${request.prefix}/swagger/ui` } };
}

/** Responses that the build has written to files beside this code. Each is read when it is first requested. */
const assets = new Map<string, Response<200>>();

/** Reads synchronously: the instance has nothing else to do, and loading `fs/promises` would take two milliseconds. */
function asset(name: string): Response<200> {
  const known = assets.get(name);
  if (known) return known;
  const read: Response<200> = JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'));
  assets.set(name, read);
  return read;
}

/** A malformed If-None-Match is ignored: the content is public, so sending it again does no harm. */
function unlessKnown(request: Request, response: Response<200>): Response<200 | 304> {
  const sent = request.header('if-none-match');
  const known = sent === undefined ? undefined : parseTags(sent);
  if (known === undefined) return response;
  const { 'Content-Type': _type, 'Content-Encoding': _encoding, ...headers } = response.headers;
  const tag = headers.ETag as string;
  return known === '*' || known.includes(tag) || known.includes(`W/${tag}`) ? { status: 304, headers } : response;
}
