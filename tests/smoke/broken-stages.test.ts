// Stages with one fault each, that a deployment or what is in front of it can have, by the title of the check that has to fail.
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import type { Answer } from '../support/service/answer.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';
import {
  answers,
  aStage,
  aTable,
  aToken,
  broken,
  type Call,
  type Fault,
  fields,
  isItem,
  isList,
  isOpen,
  json,
  LIVE,
  signedStage,
  smokeUntilFailure,
  TEXT,
  withPeople,
} from './stage.js';

const ORIGIN = 'https://app.example.com';
const [PAGE, OPENAPI] = ['/swagger/ui', '/swagger/v1/openapi.json'];

type Sent = Parameters<Call>[2];

const any = () => true;

/** Changes answers to a method, at a path or where it is meant. */
const on = (
  method: string,
  at: string | undefined | ((path: string) => boolean),
  change: (answer: Answer) => Partial<Answer>,
): Fault =>
  answers((answer, called, path) =>
    called === method && (typeof at === 'function' ? at(path) : path === at) ? change(answer) : {},
  );

const created = (change: (answer: Answer) => Partial<Answer>) =>
  answers((answer, method) => (method === 'POST' && answer.status === 201 ? change(answer) : {}));
const found = (change: (answer: Answer) => Partial<Answer>) =>
  on('GET', isItem, (answer) => (answer.status === 200 ? change(answer) : {}));
const listed = (change: (answer: Answer) => Partial<Answer>, isMeant = isList) =>
  on('GET', isMeant, (answer) => (answer.status === 200 ? change(answer) : {}));
const withField = (name: string, value: string | undefined, isMeant: (answer: Answer) => boolean = () => true) =>
  answers((answer) => (isMeant(answer) ? fields(answer, { [name]: value }) : {}));

/** Changes requests on their way. */
const requests =
  (change: (method: string, path: string, sent: Sent) => readonly [path: string, sent: Sent]): Fault =>
  (call) =>
  (method, path, sent) =>
    call(method, ...change(method, path, sent));

/** Leaves out header fields of requests. */
const without = (...names: readonly string[]): Fault =>
  requests((_method, path, sent) => {
    const headers = Object.entries(sent?.headers ?? {}).filter(([name]) => !names.includes(name));
    return [path, { ...sent, headers: Object.fromEntries(headers) }];
  });

