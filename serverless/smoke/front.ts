import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Described, describedIn } from './description.js';
import { type Answer, expectStatus, expectThat, type Lines, type Stage, skipped } from './stage.js';

const WRONG_URL = 'Is this the PageUrl that `npx serverless info` prints for the stage? docs/deploy.md#the-first-time.';
/** No page has this origin (RFC 6761). */
const OTHER = 'https://smoke.invalid';
const WRONG_CORS = 'corsOrigins says who may call: docs/deploy.md#parameters.';

/**
 * Waits while the stage answers 5xx, and reads its documents. The role of a new stage takes up to a minute to work.
 *
 * @returns What there is to try.
 * @throws Fault if it still fails after the time, or is not the service.
 */
export async function waitFor(stage: Stage): Promise<Described> {
  const until = Date.now() + stage.expected.wait * 1_000;
  const described = describedIn(
    expectStatus(200, await patiently(stage, '/swagger/v1/openapi.json', until), WRONG_URL).json,
  );
  const answer = await patiently(stage, described.list, until);
  expectThat(
    answer.status > 0 && answer.status < 500,
    `${answer.told} for ${stage.expected.wait} s. docs/incidents.md.`,
  );
  return described;
}

async function patiently(stage: Stage, path: string, until: number): Promise<Answer> {
  for (;;) {
    const answer = await stage.callOnce('GET', path);
    if ((answer.status > 0 && answer.status < 500) || Date.now() >= until) return answer;
    await setTimeout(Math.min(1_000, Math.max(until - Date.now(), 0)));
  }
}

/** Tries the page and the documents, which are open to everybody. */
export async function* tryDocuments(stage: Stage): Lines {
  const page = expectStatus(200, await stage.call('GET', '/swagger/ui', { anonymous: true }));
  const policy = page.headers.get('content-security-policy') ?? 'none';
  expectThat(
    /default-src 'none'/.test(policy) && !policy.includes('unsafe-eval'),
    `The page's policy is ${policy}: docs/security.md.`,
  );
  yield 'The page is there, with a Content-Security-Policy';
  const swagger = expectStatus(200, await stage.call('GET', '/swagger/v1/swagger.json', { anonymous: true }));
  expectThat(
    swagger.json.swagger === '2.0' && swagger.json.basePath === '/',
    `${swagger.told}, but not with Swagger 2.0.`,
  );
  const openApi = expectStatus(200, await stage.call('GET', '/swagger/v1/openapi.json', { anonymous: true }));
  const [server] = openApi.json.servers ?? [];
  const root = stage.pathOf('/');
  expectThat(
    `${server?.url}/`.replace(/\/+$/, '/') === root,
    `The document names the server ${server?.url} instead of ${root}, so generated clients call another place. ${WRONG_URL}`,
  );
  yield 'Both documents are there, and name the server that they came from';
  for (const answer of [page, swagger, openApi]) {
    expectThat(
      answer.headers.get('x-content-type-options') === 'nosniff',
      `${answer.told} without nosniff: docs/security.md.`,
    );
    expectThat(
      answer.headers.has('etag'),
      `${answer.told} without an ETag: docs/rules.md#prefix-cors-documents-and-page.`,
    );
  }
  yield 'Page and documents have their security header fields';
}

