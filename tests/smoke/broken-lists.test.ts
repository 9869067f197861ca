// Each stage has one fault in its list. The command has to find it, and to leave as many items as there were.
import { describe, expect, it } from '@jest/globals';
import { keyBefore } from '../../serverless/smoke/listing.js';
import type { Answer } from '../support/service/answer.js';
import { COLLECTION } from '../support/service/documented.js';
import { answers, aStage, type Fault, fields, finds, isList, isPage, isWhole, json, TEXT } from './stage.js';

const LIST = `/live${COLLECTION}`;
const WHOLE = `GET ${LIST}?limit=1000 answered 200`;

const listed = (change: (answer: Answer, path: string) => Partial<Answer>, isChanged = isList) =>
  answers((answer, method, path) =>
    method === 'GET' && isChanged(path) && answer.status === 200 ? change(answer, path) : {},
  );

const isPlain = (path: string) => path === COLLECTION;
const isFirst = (path: string) => path === `${COLLECTION}?limit=1`;

/** Answers each list with what it was when it was first asked for. */
const old =
  (isOld: (path: string) => boolean): Fault =>
  (call) => {
    const known = new Map<string, Promise<Answer>>();
    return (method, path, sent) => {
      if (!isOld(path) || method !== 'GET') return call(method, path, sent);
      const answer = known.get(path) ?? call(method, path, sent);
      known.set(path, answer);
      return answer;
    };
  };

const STAGES: readonly [what: string, fault: Fault, sentence: string][] = [
  [
    'all lists are empty',
    listed(() => json([])),
    `${WHOLE} without the new item. In memory with more than one instance, items come and go: docs/scaling.md.`,
  ],
  [
    'the plain list is empty',
    listed(() => json([]), isPlain),
    `GET ${LIST} answered 200 with another beginning than GET ${LIST}?limit=1000: docs/rules.md#items.`,
  ],
  [
    'the plain list is cut to one item',
    listed(({ json: items }) => json(items.slice(0, 1)), isPlain),
    `GET ${LIST} answered 200 with another beginning than GET ${LIST}?limit=1000: docs/rules.md#items.`,
  ],
  [
    'the plain list is from a cache',
    old(isPlain),
    `GET ${LIST} answered 200 with another beginning than GET ${LIST}?limit=1000: docs/rules.md#items.`,
  ],
  [
    'the plain list has another item first, and a Link',
    listed((answer) => ({ ...json([{ key: '0' }]), ...fields(answer, { link: '<a>; rel="next"' }) }), isPlain),
    `GET ${LIST} answered 200 with another beginning than GET ${LIST}?limit=1000: docs/rules.md#items.`,
  ],
  [
    'the plain list is empty, and has a Link',
    listed((answer) => ({ ...json([]), ...fields(answer, { link: '<a>; rel="next"' }) }), isPlain),
    `GET ${LIST} answered 200 with another beginning than GET ${LIST}?limit=1000: docs/rules.md#items.`,
  ],
  [
    'the list has an item twice',
    listed(({ json: items }) => json([...items, items.at(-1)]), isWhole),
    `${WHOLE} with the key "KEY" behind "KEY": keys ascend, docs/rules.md#items.`,
  ],
  [
    'the list is in the wrong order',
    listed(({ json: items }) => json(items.toReversed())),
    `${WHOLE} with the key "KEY" behind "KEY": keys ascend, docs/rules.md#items.`,
  ],
  [
    'the list has an item again under another key',
    listed(({ json: items }) => json([...items, { ...items.at(-1), key: 'z' }]), isWhole),
    `${WHOLE} with the new item 2 times: docs/rules.md#items.`,
  ],
  [
    'the list has a former version of the item',
    listed(({ json: items }) => json([...items.slice(0, -1), { ...items.at(-1), [TEXT]: 'Former' }]), isWhole),
    `${WHOLE}, where the new item is "{`,
  ],
  [
    'the list has holes',
    listed(({ json: items }) => json([...items, null]), isWhole),
    `${WHOLE} with the key nothing behind "KEY": keys ascend, docs/rules.md#items.`,
  ],
  ['the list is an object', listed(({ json: items }) => json({ items }), isWhole), `${WHOLE}, but with "{\\"items\\":`],
  [
    'the list has the media type of a page',
    listed((answer) => fields(answer, { 'content-type': 'text/html' }), isWhole),
    `${WHOLE} as "text/html" instead of application/json: docs/rules.md#items.`,
  ],
  [
    'limit is not looked at',
    (call) => (method, path, sent) => call(method, isFirst(path) ? COLLECTION : path, sent),
    `GET ${LIST}?limit=1 answered 200 with `,
  ],
  [
    'Link is missing',
    listed((answer) => fields(answer, { link: undefined })),
    `GET ${LIST}?limit=1 answered 200 without a Link, although the list goes on: docs/rules.md#items.`,
  ],
  [
    'Link lacks the prefix',
    listed((answer) => fields(answer, { link: `<${COLLECTION}?after=1>; rel="next"` }), isFirst),
    `Link leads to "<${COLLECTION}?after=1>; rel=\\"next\\"" instead of ${LIST}?…: docs/rules.md#prefix-cors-documents-and-page.`,
  ],
  [
    'Link leads to another host',
    listed((answer) => fields(answer, { link: `<https://evil.example${LIST}?limit=1>; rel="next"` }), isFirst),
    `Link leads to "<https://evil.example${LIST}?limit=1>; rel=\\"next\\"" instead of ${LIST}?…: docs/rules.md#prefix-cors-documents-and-page.`,
  ],
  [
    'Link cannot be read',
    listed((answer) => fields(answer, { link: 'next' }), isFirst),
    `Link leads to "next" instead of ${LIST}?…: docs/rules.md#prefix-cors-documents-and-page.`,
  ],
  [
    'Link leads to the same page again',
    listed((answer) => fields(answer, { link: `<${LIST}?limit=1>; rel="next"` }), isFirst),
    `GET ${LIST}?limit=1 answered 200 with other items than those that come next: docs/rules.md#items.`,
  ],
  [
    'the page after a key is empty, although the list goes on',
    (call) => async (method, path, sent) => {
      const answer = await call(method, path, sent);
      if (isWhole(path)) return { ...answer, ...fields(answer, { link: '<a>; rel="next"' }) };
      return isPage(path) ? { ...answer, ...json([]) } : answer;
    },
    `GET ${LIST}?after=KEY&limit=1 answered 200 without the new item. In memory with more than one instance, items come and go: docs/scaling.md.`,
  ],
  [
    'the list is sent again to a caller who has it',
    (call) => (method, path, sent) => {
      const { 'if-none-match': _, ...headers } = sent?.headers ?? {};
      return call(method, path, isList(path) ? { ...sent, headers } : sent);
    },
    `GET ${LIST}?after=KEY&limit=1 answered 200 instead of 304. The log says more: docs/operate.md#logs.`,
  ],
  [
    'the list has no ETag',
    listed((answer) => fields(answer, { etag: undefined }), isPage),
    `GET ${LIST}?after=KEY&limit=1 answered 200 without an ETag: docs/rules.md#conditional-requests.`,
  ],
];