/** Does nothing for some requests, and answers them as if all were well. */
const ignoring =
  (ignored: string, isIgnored: (sent: Sent) => boolean = () => true): Fault =>
  (call) =>
  async (method, path, sent) => {
    const headers = { etag: '"9"', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    const ok = { status: 204, headers, content: Buffer.from(''), text: '', json: undefined };
    return method === ignored && isItem(path) && isIgnored(sent) ? ok : call(method, path, sent);
  };

/** Refuses requests, as a firewall does. */
const refusing =
  (isRefused: (method: string, body: string, path: string) => boolean): Fault =>
  (call) =>
  async (method, path, sent) =>
    isRefused(method, String(sent?.body ?? ''), path)
      ? ({ status: 403, headers: { 'content-type': 'text/html' }, content: Buffer.from('<html>') } as unknown as Answer)
      : call(method, path, sent);

/** Answers GET with what it answered first, as a cache that looks at a part of the request alone. */
const cached =
  (isCached: (path: string) => boolean): Fault =>
  (call) => {
    const known = new Map<string, Answer>();
    return async (method, path, sent) => {
      if (method !== 'GET' || !isCached(path) || sent?.headers?.['if-none-match']) return call(method, path, sent);
      const kept = known.get(path);
      if (kept) return kept;
      const answer = await call(method, path, sent);
      if (answer.status === 200) known.set(path, answer);
      return answer;
    };
  };

/** Does something more after a method has succeeded. */
const after =
  (method: string, more: (call: Call) => Promise<unknown>): Fault =>
  (call) =>
  async (called, path, sent) => {
    const answer = await call(called, path, sent);
    if (called === method && answer.status < 300) await more(call);
    return answer;
  };
const firstItem = async (call: Call) => `${COLLECTION}/${(await call('GET', COLLECTION)).json[0].key}`;
const BODY = { 'content-type': 'application/json' };

/** Applies what it refuses. */
const applyingDespite =
  (field: string): Fault =>
  (call) =>
  async (method, path, sent) => {
    const answer = await call(method, path, sent);
    if (answer.status === 403 || answer.status === 412) await without(field)(call)(method, path, sent);
    return answer;
  };

/** Compresses documents itself. */
const packing =
  (pack: (content: Buffer) => Buffer): Fault =>
  (call) =>
  async (method, path, sent) => {
    if (!isOpen(path) || !sent?.headers?.['accept-encoding'] || method === 'HEAD') return call(method, path, sent);
    const answer = await without('accept-encoding')(call)(method, path, sent);
    return { ...answer, ...fields(answer, { 'content-encoding': 'gzip' }), content: pack(answer.content) };
  };

/** Lets in some callers whose token is not sound, or who have none. */
const opening =
  (isOpened: (method: string, path: string, token: string) => boolean): Fault =>
  (call) =>
  async (method, path, sent) => {
    const { authorization = '' } = sent?.headers ?? {};
    if (!isOpened(method, path, authorization.replace('Bearer ', ''))) return call(method, path, sent);
    return call(method, path, { ...sent, headers: { ...sent?.headers, authorization: `Bearer ${await aToken()}` } });
  };
const partOf = (token: string, at: number) =>
  JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString() || '{}');

const allowing = (name: string, value: string | undefined, method: string, isMeant: (path: string) => boolean): Fault =>
  on(method, isMeant, (answer) => fields(answer, { [`access-control-${name}`]: value }));
const echoing =
  (isMeant: (method: string) => boolean): Fault =>
  (call) =>
  async (method, path, sent) => {
    const answer = await call(method, path, sent);
    const echo = fields(answer, { 'access-control-allow-origin': sent?.headers?.origin, vary: 'origin' });
    return isMeant(method) && !isOpen(path) ? { ...answer, ...echo } : answer;
  };

interface Row {
  readonly what: string;
  readonly fault?: Fault;
  /** The sound stage; by default one where nobody signs in. */
  readonly start?: () => Service | Promise<Service>;
  readonly options?: readonly string[];
  readonly token?: string;
  /** A part of the sentence, where other faults could make the same check fail. */
  readonly says?: string;
  /** How many items stay, which the command has to name. */
  readonly left?: number;
}

const isCalled = (path: string) => (called: string) => called === path;
const people = { start: () => withPeople(), options: ['--people'] };
const signed = { start: () => signedStage(), options: ['--signed'] };
const crossOrigin = { start: () => aStage({ CORS_ORIGINS: ORIGIN }), options: ['--origin', ORIGIN] };