/** Tries the list as somebody who gives no proof of who calls. It sends GET only. */
export async function* tryAnonymously(stage: Stage, { list }: Described): Lines {
  const { people, signed } = stage.expected;
  const anonymous = await stage.call('GET', list, { anonymous: true });
  if (people) {
    expectStatus(401, anonymous, 'It should ask for a token: docs/authorization.md.');
    const names = ['www-authenticate', 'x-amzn-remapped-www-authenticate'];
    expectThat(
      names.some((name) => anonymous.headers.get(name)?.startsWith('Bearer ')),
      `${anonymous.told} without a challenge: docs/rules.md#sign-in.`,
    );
    yield 'Without a token, nobody sees a list (401)';
    const forged = await stage.call('GET', list, { headers: { Authorization: `Bearer ${madeUpToken()}` } });
    if (forged.status === 503)
      expectStatus(401, forged, "The provider's keys cannot be fetched: docs/authorization.md#with-another-provider.");
    expectStatus(401, forged);
    yield "A made-up token is refused, and the provider's keys can be fetched";
  } else if (signed) {
    for (const path of spellingsOf(list))
      expectStatus(403, await stage.call('GET', path), 'It needs no signature: docs/authorization.md#signed-calls.');
    expectStatus(404, await stage.call('GET', `/swagger${list}`));
    yield 'Without a signature, nobody sees a list, however its path is spelled (403)';
  } else {
    const advice = {
      401: 'It asks for a token. If people sign in here, add --people: docs/authorization.md.',
      403: 'It may ask for signed calls. If so, add --signed: docs/authorization.md#signed-calls.',
    }[anonymous.status];
    expectStatus(200, anonymous, advice);
    yield 'Everybody may call';
  }
}

/** A token that is well-formed, and signed with a key that no provider has. */
function madeUpToken(): string {
  const encode = (part: object | Buffer) =>
    (Buffer.isBuffer(part) ? part : Buffer.from(JSON.stringify(part))).toString('base64url');
  const header = encode({ alg: 'ES256', kid: randomUUID() });
  return `${header}.${encode({ sub: 'smoke', exp: Math.floor(Date.now() / 1_000) + 60 })}.${encode(Buffer.alloc(64, 1))}`;
}

/** The service takes all of these for the same path, so that each of them must be closed. */
function spellingsOf(list: string): readonly string[] {
  const escaped = list.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [list, `${list}/`, `/${list}`, list.toUpperCase(), escaped, `${list}/${randomUUID()}`];
}

/** Tries what browsers ask before they let a page of the origin call. */
export async function* tryOrigin(stage: Stage, { list }: Described): Lines {
  const { origin } = stage.expected;
  if (origin === undefined) return;
  const asked = {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
  };
  const preflight = await stage.call('OPTIONS', list, { headers: asked, anonymous: true });
  expectThat(preflight.status === 200 || preflight.status === 204, `${preflight.told} instead of 204. ${WRONG_CORS}`);
  expectThat(admits(preflight, origin), `A preflight lets ${originIn(preflight)} call. ${WRONG_CORS}`);
  const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`) ?? 'nothing';
  expectThat(
    /\bPOST\b/.test(allowed('methods')),
    `A preflight allows ${allowed('methods')}, but not POST. ${WRONG_CORS}`,
  );
  expectThat(
    /\bauthorization\b/i.test(allowed('headers')) && /\*|content-type/i.test(allowed('headers')),
    `A preflight allows the fields ${allowed('headers')}. ${WRONG_CORS}`,
  );
  if (!stage.expected.signed) {
    const answer = await stage.call('GET', list, { headers: { Origin: origin } });
    expectThat(admits(answer, origin), `${answer.told}, and lets ${originIn(answer)} read that. ${WRONG_CORS}`);
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    expectThat(
      /\bETag\b/i.test(exposed) && /\bLocation\b/i.test(exposed),
      `Pages can read ${exposed || 'no fields'} only. ${WRONG_CORS}`,
    );
  }
  yield `Pages of ${origin} may call`;
  const other = await stage.call('OPTIONS', list, { headers: { ...asked, Origin: OTHER }, anonymous: true });
  if (originIn(other) === '*') return yield skipped('Pages of other origins', 'any page may call');
  expectThat(!admits(other, OTHER), `Pages of another origin may call, too. ${WRONG_CORS}`);
  yield 'Pages of other origins may not';
}

/** The origin whose pages may read an answer. */
const originIn = ({ headers }: Answer) => headers.get('access-control-allow-origin') ?? 'no origin';

const admits = (answer: Answer, origin: string) => [origin, '*'].includes(originIn(answer));