describe('npm run smoke finds a stage where', () => {
  it.each(STAGES)('%s', async (_what, fault, sentence) => {
    const { code, before, after, faults } = await finds(await aStage(), fault);
    expect(faults).toEqual([expect.stringContaining(`FAILED  ${sentence}`), expect.stringMatching(/^FAILED {2}1 of /)]);
    expect([code, after]).toEqual([1, before]);
  });

  it.each<[what: string, isStale: (path: string) => boolean, link: string | undefined, sentence: string]>([
    ['the list', isWhole, undefined, `${WHOLE} with the deleted item.`],
    [
      'the page after a key',
      isPage,
      '<a>; rel="next"',
      `GET ${LIST}?after=KEY&limit=1 answered 200 with the deleted item.`,
    ],
  ])('%s has the item still after its deletion', async (_what, isStale, link, sentence) => {
    let last: Answer | undefined;
    let isDeleted = false;
    const stale = answers((answer, method, path) => {
      if (method === 'DELETE') isDeleted = true;
      if (isWhole(path) && link) return { ...fields(answer, { link }), ...(isStale(path) && isDeleted ? last : {}) };
      if (!isStale(path) || answer.status !== 200) return {};
      if (!isDeleted) last = answer;
      return isDeleted ? { content: (last as Answer).content } : {};
    });
    const { code, before, after, faults } = await finds(await aStage(), stale);
    expect(faults[0]).toBe(`FAILED  ${sentence}`);
    expect([code, after]).toEqual([1, before]);
  });
});

it('the key just before another is one less', () => {
  expect(keyBefore('019aa5f2-7c4f-7000-8000-000000000000')).toBe('019aa5f2-7c4f-7000-7fff-ffffffffffff');
  expect(keyBefore('00000000-0000-0000-0000-000000000001')).toBe('00000000-0000-0000-0000-000000000000');
});
