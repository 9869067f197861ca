// Each stage has one fault. The command has to find it, and to delete its item or to say where it is.
import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/service/answer.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import { answers, aStage, type Fault, fields, finds, isItem, json, sends, TEXT } from './stage.js';

const ITEM = `/live${COLLECTION}/KEY`;

const created = (change: (answer: Answer) => Partial<Answer>) =>
  answers((answer, method) => (method === 'POST' && answer.status === 201 ? change(answer) : {}));
const found = (change: (answer: Answer) => Partial<Answer>) =>
  answers((answer, method, path) => (method === 'GET' && isItem(path) && answer.status === 200 ? change(answer) : {}));

/** Answers a method as if all were well, and does nothing. */
const ignoring =
  (ignored: string, status: number): Fault =>
  (call) =>
  async (method, path, sent) =>
    method === ignored
      ? ({ status, headers: { etag: '"9"' }, content: Buffer.from('') } as unknown as Answer)
      : call(method, path, sent);

/** Applies what it refuses. */
const applyingDespite =
  (field: string): Fault =>
  (call) =>
  async (method, path, sent) => {
    const answer = await call(method, path, sent);
    if (answer.status !== 403 && answer.status !== 412) return answer;
    const headers = Object.fromEntries(Object.entries(sent?.headers ?? {}).filter(([name]) => name !== field));
    await call(method, path, { ...sent, headers });
    return answer;
  };

/** Answers GET of an item with what it was at first. */
const caching: Fault = (call) => {
  const known = new Map<string, Promise<Answer>>();
  return (method, path, sent) => {
    if (method !== 'GET' || !isItem(path) || sent?.headers?.['if-none-match']) return call(method, path, sent);
    const answer = known.get(path) ?? call(method, path, sent);
    known.set(path, answer);
    return answer;
  };
};

/** Shows another item under the new key once the plain list was read, which is the last thing before DELETE but pages. */
const exchanging: Fault = (call) => {
  let isPosted = false;
  let isListed = false;
  return async (method, path, sent) => {
    isPosted ||= method === 'POST';
    isListed ||= isPosted && method === 'GET' && path === COLLECTION;
    const answer = await call(method, path, sent);
    const isOther = isListed && method === 'GET' && isItem(path) && answer.status === 200;
    return isOther ? { ...answer, ...json({ ...answer.json, [TEXT]: 'Another' }) } : answer;
  };
};