const STAGES: Readonly<Record<string, readonly Row[]>> = {
  'The stage answers, and describes itself': [
    {
      what: 'the list fails',
      fault: on('GET', isList, () => ({ status: 502, ...json({ message: 'Bad' }) })),
      says: '502 (Bad)',
    },
    {
      what: 'half of the document is there',
      fault: on('GET', OPENAPI, ({ text }) => ({ content: Buffer.from(text.slice(9)) })),
    },
    { what: 'the document describes nothing', fault: on('GET', OPENAPI, () => json({ paths: { '/a': { get: {} } } })) },
    {
      what: 'everything redirects',
      fault: answers(() => ({ status: 301, headers: { location: 'https://evil.example/' } })),
    },
    {
      what: 'the table is another',
      start: async () => startDeployed(LIVE, { ...(await aTable()), TABLE_NAME: 'another' }),
    },
  ],
  'Documents and page are those of this checkout': [
    {
      what: 'another release runs there',
      fault: on('GET', isOpen, ({ text }) => ({ content: Buffer.from(text.replaceAll('is done', 'is made')) })),
    },
    {
      what: 'the page has one more script',
      fault: on('GET', PAGE, ({ text }) => ({ content: Buffer.from(`${text}<script>1</script>`) })),
    },
    { what: 'the page is not there', fault: on('GET', PAGE, () => ({ status: 404 })) },
    {
      what: 'its policy lets all scripts in',
      fault: on('GET', PAGE, (answer) =>
        fields(answer, { 'content-security-policy': `script-src *; ${answer.headers['content-security-policy']}` }),
      ),
      says: 'Content-Security-Policy',
    },
    {
      what: 'there is no nosniff',
      fault: on('GET', isOpen, (answer) => fields(answer, { 'x-content-type-options': undefined })),
    },
    {
      what: 'the page has an address to sign in that is none',
      start: () => withPeople({ TOKEN_CLIENT: 'app' }),
      options: ['--people'],
      fault: on('GET', PAGE, ({ text }) => ({
        content: Buffer.from(text.replace(/data-token="[^"]*"/, 'data-token="1"')),
      })),
    },
  ],
  'Paths lead through the address, plain and encoded': [
    {
      what: 'the document names another server',
      start: () => ({ ...startDeployed(), prefix: '/behind' }),
      says: 'names the server /live instead of /behind',
    },
    { what: 'the root is not routed', fault: on('GET', '/', () => ({ status: 403, headers: {} })) },
    {
      what: 'the root leads elsewhere',
      fault: on('GET', '/', (answer) => fields(answer, { location: PAGE })),
      says: 'leads to /swagger/ui',
    },
    {
      what: 'encoded paths are refused',
      fault: refusing((_method, _body, path) => path.includes('%')),
      says: 'but GET',
    },
  ],
  'Compressed answers and those to HEAD are like those to GET': [
    {
      what: 'what is compressed comes as base64',
      fault: packing((content) => Buffer.from(gzipSync(content).toString('base64'))),
    },
    { what: 'it is compressed twice', fault: packing((content) => gzipSync(gzipSync(content))) },
    {
      what: 'a compressed list comes as base64',
      fault: (call) => async (method, path, sent) => ({
        ...(await call(method, path, sent)),
        ...(path === COLLECTION && sent?.headers?.['accept-encoding'] ? { content: Buffer.from('H4sI') } : {}),
      }),
    },
    { what: 'HEAD is refused', fault: on('HEAD', isList, () => ({ status: 405 })), says: 'HEAD' },
    {
      what: 'HEAD has another media type',
      fault: on('HEAD', PAGE, (answer) => fields(answer, { 'content-type': 'text/plain' })),
    },
  ],
  'It lets in those who may call, and nobody else': [
    {
      what: 'the document has no schemas',
      options: ['--any-release'],
      fault: on('GET', OPENAPI, ({ json: { components: _, ...document } }) => json(document)),
      says: 'The document is not whole',
    },
    { what: 'people should sign in, and need not', options: ['--people'], says: 'instead of 401 no-token' },
    { what: 'calls should be signed, and need not', options: ['--signed'], says: 'instead of 403' },
    {
      what: 'people have to sign in',
      start: () => withPeople(),
      says: 'instead of 200. Use --people',
    },
    { what: 'calls have to be signed', start: () => signedStage(), says: 'instead of 200' },
    {
      what: 'the keys cannot be fetched',
      start: () => withPeople({ TOKEN_ISSUER: 'http://127.0.0.1:9' }),
      options: ['--people'],
      says: '503 keys-unavailable',
    },
    {
      what: 'the audience is another',
      start: () => withPeople({ TOKEN_AUDIENCE: 'another' }),
      options: ['--people'],
      says: 'another audience',
    },
    {
      what: 'items are open',
      ...people,
      fault: opening((_method, path, token) => isItem(path) && !token),
      says: '404 not-found',
    },
    {
      what: 'one method is open',
      ...people,
      fault: opening((method, _path, token) => method === 'PATCH' && !token),
      says: 'PATCH',
    },
    {
      what: 'HEAD is open',
      ...people,
      fault: opening((method, _path, token) => method === 'HEAD' && !token),
      says: 'HEAD',
    },
    {
      what: 'any token will do for one method',
      ...people,
      fault: opening((method, _path, token) => method === 'DELETE' && token !== ''),
      says: 'DELETE',
    },
    {
      what: 'any token will do, even one that is no JSON Web Token',
      ...people,
      token: 'opaque',
      fault: opening((_method, _path, token) => token !== ''),
      says: 'instead of 401 invalid-token',
    },
    {
      what: 'any token that has not expired will do',
      ...people,
      fault: opening((_method, _path, token) => partOf(token, 1).exp > Date.now() / 1_000),
      says: '401 invalid-token',
    },
    {
      what: 'any token that has expired will do',
      ...people,
      fault: opening((_method, _path, token) => partOf(token, 1).exp < Date.now() / 1_000),
      says: '401 invalid-token',
    },
    {
      what: 'unsigned tokens will do',
      ...people,
      fault: opening((_method, _path, token) => partOf(token, 0).alg === 'none'),
      says: '401 invalid-token',
    },
    {
      what: 'a cache gives one caller what another one got',
      ...people,
      fault: cached(isCalled(COLLECTION)),
      says: 'answered 200',
    },
    {
      what: 'the challenge is left out',
      ...people,
      fault: withField('www-authenticate', undefined),
      says: 'without a challenge',
    },
    {
      what: 'refusals may be cached',
      ...people,
      fault: withField('cache-control', 'public', ({ status }) => status === 401),
      says: 'caches may keep it (public)',
    },
    {
      what: 'another spelling needs no signature',
      ...signed,
      fault: on('GET', COLLECTION.toUpperCase(), () => ({ status: 200 })),
    },
    { what: 'two slashes need no signature', ...signed, fault: on('GET', `/${COLLECTION}`, () => ({ status: 404 })) },
    {
      what: 'a path beside the page needs none',
      ...signed,
      fault: on('GET', `/swagger${COLLECTION}`, () => ({ status: 200 })),
    },
    {
      what: 'writes need no signature',
      ...signed,
      fault: on('POST', COLLECTION, () => ({ status: 400 })),
      says: 'POST',
    },
  ],
  'Pages of the expected origin may call, and those of others may not': [
    { what: 'no page may call', options: ['--origin', ORIGIN], says: 'lets in nothing' },
    {
      what: 'preflights are refused',
      ...crossOrigin,
      fault: on('OPTIONS', any, () => ({ status: 403 })),
      says: 'instead of 204',
    },
    {
      what: 'preflights of items say nothing',
      ...crossOrigin,
      fault: on('OPTIONS', isItem, () => ({ status: 200, headers: {} })),
    },
    {
      what: 'DELETE may not be sent',
      ...crossOrigin,
      fault: allowing('allow-methods', 'GET, HEAD, PATCH, PUT', 'OPTIONS', isItem),
      says: 'not DELETE',
    },
    {
      what: 'header fields may not be sent',
      ...crossOrigin,
      fault: allowing('allow-headers', 'authorization,content-type', 'OPTIONS', any),
      says: 'not idempotency-key, if-match',
    },
    {
      what: 'a token may not be sent',
      ...crossOrigin,
      fault: allowing('allow-headers', '*', 'OPTIONS', any),
      says: 'not authorization',
    },
    {
      what: 'header fields of items cannot be read',
      ...crossOrigin,
      fault: allowing('expose-headers', 'ETag', 'GET', isItem),
      says: "can't read Allow, Link",
    },
    {
      what: 'errors cannot be read',
      ...crossOrigin,
      fault: allowing('allow-origin', undefined, 'POST', any),
      says: 'POST',
    },
    {
      what: 'caches mix up origins',
      ...crossOrigin,
      fault: answers((answer, _method, path) => (isOpen(path) ? {} : fields(answer, { vary: undefined }))),
      says: 'without Vary: Origin',
    },
    {
      what: 'preflights let any origin in',
      ...crossOrigin,
      fault: echoing((method) => method === 'OPTIONS'),
      says: 'OPTIONS',
    },
    {
      what: 'pages of any origin can read',
      ...crossOrigin,
      fault: echoing((method) => method !== 'OPTIONS'),
      says: 'lets in https://smoke.invalid',
    },
    { what: 'it is so although none is expected', fault: echoing(() => true), says: 'lets in https://smoke.invalid' },
  ],
  'Errors come as problems, and each query parameter arrives': [
    {
      what: 'the query is left out',
      fault: requests((_method, path, sent) => [path.replace(/\?.*/, ''), sent]),
      says: 'instead of 400',
    },
    {
      what: 'one parameter is left out',
      fault: requests((_method, path, sent) => [path.replace(/after=[\w-]+/, ''), sent]),
      says: 'after=smoke',
    },
    {
      what: 'one parameter is another',
      fault: requests((_method, path, sent) => [path.replace('limit=smoke', 'after=1'), sent]),
      says: 'names after instead of limit',
    },
    {
      what: 'errors are pages',
      fault: withField('content-type', 'text/html', ({ status }) => status === 404),
      says: 'as text/html instead of',
    },
    {
      what: 'errors have no nosniff',
      fault: withField('x-content-type-options', undefined, ({ status }) => status === 400),
      says: 'without nosniff',
    },
    {
      what: 'errors have no text',
      fault: answers(({ json: problem, status }) => (status === 404 ? json({ code: problem?.code }) : {})),
      says: 'must have required property',
    },
  ],
  'The list can be read': [
    { what: 'its limit is refused', fault: refusing((_method, _body, path) => path.includes('=1000')) },
    {
      what: 'items are of another form',
      fault: listed(
        () => json([{ key: 1 }]),
        (path) => path.includes('=1000'),
      ),
    },
    {
      what: 'lists have no ETag',
      fault: listed(
        (answer) => fields(answer, { etag: undefined }),
        (path) => path.includes('=1000'),
      ),
      says: 'without ETag',
    },
  ],
  'An item is created as it was sent, once for an Idempotency-Key': [
    { what: 'POST is refused', fault: refusing((method, body) => method === 'POST' && body.length > 1) },
    { what: 'texts with an apostrophe are refused', fault: refusing((_method, body) => body.includes("'")) },
    {
      what: 'letters beyond ASCII are lost',
      fault: requests((_method, path, sent) => [
        path,
        { ...sent, ...(sent?.body !== undefined && { body: String(sent.body).replace(/[^ -~]/g, '?') }) },
      ]),
      says: 'instead of',
    },
    {
      what: 'Location lacks the prefix',
      fault: created((answer) => fields(answer, { location: answer.headers.location?.replace('/live', '') })),
      says: 'with the Location /api',
    },
    { what: 'Idempotency-Key is left out', fault: without('idempotency-key'), says: 'for the same Idempotency-Key' },
    {
      what: 'POST answers with another text than it stores',
      fault: created((answer) => json({ ...answer.json, [TEXT]: 'Another' })),
      says: '"Another"',
    },
    {
      what: 'POST answers with another entity tag',
      fault: created((answer) => fields(answer, { etag: '"7"' })),
      says: 'with the ETag "1", not "7"',
    },
    {
      what: 'POST answers in another form',
      fault: created(({ text }) => ({ content: Buffer.from(text.replace('{', '{ ')) })),
      says: 'not {',
    },
    { what: 'the answer to POST is cut', fault: created(() => ({ status: 0 })), says: 'got no answer', left: 1 },
    {
      what: 'POST answers 504 whenever it has stored an item',
      fault: created(() => ({ status: 504, headers: {}, ...json({}) })),
      left: 1,
    },
    {
      what: 'POST answers with an empty key',
      fault: created((answer) => json({ ...answer.json, key: '' })),
      says: 'must match format "uuid"',
    },
    {
      what: 'another item is under the key',
      fault: found((answer) => json({ ...answer.json, [TEXT]: 'a' })),
      says: 'so nothing is written there',
      left: 1,
    },
    {
      what: 'the item is under another key',
      fault: found((answer) => json({ ...answer.json, key: '01234567-89ab-4def-8123-456789abcdef' })),
      left: 1,
    },
    {
      what: 'the item is lost',
      fault: after('POST', async (call) =>
        call('DELETE', `${COLLECTION}/${(await call('GET', COLLECTION)).json.at(-1).key}`),
      ),
      says: '404 not-found',
    },
  ],
  'It is changed at the version that If-Match names, and at no other': [
    {
      what: 'entity tags are weakened',
      fault: answers((answer) => (answer.headers.etag ? fields(answer, { etag: `W/${answer.headers.etag}` }) : {})),
      says: 'answered 412 if-match-weak',
    },
    { what: 'items come from a cache', fault: cached(isItem), says: 'GET', left: 0 },
    { what: 'If-Match is left out', fault: without('if-match'), says: 'instead of 412' },
    { what: 'If-None-Match is left out', fault: without('if-none-match'), says: 'instead of 304' },
    {
      what: 'If-None-Match is always taken for met',
      fault: (call) => async (method, path, sent) => {
        const answer = await call(method, path, sent);
        return isItem(path) && sent?.headers?.['if-none-match'] ? { ...answer, status: 304 } : answer;
      },
      says: 'answered 304',
    },
    { what: 'PUT is refused', fault: refusing((method) => method === 'PUT'), says: 'PUT' },
    { what: 'PATCH is not in the role', fault: on('PATCH', any, () => ({ status: 500 })), says: 'PATCH' },
    { what: 'PUT does nothing', fault: ignoring('PUT') },
    { what: 'what is refused is applied', fault: applyingDespite('if-match'), says: 'instead of {' },
    {
      what: 'PATCH answers with another entity tag',
      fault: on('PATCH', any, (answer) => (answer.status === 204 ? fields(answer, { etag: '"7"' }) : {})),
      says: 'but the ETag was "1", and is "2"',
    },
  ],
  'Pages of another origin cannot write': [
    { what: 'Origin and Sec-Fetch-Site are left out', fault: without('origin', 'sec-fetch-site') },
    { what: 'a write that is refused is applied', fault: applyingDespite('sec-fetch-site'), says: 'GET' },
  ],
  'The list has it once, and its pages lead on': [
    { what: 'the list comes from a cache', fault: cached((path) => path.endsWith('=1000')), says: '=1000' },
    {
      what: 'the list without a limit does',
      fault: cached(isCalled(COLLECTION)),
      says: `${COLLECTION} answered 200 without the item`,
    },
    {
      what: 'the list fails once the item is there',
      fault: (call) => {
        let isPosted = false;
        return async (method, path, sent) => {
          const answer = await call(method, path, sent);
          isPosted ||= answer.status === 201;
          return isPosted && isList(path) && method === 'GET' ? { ...answer, status: 500, ...json({}) } : answer;
        };
      },
      says: 'answered 500',
    },
    {
      what: 'the list without a limit is empty, and goes on',
      fault: (call) => {
        let isPosted = false;
        return async (method, path, sent) => {
          const answer = await call(method, path, sent);
          isPosted ||= answer.status === 201;
          const isEmpty = isPosted && method === 'GET' && path === COLLECTION;
          return isEmpty ? { ...answer, ...json([]), ...fields(answer, { link: '<a>; rel="next"' }) } : answer;
        };
      },
      says: 'without the item',
    },
    {
      what: 'the list is in another order',
      fault: listed(({ json: items }) => json(items.toReversed())),
      says: 'do not ascend',
    },
    {
      what: 'a page does not begin where it should',
      fault: listed(
        () => json([]),
        (path) => path.includes('after='),
      ),
      says: 'not the item',
    },
    {
      what: 'the list is sent again to those who have it',
      fault: (call) => (method, path, sent) =>
        (isList(path) ? without('if-none-match')(call) : call)(method, path, sent),
      says: 'instead of 304',
    },
    {
      what: 'nothing is sent to those who have another one',
      fault: (call) => async (method, path, sent) => {
        const answer = await call(method, path, sent);
        return isList(path) && sent?.headers?.['if-none-match'] ? { ...answer, status: 304 } : answer;
      },
      says: 'answered 304',
    },
    { what: 'Link is left out', fault: withField('link', undefined), says: 'the Link nothing' },
    {
      what: 'Link lacks the prefix',
      fault: answers((answer) =>
        answer.headers.link ? fields(answer, { link: answer.headers.link.replace('/live', '') }) : {},
      ),
      says: 'the Link /api',
    },
    {
      what: 'the limit is left out behind the first page',
      fault: requests((_method, path, sent) => [path.replace('limit=1&after', 'after'), sent]),
    },
    {
      what: 'Link leads to the same page again',
      fault: requests((_method, path, sent) => [path.replace(/limit=1&after=.*/, 'limit=1'), sent]),
      says: 'behind [{',
    },
  ],
  'It is deleted, and found no more': [
    {
      what: 'DELETE does nothing',
      fault: ignoring(
        'DELETE',
        ({ headers = {} } = {}) => headers['if-match'] !== '"1"' && headers['sec-fetch-site'] !== 'cross-site',
      ),
      says: '200 instead of 404',
      left: 1,
    },
    {
      what: 'DELETE is not in the role',
      fault: (call) => async (method, path, sent) => ({
        ...(await (method === 'DELETE'
          ? on('DELETE', any, ({ status }) => (status === 204 ? { status: 500 } : {}))(call)
          : call)(method, path, sent)),
      }),
      says: 'answered 500',
    },
    {
      what: 'pages come from a cache',
      fault: cached((path) => path.includes('after=')),
      says: 'with the deleted item',
    },
  ],
  'No other item is lost or changed': [
    {
      what: 'DELETE deletes another one, too',
      fault: after('DELETE', async (call) => call('DELETE', await firstItem(call))),
    },
    {
      what: 'PATCH changes another one, too',
      fault: after('PATCH', async (call) =>
        call('PATCH', await firstItem(call), { headers: BODY, body: { [TEXT]: 'a' } }),
      ),
    },
  ],
};

const rows = Object.entries(STAGES).flatMap(([title, stages]) => stages.map((row) => [row.what, title, row] as const));

it.each(rows)('finds that %s: %s', async (_what, title, row) => {
  const { fault = (call) => call, start = aStage, options = [], says = '', left = 0 } = row;
  const service = await start();
  const token = row.token ?? (options.includes('--people') ? await aToken() : '');
  const { code, lines } = await smokeUntilFailure(broken(service, fault), options, token);
  const failed = lines.filter((line) => line.startsWith('FAILED'));
  expect([code, failed[0]]).toEqual([1, expect.stringContaining(`FAILED  ${title}. `)]);
  expect(failed[0]).toContain(says);
  expect(await ownItemsIn(service, token)).toBe(left);
  if (left > 0) expect(failed[1]).toMatch(/^FAILED {2}Nothing that was created is left\. .*delete it yourself/);
});

/** How many items of the command there are. */
async function ownItemsIn(service: Service, token: string): Promise<number> {
  const { json: items } = await service.call('GET', COLLECTION, { headers: { authorization: `Bearer ${token}` } });
  return Array.isArray(items) ? items.filter((item) => item[TEXT].startsWith('Smoke test')).length : 0;
}
