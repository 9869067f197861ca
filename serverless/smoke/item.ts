import { randomUUID } from 'node:crypto';
import type { DeployedStage } from './deployed-stage.js';
import type { Described } from './description.js';
import { expectStatus, expectThat, type Lines, skipped } from './outcome.js';
import type { Answer } from './received-answer.js';

const GONE = 'In memory with more than one instance, items come and go: docs/scaling.md.';
const PREFIX = 'docs/rules.md#prefix-cors-documents-and-page.';
const OTHER_PAGE = { Origin: 'https://smoke.invalid', 'Sec-Fetch-Site': 'cross-site' };

interface Created extends Described {
  readonly stage: DeployedStage;
  /** The answer to the POST. */
  readonly created: Answer;
  readonly key: string;
  /** Below the stage's URL. */
  readonly path: string;
}

/**
 * Creates an item, and tries all that can be done with it. Other callers see it meanwhile. It changes no other item, and deletes
 * its own whatever happens.
 *
 * @returns A line for what holds, and for what the document lacks.
 * @throws Fault for the first that does not hold, or if the item could not be deleted.
 */
export async function* tryItem(stage: DeployedStage, described: Described): Lines {
  const { list, has } = described;
  const once = has('post', 'Idempotency-Key') ? { 'Idempotency-Key': `"${randomUUID()}"` } : undefined;
  const sent = { body: described.example, ...(once && { headers: once }) };
  const created = expectStatus(201, await stage.call('POST', list, sent));
  const { key } = created.json;
  const item: Created = { ...described, stage, created, key, path: `${list}/${key}` };
  let isThere = true;
  try {
    const location = created.headers.get('location');
    const expected = stage.pathOf(item.path);
    expectThat(location === expected, `Location is ${location} instead of ${expected}: ${PREFIX}`);
    yield `An item is created at ${expected}`;
    if (once) {
      const again = expectStatus(201, await stage.call('POST', list, sent));
      if (again.json.key !== key) await remove(stage, `${list}/${again.json.key}`);
      expectThat(again.json.key === key, `The same Idempotency-Key created a second item. ${GONE}`);
      yield 'The same Idempotency-Key creates no second item';
    } else yield skipped('Idempotency-Key');
    yield* tryReading(item);
    yield* tryChanging(item);
    yield* tryListing(item);
    if (!has('delete')) return yield skipped('DELETE');
    expectStatus(204, await stage.call('DELETE', item.path), GONE);
    isThere = false;
    expectStatus(404, await stage.call('GET', item.path));
    yield 'The item is deleted, and found no more';
    if (!canPage(item)) return;
    const { told, json } = await page(item);
    expectThat(json[0]?.key !== key, `${told} with the deleted item.`);
    yield 'The list has it no more';
  } finally {
    if (isThere) await remove(stage, item.path);
  }
}

/** Deletes an item of its own, which nobody else has: so a deletion that may have been done is done again. */
async function remove(stage: DeployedStage, path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, told } = await stage.call('DELETE', path, { cleaningUp: true });
    if (status === 204 || status === 404) return;
    expectThat(attempt < 3, `${told}. The item may still be there: delete ${path} yourself.`);
  }
}

async function* tryReading({ stage, has, path, created }: Created): Lines {
  if (!has('get')) return yield skipped('GET of an item');
  const found = expectStatus(200, await stage.call('GET', path), GONE);
  expectThat(found.text === created.text, `${found.told}, but the item is not the one that was created.`);
  const caching = found.headers.get('cache-control');
  expectThat(caching === 'no-store', `An item has Cache-Control: ${caching} instead of no-store: docs/security.md.`);
  yield 'It is found as it was created, and caches may not store it';
  if (!has('get', 'If-None-Match')) return yield skipped('If-None-Match');
  expectStatus(304, await stage.call('GET', path, { headers: { 'If-None-Match': tagOf(created) } }));
  yield 'A caller who has its entity tag gets 304';
}

async function* tryChanging({ stage, has, path, created }: Created): Lines {
  if (!has('patch')) return yield skipped('PATCH');
  if (has('patch', 'If-Match')) {
    const conditional = { headers: { 'If-Match': tagOf(created) }, body: {} };
    expectStatus(204, await stage.call('PATCH', path, conditional), GONE);
    expectStatus(412, await stage.call('PATCH', path, conditional), GONE);
    yield 'It is changed at the version that If-Match names, and at no other (412)';
  } else yield skipped('If-Match');
  const { headers } = await stage.call('GET', path, { headers: { Origin: OTHER_PAGE.Origin } });
  if (headers.get('access-control-allow-origin') === '*')
    return yield skipped('Writes of other pages', 'any page may write');
  const forged = await stage.call('PATCH', path, { headers: OTHER_PAGE, body: {} });
  expectStatus(403, forged, 'Pages of other origins can write: docs/security.md.');
  yield 'A write from a page of another origin is refused';
}

async function* tryListing(item: Created): Lines {
  if (!canPage(item)) return yield skipped('Pages of the list');
  const { told, json, headers } = await page(item);
  expectThat(json[0]?.key === item.key, `${told} without the new item. ${GONE}`);
  const link = /^<([^>]*)>/.exec(headers.get('link') ?? '')?.[1];
  const expected = item.stage.pathOf(`${item.list}?`);
  expectThat(
    link === undefined || link.startsWith(expected),
    `Link leads to ${link} instead of ${expected}…: ${PREFIX}`,
  );
  yield 'The list has it';
  if (!item.has('list', 'If-None-Match')) return yield skipped('If-None-Match of the list');
  // Somebody else may change this page of the list between two requests.
  for (let attempt = 1; ; attempt += 1) {
    const tag = tagOf(await page(item));
    const again = await page(item, { 'If-None-Match': tag });
    if (again.status === 304) break;
    if (again.headers.get('etag') === tag || attempt === 3) expectStatus(304, again);
  }
  yield 'A caller who has the list’s entity tag gets 304';
}

const canPage = ({ has }: Described) => has('list', 'after') && has('list', 'limit');

/** The list from the item on, so that items of other callers do not matter. */
async function page({ stage, list, key }: Created, headers = {}): Promise<Answer> {
  const answer = await stage.call('GET', `${list}?after=${keyBefore(key)}&limit=1`, { headers });
  return answer.status === 304 ? answer : expectStatus(200, answer);
}

function tagOf({ told, headers }: Answer): string {
  const tag = headers.get('etag');
  expectThat(tag !== null, `${told} without an ETag: docs/rules.md#conditional-requests.`);
  return tag;
}

/** The UUID that is one less. */
export function keyBefore(key: string): string {
  const less = (BigInt(`0x${key.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return less.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
