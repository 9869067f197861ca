import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './client.js';
import { expectThat, Fault, shown } from './said.js';
import type { ServedDocument } from './served-document.js';

export type Members = Readonly<Record<string, unknown>>;

/** As the service makes keys (rule 11). */
const KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** How often a deletion is sent. */
const DELETIONS = 3;

/**
 * The item that the command creates. A faulty stage can answer with the key of another caller's item, so it is changed
 * and deleted only after a GET has shown, under its very key, what this command alone knows.
 */
export class OwnItem {
  readonly created: Members;
  readonly #random = randomBytes(8).toString('hex');
  readonly #idempotencyKey = { 'Idempotency-Key': `"${randomUUID()}"` };
  /** The keys in answers to POST. */
  readonly #keys = new Set<string>();
  /** The last answer that showed it. */
  #shown: Answer | undefined;
  #isPosted = false;
  #isDeleted = false;

  constructor(readonly document: ServedDocument) {
    const { example, text } = document;
    // Firewalls and encodings trip over these characters.
    this.created = { ...example, [text]: `Smoke test ${this.#random}, it's 1 < 2 & Ωж漢😀` };
  }

  /** Each time with the same `Idempotency-Key`. */
  async post(cleaningUp = false): Promise<Answer> {
    const { list, client } = this.document;
    this.#isPosted = true;
    const answer = await client.call('POST', list, { body: this.created, headers: this.#idempotencyKey, cleaningUp });
    for (const key of [answer.json.key, answer.headers.get('location')?.split('/').at(-1)])
      if (KEY.test(key)) this.#keys.add(key);
    return answer;
  }

  /** @throws Fault if another item is under the key. Then nothing may be written there. */
  async show(key: unknown): Promise<Answer> {
    const found = await this.document.ask('GET', this.#pathOf(key), '200');
    const { json, told } = found;
    const isOwn = json.key === key && this.isIn(json);
    expectThat(isOwn, `${told} with another item (${shown(json)}), so nothing is written there.`);
    this.#shown = found;
    return found;
  }

  /** Expects just these members. */
  async expectMembers(expected: Members): Promise<void> {
    expectSame(await this.show(expected.key), expected);
  }

  /** When it was shown last. */
  get members(): Members {
    return this.#shown?.json;
  }

  /** When it was shown last. */
  get tag(): string {
    return String(this.#shown?.headers.get('etag'));
  }

  /** Below the stage's URL. */
  get path(): string {
    return this.#pathOf(this.members.key);
  }

  /** Its text, with a character more. */
  get change(): Members {
    const { text } = this.document;
    return { [text]: `${this.members[text]}.` };
  }

  isIn(members: Members | null): boolean {
    return String(members?.[this.document.text]).includes(this.#random);
  }

  wasDeleted(): void {
    this.#isDeleted = true;
  }

  get mayBeThere(): boolean {
    return this.#isPosted && !this.#isDeleted;
  }

  /** For a sentence. */
  get told(): string {
    return `An item with Smoke test ${this.#random} as its ${this.document.text}`;
  }

  /**
   * Deletes it, whatever happened before. The same `Idempotency-Key` tells the key again, whatever POST answered.
   *
   * @throws Fault that names what could not be deleted.
   */
  async cleanUp(): Promise<void> {
    if (!this.#shown) await this.post(true);
    const isKnown = this.#keys.size > 0;
    const left: string[] = [];
    for (const key of this.#keys) left.push(...(await this.#remove(key)));
    left.push(...(await this.#leftInList(isKnown)));
    if (left.length > 0) throw new Fault(left.join(' '));
  }

  #pathOf(key: unknown): string {
    return `${this.document.list}/${key}`;
  }

  /** Why the item under a key is still there, if it is. */
  async #remove(key: string): Promise<readonly string[]> {
    const { client } = this.document;
    const path = this.#pathOf(key);
    const cleaningUp = { cleaningUp: true };
    for (let deletion = 0; deletion <= DELETIONS; deletion += 1) {
      const { status, json } = await client.call('GET', path, cleaningUp);
      if (status === 404) {
        this.#keys.delete(key);
        return [];
      }
      if (status !== 200) break;
      if (json.key !== key || !this.isIn(json))
        return [`${client.prefix}${path} shows another item, so nothing was deleted there.`];
      if (deletion < DELETIONS) await client.call('DELETE', path, cleaningUp);
    }
    return [`${this.told} may be at ${client.prefix}${path}.`];
  }

  /** Items of the list with its text. They are not deleted, because others may own them. */
  async #leftInList(isKnown: boolean): Promise<readonly string[]> {
    const { list, client } = this.document;
    const { json, headers } = await client.call('GET', `${list}?limit=1000`, { cleaningUp: true });
    if (!Array.isArray(json) || headers.has('link')) return isKnown ? [] : [`${this.told} may be in the list.`];
    const others = json.filter((item) => this.isIn(item) && !this.#keys.has(item.key));
    return others.map(({ key }) => `${this.told} is in the list, under the key ${shown(key)}.`);
  }
}

/** @throws Fault that shows the members that differ. */
export function expectSame({ json, told }: Answer, expected: Members): void {
  const names = Object.keys({ ...expected, ...json });
  const other = names.filter((name) => !isDeepStrictEqual(json[name], expected[name]));
  const only = (members: Members) => Object.fromEntries(other.map((name) => [name, members[name]]));
  expectThat(other.length === 0, `${told} with ${shown(only(json))} instead of ${shown(only(expected))}.`);
}