/** What is broken, what the command says of it and of what it left, and how many items it left. */
const STAGES: readonly [what: string, fault: Fault, sentence: string, more?: string, left?: number][] = [
  [
    'POST loses a member',
    created((answer) => json({ key: answer.json.key })),
    `POST /live${COLLECTION} answered 201 with the members `,
  ],
  [
    'POST answers with a member that no document has',
    created((answer) => json({ ...answer.json, secret: 1 })),
    `POST /live${COLLECTION} answered 201 with the members `,
  ],
  [
    'POST answers with other values than were sent',
    created((answer) => json({ ...answer.json, [TEXT]: 'Another' })),
    `POST /live${COLLECTION} answered 201 with "Another" as "${TEXT}" instead of "Smoke test RANDOM": docs/rules.md#items.`,
  ],
  [
    '201 without the item',
    created(() => ({ content: Buffer.from('') })),
    `POST /live${COLLECTION} answered 201, but without an item. docs/rules.md#items.`,
  ],
  [
    'POST answers 200',
    created(() => ({ status: 200 })),
    `POST /live${COLLECTION} answered 200 instead of 201. The log says more: docs/operate.md#logs.`,
  ],
  [
    'POST answers 504 at first, after it has stored the item',
    (call) => {
      let posts = 0;
      const late = { status: 504, headers: {}, ...json({ message: 'Endpoint request timed out' }) };
      return created(() => (posts++ ? {} : late))(call);
    },
    `POST /live${COLLECTION} answered 504 ("Endpoint request timed out") instead of 201. The log says more: docs/operate.md#logs.`,
  ],
  [
    'the answer to POST is cut',
    created(() => ({ status: 0 })),
    `POST /live${COLLECTION} got no answer ("socket hang up") instead of 201. The log says more: docs/operate.md#logs.`,
    `An item with "Smoke test RANDOM" as "${TEXT}" is in the list, with the key "KEY": look at it, and delete it yourself.`,
    1,
  ],
  [
    'a new item has the media type of a page',
    created((answer) => fields(answer, { 'content-type': 'text/html' })),
    `POST /live${COLLECTION} answered 201 as "text/html" instead of application/json: docs/rules.md#items.`,
  ],
  [
    'a new item has no media type',
    created((answer) => fields(answer, { 'content-type': undefined })),
    `POST /live${COLLECTION} answered 201 as nothing instead of application/json: docs/rules.md#items.`,
  ],
  [
    'Location leads to another host',
    created((answer) => fields(answer, { location: `https://evil.example${COLLECTION}/1` })),
    `Location is "https://evil.example${COLLECTION}/1" instead of ${ITEM}: docs/rules.md#prefix-cors-documents-and-page.`,
  ],
  [
    'a new item has no ETag',
    created((answer) => fields(answer, { etag: undefined })),
    `POST /live${COLLECTION} answered 201 without an ETag: docs/rules.md#conditional-requests.`,
  ],
  [
    'Idempotency-Key is not looked at',
    (call) => (method, path, sent) => {
      const { 'idempotency-key': _, ...headers } = sent?.headers ?? {};
      return call(method, path, { ...sent, headers });
    },
    'The same Idempotency-Key created a second item. In memory with more than one instance, items come and go: docs/scaling.md.',
  ],
  [
    'the same Idempotency-Key has another answer',
    (call) => {
      let posts = 0;
      return created((answer) => json({ ...answer.json, [TEXT]: posts++ ? 'Another' : answer.json[TEXT] }))(call);
    },
    `POST /live${COLLECTION} answered 201 with another item for the same Idempotency-Key: docs/rules.md#idempotency-key.`,
  ],
  [
    'an item has the media type of a page',
    found((answer) => fields(answer, { 'content-type': 'text/html; charset=utf-8' })),
    `GET ${ITEM} answered 200 as "text/html; charset=utf-8" instead of application/json: docs/rules.md#items.`,
  ],
  [
    'an item has other members than when it was created',
    found((answer) => json({ key: answer.json.key, [TEXT]: answer.json[TEXT], more: 1 })),
    `GET ${ITEM} answered 200, but the item is not the one that was created.`,
  ],
  [
    'an item has another ETag than when it was created',
    found((answer) => fields(answer, { etag: '"7"' })),
    `GET ${ITEM} answered 200 with the ETag "\\"7\\"" instead of "\\"1\\"": docs/rules.md#conditional-requests.`,
  ],
  [
    'caches store items',
    found((answer) => fields(answer, { 'cache-control': 'max-age=60' })),
    'An item has Cache-Control: "max-age=60" instead of no-store: docs/security.md.',
  ],
  [
    'an item is sent again to a caller who has it',
    answers((answer) => (answer.status === 304 ? { status: 200 } : {})),
    `GET ${ITEM} answered 200 instead of 304. The log says more: docs/operate.md#logs.`,
  ],
  [
    'PATCH drops every member',
    sends('PATCH', () => '{}'),
    `After PATCH, GET ${ITEM} answered 200 with "Smoke test RANDOM" as "${TEXT}" instead of "Smoke test RANDOM.": docs/rules.md#requests.`,
  ],
  [
    'PATCH does nothing',
    ignoring('PATCH', 204),
    `After PATCH, GET ${ITEM} answered 200 with "Smoke test RANDOM" as "${TEXT}" instead of "Smoke test RANDOM.": docs/rules.md#requests.`,
  ],
  ['PATCH is not there', ignoring('PATCH', 405), `PATCH ${ITEM} answered 405 instead of 204.`],
  [
    'the version never changes',
    answers((answer) => (answer.headers.etag && answer.status !== 412 ? fields(answer, { etag: '"1"' }) : {})),
    `After PATCH, the ETag of the item is "\\"1\\"" still: docs/rules.md#conditional-requests.`,
  ],
  [
    "PATCH's answer names another version than the item has",
    answers((answer, method) => (method === 'PATCH' && answer.status === 204 ? fields(answer, { etag: '"7"' }) : {})),
    `PATCH ${ITEM} answered 204 with the ETag "\\"7\\"", but the item has "\\"2\\"": docs/rules.md#conditional-requests.`,
  ],
  [
    'a precondition that fails is passed over',
    answers((answer) => (answer.status === 412 ? { status: 204, headers: {}, content: Buffer.from('') } : {})),
    `PATCH ${ITEM} answered 204 instead of 412. In memory with more than one instance, items come and go: docs/scaling.md.`,
  ],
  [
    'a PATCH that gets 412 is applied',
    applyingDespite('if-match'),
    `After a PATCH at a former version, GET ${ITEM} answered 200 with "Smoke test RANDOM" as "${TEXT}" instead of "Smoke test RANDOM.": docs/rules.md#requests.`,
  ],
  [
    'PUT is not there',
    ignoring('PUT', 405),
    `PUT ${ITEM} answered 405 instead of 204. In memory with more than one instance, items come and go: docs/scaling.md.`,
  ],
  // What it sees depends on whether items have more members than a text.
  ['PUT does nothing', ignoring('PUT', 204), 'After PUT, '],
  [
    'items come from a cache',
    caching,
    `After PATCH, GET ${ITEM} answered 200 with "Smoke test RANDOM" as "${TEXT}" instead of "Smoke test RANDOM.": docs/rules.md#requests.`,
    `GET ${ITEM} answered 200 after DELETE: look at it, and delete it yourself.`,
  ],
  [
    'pages of other origins can write',
    answers((answer) => (answer.status === 403 ? { status: 204 } : {})),
    `PATCH ${ITEM} answered 204 instead of 403. Pages of other origins can write: docs/security.md.`,
  ],
  [
    'a write of another page is refused and applied',
    applyingDespite('sec-fetch-site'),
    `After a write from a page of another origin, GET ${ITEM} answered 200 with "Smoke test RANDOM." as "${TEXT}" instead of "Smoke test RANDOM": docs/rules.md#requests.`,
  ],
  [
    'problems are pages',
    answers((answer) =>
      answer.status === 412 || answer.status === 404
        ? { content: Buffer.from('<html>Sorry</html>'), ...fields(answer, { 'content-type': 'text/html' }) }
        : {},
    ),
    `PATCH ${ITEM} answered 412 as "text/html" instead of application/problem+json: docs/rules.md#items.`,
  ],
  [
    'problems have no code',
    answers((answer) => (answer.status === 404 ? json({ title: 'Not Found', status: 404 }) : {})),
    `GET ${ITEM} answered 404 with the code nothing instead of not-found: docs/rules.md#errors.`,
  ],
  [
    'DELETE answers 500 after it has deleted the item',
    answers((_answer, method) => (method === 'DELETE' ? { status: 500, ...json({}) } : {})),
    `DELETE ${ITEM} answered 500 instead of 204. In memory with more than one instance, items come and go: docs/scaling.md.`,
  ],
  [
    'DELETE does nothing',
    ignoring('DELETE', 204),
    `GET ${ITEM} answered 200 instead of 404. The log says more: docs/operate.md#logs.`,
    `GET ${ITEM} answered 200 after DELETE: look at it, and delete it yourself.`,
    1,
  ],
  [
    'POST stores another text',
    sends('POST', (members) => ({ ...members, [TEXT]: 'Another' })),
    `GET ${ITEM} answered 200, but not with the item that was created: it has `,
    `${ITEM} shows another item than the one that was created, so nothing was deleted there.`,
    1,
  ],
  [
    'another list’s item is under a right key',
    found((answer) => json({ ...answer.json, [TEXT]: 'Item1' })),
    `GET ${ITEM} answered 200, but not with the item that was created: it has `,
    `${ITEM} shows another item than the one that was created, so nothing was deleted there.`,
    1,
  ],
  [
    'the item is shown under another key',
    found((answer) => json({ ...answer.json, key: '01234567-89ab-4def-8123-456789abcdef' })),
    `GET ${ITEM} answered 200, but not with the item that was created: it has `,
    `${ITEM} shows another item than the one that was created, so nothing was deleted there.`,
    1,
  ],
  [
    'another item is under the new key before it is deleted',
    exchanging,
    `GET ${ITEM} answered 200, but not with the item that was created: it has `,
    `${ITEM} shows another item than the one that was created, so nothing was deleted there.`,
    1,
  ],
  [
    'POST answers with an empty key',
    created((answer) => json({ ...answer.json, key: '' })),
    `GET /live${COLLECTION}/ answered 200, but not with the item that was created: it has `,
  ],
  [
    'POST answers 504 whenever it stores an item',
    created(() => ({ status: 504, headers: {}, ...json({ message: 'Endpoint request timed out' }) })),
    `POST /live${COLLECTION} answered 504 ("Endpoint request timed out") instead of 201. The log says more: docs/operate.md#logs.`,
    `An item with "Smoke test RANDOM" as "${TEXT}" is in the list, with the key "KEY": look at it, and delete it yourself.`,
    1,
  ],
  [
    'POST stores each item twice',
    (call) => async (method, path, sent) => {
      if (method === 'POST') await call(method, path, { ...sent, headers: {} });
      return call(method, path, sent);
    },
    `GET /live${COLLECTION}?limit=1000 answered 200 with the new item 3 times: docs/rules.md#items.`,
    `An item with "Smoke test RANDOM" as "${TEXT}" is in the list, with the key "KEY": look at it, and delete it yourself. An item`,
    2,
  ],
];

