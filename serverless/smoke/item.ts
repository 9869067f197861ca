import { isDeepStrictEqual } from 'node:util';
import { tryChanging } from './changing.js';
import { tryListing, tryListWithout } from './listing.js';
import {
  expectContent,
  expectMediaType,
  expectProblem,
  expectStatus,
  expectThat,
  type Lines,
  skipped,
  tagOf,
} from './outcome.js';
import { GONE, type OwnItem } from './own-item.js';
import type { Answer } from './received-answer.js';
import { shown } from './shown.js';

const ITEMS = 'docs/rules.md#items.';

/**
 * Creates an item, and tries all that can be done with it. Other callers see it meanwhile. It changes no other item. Whatever
 * happens, `cleanUp` of the item is to be called afterwards.
 *
 * @returns A line for what passes, and for what the document lacks.
 * @throws Fault for the first check that fails.
 */
export async function* tryItem(item: OwnItem): Lines {
  const { stage, described } = item;
  const missing = ['get', 'delete'].filter((method) => !described.has(method)).map((method) => method.toUpperCase());
  if (missing.length > 0)
    return yield skipped(
      'Items, because none could be recognized and deleted',
      `the document has no ${missing.join(', ')}`,
    );
  const created = expectStatus(201, await item.post());
  const { key } = created.json;
  expectThat(typeof key === 'string', `${created.told}, but without an item. ${ITEMS}`);
  await item.show(key);
  expectMembers(created, item, { key, ...item.created });
  const location = created.headers.get('location');
  const expected = stage.pathOf(item.pathOf(key));
  expectThat(
    location === expected,
    `Location is ${shown(location)} instead of ${expected}: docs/rules.md#prefix-cors-documents-and-page.`,
  );
  yield `An item is created at ${expected}, as it was sent`;
  yield* tryAgain(item, created);
  yield* tryReading(item, created);
  yield* tryChanging(item, created);
  yield* tryListing(item, key);
  await item.delete(key);
  expectProblem(404, 'not-found', await stage.call('GET', item.pathOf(key)));
  item.wasDeleted();
  yield 'The item is deleted, and found no more';
  yield* tryListWithout(item, key);
}

/** Every member has to be there, and those that were sent have to be as they were sent. */
function expectMembers(answer: Answer, { described }: OwnItem, expected: Readonly<Record<string, unknown>>): void {
  expectMediaType('application/json', answer);
  const names = Object.keys(described.schemas);
  expectThat(
    isDeepStrictEqual(Object.keys(answer.json), names),
    `${answer.told} with the members ${shown(Object.keys(answer.json))} instead of ${shown(names)}: ${ITEMS}`,
  );
  for (const [name, value] of Object.entries(expected))
    expectThat(
      isDeepStrictEqual(answer.json[name], value),
      `${answer.told} with ${shown(answer.json[name])} as ${shown(name)} instead of ${shown(value)}: ${ITEMS}`,
    );
}

/** The request may be sent again, and that creates nothing. */
async function* tryAgain(item: OwnItem, created: Answer): Lines {
  if (!item.isIdempotent) return yield skipped('Idempotency-Key');
  const again = expectStatus(201, await item.post());
  expectThat(again.json.key === created.json.key, `The same Idempotency-Key created a second item. ${GONE}`);
  expectThat(
    again.text === created.text,
    `${again.told} with another item for the same Idempotency-Key: docs/rules.md#idempotency-key.`,
  );
  yield 'The same Idempotency-Key creates no second item';
}

async function* tryReading(item: OwnItem, created: Answer): Lines {
  const { stage, described } = item;
  const path = item.pathOf(created.json.key);
  const found = expectContent('application/json', await stage.call('GET', path), GONE);
  expectThat(found.text === created.text, `${found.told}, but the item is not the one that was created.`);
  expectThat(
    tagOf(found) === tagOf(created),
    `${found.told} with the ETag ${shown(tagOf(found))} instead of ${shown(tagOf(created))}: docs/rules.md#conditional-requests.`,
  );
  const caching = found.headers.get('cache-control');
  expectThat(
    caching === 'no-store',
    `An item has Cache-Control: ${shown(caching)} instead of no-store: docs/security.md.`,
  );
  yield 'It is found as it was created, and caches may not store it';
  if (!described.has('get', 'If-None-Match')) return yield skipped('If-None-Match');
  expectStatus(304, await stage.call('GET', path, { headers: { 'If-None-Match': tagOf(created) } }));
  yield 'A caller who has its entity tag gets 304';
}
