import { isDeepStrictEqual } from 'node:util';
import type { Members } from './description.js';
import { anotherValue } from './member-value.js';
import { expectContent, expectProblem, expectStatus, expectThat, type Lines, skipped, tagOf } from './outcome.js';
import { GONE, type OwnItem } from './own-item.js';
import type { Answer } from './received-answer.js';
import { shown } from './shown.js';

/** No page has this origin (RFC 6761). */
const OTHER_PAGE = { Origin: 'https://smoke.invalid', 'Sec-Fetch-Site': 'cross-site' };

/**
 * Changes the item to other values and back. It is read after each write, and after each that has to be refused.
 *
 * @param created - The answer to the POST.
 */
export async function* tryChanging(item: OwnItem, created: Answer): Lines {
  const { has, schemas } = item.described;
  const { key, ...before } = created.json;
  const others: Record<string, unknown> = {};
  const { key: _, ...writable } = schemas;
  for (const [name, schema] of Object.entries(writable)) {
    const other = anotherValue(schema, before[name]);
    if (other !== undefined) others[name] = other;
    else yield skipped(`A change of ${shown(name)}`, 'no other value was found that its schema takes');
  }
  const [first] = Object.entries(others);
  if (!first) return;
  const change = Object.fromEntries([first]);
  const written = new WrittenItem(item, created);
  if (has('patch')) {
    yield* tryCondition(written, change);
    yield 'PATCH changes a member, and leaves the others as they are';
  } else yield skipped('PATCH');
  if (has('put')) {
    await written.write('PUT', { key, ...before, ...others });
    yield 'PUT replaces all members';
  } else yield skipped('PUT');
  if (has('patch')) {
    await written.write('PATCH', before);
    yield* tryOtherPage(written, change);
  } else if (has('put')) await written.write('PUT', { key, ...before });
}

async function* tryCondition(written: WrittenItem, change: Members): Lines {
  const { has } = written.item.described;
  if (!has('patch', 'If-Match')) {
    await written.write('PATCH', change);
    return yield skipped('If-Match');
  }
  const former = { 'If-Match': written.tag };
  const back = written.membersOf(change);
  await written.write('PATCH', change, former);
  expectProblem(412, 'if-match-failed', await written.send('PATCH', back, former), GONE);
  await written.read('After a PATCH at a former version, ');
  yield 'It is changed at the version that If-Match names, and at no other (412)';
}

async function* tryOtherPage(written: WrittenItem, change: Members): Lines {
  const { headers } = await written.item.stage.call('GET', written.path, { headers: { Origin: OTHER_PAGE.Origin } });
  if (headers.get('access-control-allow-origin') === '*')
    return yield skipped('Writes of other pages', 'any page may write');
  const forged = await written.send('PATCH', change, OTHER_PAGE);
  expectProblem(403, 'cross-site-write', forged, 'Pages of other origins can write: docs/security.md.');
  await written.read('After a write from a page of another origin, ');
  yield 'A write from a page of another origin is refused';
}

type Headers = Readonly<Record<string, string>>;

/** The item, and the members that it should have by what was written. */
class WrittenItem {
  readonly path: string;
  tag: string;
  #members: Members;

  constructor(
    readonly item: OwnItem,
    created: Answer,
  ) {
    this.path = item.pathOf(created.json.key);
    this.tag = tagOf(created);
    this.#members = created.json;
  }

  /** The values that the same members have now. */
  membersOf(change: Members): Members {
    return Object.fromEntries(Object.keys(change).map((name) => [name, this.#members[name]]));
  }

  send(method: string, body: Members, headers: Headers): Promise<Answer> {
    return this.item.stage.call(method, this.path, { headers, body });
  }

  /** Writes members, and expects to read all of them afterwards, at another version. */
  async write(method: 'PATCH' | 'PUT', body: Members, headers: Headers = {}): Promise<void> {
    this.#members = { ...this.#members, ...body };
    this.item.willHave(this.#members);
    const answer = expectStatus(204, await this.send(method, body, headers), GONE);
    const tag = tagOf(await this.read(`After ${method}, `));
    expectThat(tag !== this.tag, `After ${method}, the ETag of the item is ${shown(tag)} still: ${CONDITIONS}`);
    const told = method === 'PATCH' ? tagOf(answer) : tag;
    expectThat(
      told === tag,
      `${answer.told} with the ETag ${shown(told)}, but the item has ${shown(tag)}: ${CONDITIONS}`,
    );
    this.tag = tag;
  }

  /**
   * Reads it.
   *
   * @param when - After what, for the sentence.
   */
  async read(when: string): Promise<Answer> {
    const found = expectContent('application/json', await this.item.stage.call('GET', this.path), GONE);
    for (const [name, value] of Object.entries(this.#members))
      expectThat(
        isDeepStrictEqual(found.json[name], value),
        `${when}${found.told} with ${shown(found.json[name])} as ${shown(name)} instead of ${shown(value)}: docs/rules.md#requests.`,
      );
    return found;
  }
}

const CONDITIONS = 'docs/rules.md#conditional-requests.';