describe('npm run smoke finds a stage where', () => {
  it.each(STAGES)('%s', async (...[, fault, sentence, more, left = 0]) => {
    const { code, before, after, faults } = await finds(await aStage(), fault);
    const sentences = more === undefined ? [sentence] : [sentence, more];
    expect(faults.slice(0, -1)).toEqual(sentences.map((text) => expect.stringContaining(`FAILED  ${text}`)));
    expect([code, after]).toEqual([1, before + left]);
  });

  it('POST answers with the key of an item of another caller, which it neither changes nor deletes', async () => {
    const service = await aStage();
    const { json: theirs, headers } = await service.call('POST', COLLECTION, { body: EXAMPLE });
    const wrong = created(() => ({ headers: { ...headers }, ...json(theirs) }));
    const { code, before, after, faults } = await finds(service, wrong);
    expect(faults).toEqual([
      expect.stringContaining(`FAILED  GET ${ITEM} answered 200, but not with the item that was created: it has `),
      `FAILED  ${ITEM} shows another item than the one that was created, so nothing was deleted there. An item with "Smoke test RANDOM" as "${TEXT}" is in the list, with the key "KEY": look at it, and delete it yourself.`,
      'FAILED  2 of 7 checks.',
    ]);
    expect([code, after]).toEqual([1, before + 1]);
    expect((await service.call('GET', `${COLLECTION}/${theirs.key}`)).json).toEqual(theirs);
  });
});
