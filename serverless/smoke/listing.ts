import { isDeepStrictEqual } from 'node:util';
import type { Members } from './description.js';
import { expectContent, expectStatus, expectThat, Fault, type Lines, skipped, tagOf } from './outcome.js';
import { GONE, type OwnItem } from './own-item.js';
import type { Answer } from './received-answer.js';
import { shown } from './shown.js';

const ITEMS = 'docs/rules.md#items.';
const PREFIX = 'docs/rules.md#prefix-cors-documents-and-page.';

/** Other callers may change the list between two requests. */
const ATTEMPTS = 3;

/** Tries the list, which has the item. */
export async function* tryListing(item: OwnItem, key: string): Lines {
  if (!item.described.has('list')) return yield skipped('The list');
  const whole = await wholeList(item);
  const { told, json: items } = whole;
  if (goesOn(whole)) {
    if (!canPage(item)) return yield skipped('The list', 'it goes on, and the document has no way to its other pages');
    const page = await pageFrom(item, key);
    expectThat(page.json[0]?.key === key, `${page.told} without the new item. ${GONE}`);
    yield `The list has it on the page that after leads to. It has more than ${items.length} items; the others were not read`;
  } else {
    const times = item.among(items).length;
    expectThat(
      items.some((listed: Members) => listed.key === key),
      `${told} without the new item. ${GONE}`,
    );
    expectThat(times === 1, `${told} with the new item ${times} times: ${ITEMS}`);
    const { json: found } = await item.show(key);
    const listed = items.find((listed: Members) => listed.key === key);
    expectThat(
      isDeepStrictEqual(listed, found),
      `${told}, where the new item is ${shown(listed)} instead of ${shown(found)}: ${ITEMS}`,
    );
    yield 'The list has it once, in the order of keys';
  }
  if (!canPage(item)) return yield skipped('Pages of the list');
  await patiently(() => faultOfBeginning(item));
  yield 'The list without a limit begins like the page of 1,000 items';
  yield* tryPages(item);
  yield* tryTag(item, key);
}

/** Tries the list after the item was deleted. */
export async function* tryListWithout(item: OwnItem, key: string): Lines {
  const { described } = item;
  if (!described.has('list')) return;
  const whole = await wholeList(item);
  expectThat(item.among(whole.json).length === 0, `${whole.told} with the deleted item.`);
  if (goesOn(whole)) {
    if (!canPage(item)) return;
    const page = await pageFrom(item, key);
    expectThat(page.json[0]?.key !== key, `${page.told} with the deleted item.`);
  }
  yield 'The list has it no more';
}

const canPage = ({ described: { has } }: OwnItem) => has('list', 'after') && has('list', 'limit');

const goesOn = ({ headers }: Answer) => headers.has('link');

/** Reads as many items as one page may have, and expects that their keys ascend. */
async function wholeList(item: OwnItem): Promise<Answer> {
  const { list, has } = item.described;
  return readList(item, has('list', 'limit') ? `${list}?limit=1000` : list);
}

/** The list from the item on, so that items of other callers do not matter. */
function pageFrom(item: OwnItem, key: string, headers = {}): Promise<Answer> {
  return readList(item, `${item.described.list}?after=${keyBefore(key)}&limit=1`, headers);
}

async function readList({ stage }: OwnItem, path: string, headers = {}): Promise<Answer> {
  const answer = await stage.call('GET', path, { headers });
  if (answer.status === 304) return answer;
  expectContent('application/json', answer);
  const { told, json } = answer;
  expectThat(Array.isArray(json), `${told}, but with ${shown(json)} instead of a list: ${ITEMS}`);
  const keys: readonly unknown[] = json.map((listed: Members | null) => listed?.key);
  const behind = keys.findIndex((key, at) => typeof key !== 'string' || (at > 0 && key <= String(keys[at - 1])));
  expectThat(
    behind < 0,
    `${told} with the key ${shown(keys[behind])} behind ${shown(keys[behind - 1])}: keys ascend, ${ITEMS}`,
  );
  return answer;
}

/** Repeats a check that fails, because other callers may have changed the list meanwhile. */
async function patiently(check: () => Promise<string | undefined>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const fault = await check();
    if (fault === undefined) return;
    if (attempt === ATTEMPTS) throw new Fault(fault);
  }
}

async function faultOfBeginning(item: OwnItem): Promise<string | undefined> {
  const { list } = item.described;
  const [page, plain] = [await wholeList(item), await readList(item, list)];
  const [own] = item.among(page.json);
  // Behind the command's own item, others may have come between the two requests.
  const until = goesOn(page) || !own ? page.json.length : page.json.indexOf(own) + 1;
  const length = goesOn(plain) ? Math.min(until, Math.max(plain.json.length, 1)) : until;
  if (isDeepStrictEqual(plain.json.slice(0, length), page.json.slice(0, length))) return undefined;
  return `${plain.told} with another beginning than ${page.told.split(' answered')[0]}: ${ITEMS}`;
}

async function* tryPages(item: OwnItem): Lines {
  let isTried = false;
  await patiently(async () => {
    const { json: listed } = await wholeList(item);
    if (listed.length < 2) return undefined;
    isTried = true;
    return faultOfPages(item, listed);
  });
  if (!isTried) return yield skipped('Link', 'the list has just one item');
  yield 'Link leads to the next page';
}

async function faultOfPages(item: OwnItem, listed: readonly Members[]): Promise<string | undefined> {
  const { stage, described } = item;
  const first = await readList(item, `${described.list}?limit=1`);
  if (first.json.length > 1) return `${first.told} with ${first.json.length} items: ${ITEMS}`;
  const link = first.headers.get('link');
  if (link === null) return `${first.told} without a Link, although the list goes on: ${ITEMS}`;
  const [, target = ''] = /^<([^>]*)>; rel="next"/.exec(link) ?? [];
  const expected = stage.pathOf(`${described.list}?`);
  if (!target.startsWith(expected)) return `Link leads to ${shown(link)} instead of ${expected}…: ${PREFIX}`;
  const next = await readList(item, target.slice(stage.pathOf('').length));
  const both = [...first.json, ...next.json];
  if (isDeepStrictEqual(both, listed.slice(0, both.length))) return undefined;
  return `${next.told} with other items than those that come next: ${ITEMS}`;
}

async function* tryTag(item: OwnItem, key: string): Lines {
  if (!item.described.has('list', 'If-None-Match')) return yield skipped('If-None-Match of the list');
  await patiently(async () => {
    const tag = tagOf(await pageFrom(item, key));
    const again = await pageFrom(item, key, { 'If-None-Match': tag });
    if (again.status === 304) return undefined;
    if (again.headers.get('etag') === tag) expectStatus(304, again);
    return `${again.told} instead of 304. docs/rules.md#conditional-requests.`;
  });
  yield 'A caller who has the list’s entity tag gets 304';
}

/** The UUID that is one less. */
export function keyBefore(key: string): string {
  const less = (BigInt(`0x${key.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return less.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
