import { randomUUID } from 'node:crypto';
import { NO_JSON } from './access.js';
import type { Answer } from './client.js';
import { expectThat, shown } from './said.js';
import type { ServedDocument } from './served-document.js';

/** No page has this origin (RFC 6761). */
export const OTHER_PAGE = { Origin: 'https://smoke.invalid', 'Sec-Fetch-Site': 'cross-site' };

/** Of requests and responses. Pages may send and read these. */
const SENT = ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'];
const READ = ['Allow', 'ETag', 'Link', 'Location', 'Retry-After'];

/**
 * Asks as browsers do before a page may call, and calls as its scripts do.
 *
 * @throws Fault if pages of the expected origin can't do all that they should, or others can.
 */
export async function expectOrigins(document: ServedDocument): Promise<void> {
  const { client } = document;
  const { origin, signed } = client.expected;
  const paths = { list: document.list, item: `${document.list}/${randomUUID()}` };
  for (const place of ['list', 'item'] as const)
    for (const method of document.methodsOf(place)) {
      const preflight = (Origin: string) => {
        const asked = { 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': SENT.join() };
        return client.call('OPTIONS', paths[place], { headers: { Origin, ...asked }, anonymous: true });
      };
      if (origin) expectPreflight(await preflight(origin), origin, method);
      expectForeign(await preflight(OTHER_PAGE.Origin));
    }
  if (signed) return;
  for (const [method, path, body] of [
    ['GET', paths.list, undefined],
    ['GET', paths.item, undefined],
    ['POST', paths.list, NO_JSON],
  ] as const) {
    if (origin) expectReadable(await client.call(method, path, { headers: { Origin: origin }, body }), origin);
    expectForeign(await client.call(method, path, { headers: { Origin: OTHER_PAGE.Origin }, body }));
  }
}

export const isOpenToAll = (answer: Answer) => allowed(answer, 'origin') === '*';

const allowed = ({ headers }: Answer, name: string) => headers.get(`access-control-allow-${name}`) ?? '';

function expectPreflight(preflight: Answer, origin: string, method: string): void {
  const { status, told } = preflight;
  // Browsers take any of these.
  expectThat(status >= 200 && status < 300, `${told} instead of 204.`);
  expectAllowed(preflight, origin);
  const methods = allowed(preflight, 'methods');
  expectThat(namesIn(methods).includes(method.toLowerCase()), `${told}, but allows ${shown(methods)}, not ${method}.`);
  const fields = allowed(preflight, 'headers');
  const named = namesIn(fields);
  // The asterisk stands for all but the first one.
  const denied = SENT.filter((name, at) => !named.includes(name) && !(at > 0 && named.includes('*')));
  expectThat(denied.length === 0, `${told}, but allows the fields ${shown(fields)}, not ${denied.join(', ')}.`);
}

function expectReadable(answer: Answer, origin: string): void {
  const { headers, told } = answer;
  expectAllowed(answer, origin);
  const readable = namesIn(String(headers.get('access-control-expose-headers')));
  const hidden = READ.filter((name) => !readable.includes(name.toLowerCase()));
  expectThat(hidden.length === 0, `${told}, but pages can't read ${hidden.join(', ')}.`);
  const isVaried = isOpenToAll(answer) || namesIn(String(headers.get('vary'))).includes('origin');
  expectThat(isVaried, `${told} without Vary: Origin, so that caches mix up origins.`);
}

function expectAllowed(answer: Answer, origin: string): void {
  const admitted = allowed(answer, 'origin');
  expectThat([origin, '*'].includes(admitted), `${answer.told}, and lets in ${shown(admitted)}, not ${origin}.`);
}

function expectForeign(answer: Answer): void {
  expectThat(allowed(answer, 'origin') !== OTHER_PAGE.Origin, `${answer.told}, and lets in ${OTHER_PAGE.Origin}.`);
}

const namesIn = (field: string) => field.toLowerCase().split(/\s*,\s*/);
