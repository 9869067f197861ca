import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './client.js';
import { expectThat, Fault, shown } from './said.js';
import type { ServedDocument } from './served-document.js';

export type Members = Readonly<Record<string, unknown>>;

/** A key as the service makes it (rule 11). */
const KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** How often a deletion is sent. */
const DELETIONS = 3;

/**
 * The item that the command creates. A stage with a fault can answer with the key of another caller's item, so it is changed and deleted
 * only after a GET has shown, under its very key, what this command alone knows.
 */
export class OwnItem {
  /** What it is created with. */
  readonly created: Members;
  readonly #random = randomBytes(8).toString('hex');
  readonly #idempotencyKey = { 'Idempotency-Key': `"${randomUUID()}"` };
  /** Keys that answers to POST have named. */
  readonly #keys = new Set<string>();
  /** The answer that showed it last. */
  #shown: Answer | undefined;
  #isPosted = false;
  #isDeleted = false;

  constructor(readonly document: ServedDocument) {
    const { example, text } = document;
    // Firewalls and encodings trip over these characters.
    this.created = { ...example, [text]: `Smoke test ${this.#random}, it's 1 < 2 & Ωж漢😀` };
  }

  /** Asks the stage to create it, each time with the same `Idempotency-Key`. */
  async post(cleaningUp = false): Promise<Answer> {
    const { list, client } = this.document;
    this.#isPosted = true;
    const answer = await client.call('POST', list, { body: this.created, headers: this.#idempotencyKey, cleaningUp });
    for (const key of [answer.json.key, answer.headers.get('location')?.split('/').at(-1)])
      if (KEY.test(key)) this.#keys.add(key);
    return answer;
  }

  /**
   * Gets it.
   *
   * @throws Fault if another item is under the key: then nothing may be written there.
   */
  async show(key: unknown): Promise<Answer> {
    const found = await this.document.ask('GET', this.#pathOf(key), '200');
    const { json, told } = found;
    const isOwn = json.key === key && this.isIn(json);
    expectThat(isOwn, `${told} with another item (${shown(json)}), so nothing is written there.`);
    this.#shown = found;
    return found;
  }

  /** Gets it, and expects just these members. */
  async expectMembers(expected: Members): Promise<void> {
    expectSame(await this.show(expected.key), expected);
  }

  /** The members that it had when it was shown last. */
  get members(): Members {
    return this.#shown?.json;
  }

  /** The entity tag that it had when it was shown last. */
  get tag(): string {
    return String(this.#shown?.headers.get('etag'));
  }

  /** Its path below the stage's URL. */
  get path(): string {
    return this.#pathOf(this.members.key);
  }

  /** Its text, with a character more. */
  get change(): Members {
    const { text } = this.document;
    return { [text]: `${this.members[text]}.` };
  }

  /** Whether these are members of it. */
  isIn(members: Members | null): boolean {
    return String(members?.[this.document.text]).includes(this.#random);
  }

  /** To be called once it is found no more. */
  wasDeleted(): void {
    this.#isDeleted = true;
  }

  get mayBeThere(): boolean {
    return this.#isPosted && !this.#isDeleted;
  }

  /** How to say it. */
  get told(): string {
    return `An item with Smoke test ${this.#random} as its ${this.document.text}`;
  }

  /**
   * Deletes it, whatever happened before. Whatever POST answered, the same `Idempotency-Key` tells the key again.
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

  /** Says why the item under a key is still there, if it is. */
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

  /** Names items of the list that have its text. They are not deleted, because the text alone does not say whose they are. */
  async #leftInList(isKnown: boolean): Promise<readonly string[]> {
    const { list, client } = this.document;
    const { json, headers } = await client.call('GET', `${list}?limit=1000`, { cleaningUp: true });
    if (!Array.isArray(json) || headers.has('link')) return isKnown ? [] : [`${this.told} may be in the list.`];
    const others = json.filter((item) => this.isIn(item) && !this.#keys.has(item.key));
    return others.map(({ key }) => `${this.told} is in the list, under the key ${shown(key)}.`);
  }
}

/** @throws Fault that shows the members in which an answer differs from what is expected. */
export function expectSame({ json, told }: Answer, expected: Members): void {
  const names = Object.keys({ ...expected, ...json });
  const other = names.filter((name) => !isDeepStrictEqual(json[name], expected[name]));
  const only = (members: Members) => Object.fromEntries(other.map((name) => [name, members[name]]));
  expectThat(other.length === 0, `${told} with ${shown(only(json))} instead of ${shown(only(expected))}.`);
}
