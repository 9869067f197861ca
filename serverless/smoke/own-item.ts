import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DeployedStage } from './deployed-stage.js';
import type { Described, Members } from './description.js';
import { ownText } from './member-value.js';
import { expectStatus, expectThat, Fault, type Lines } from './outcome.js';
import type { Answer } from './received-answer.js';
import { shown } from './shown.js';

/** A key as the service makes it (rule 11). */
const KEY = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** How often a deletion is sent. */
const DELETIONS = 3;

/**
 * The item that the command creates. A stage with a fault can answer with the key of another caller's item, so it is changed and deleted
 * only after a GET has shown the text that this command gave it.
 */
export class OwnItem {
  /** What it is created with. */
  readonly created: Members;
  /** The member with a text that no other item has; undefined if the schema takes no such text. */
  readonly mark: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;
  /** All that was sent for it. */
  readonly #sent: Members[];
  /** Keys that answers have named. */
  readonly #keys = new Set<string>();
  #posts = 0;
  #isShown = false;
  #isDeleted = false;

  constructor(
    readonly stage: DeployedStage,
    readonly described: Described,
  ) {
    const { example, schemas, has } = described;
    const random = randomBytes(8).toString('hex');
    const texts = Object.entries(schemas).map(
      ([name, schema]) => [name, ownText(schema, [`Smoke test ${random}`, random])] as const,
    );
    const [mark, text] = texts.find(([, text]) => text !== undefined) ?? [];
    this.mark = mark;
    this.created = mark ? { ...example, [mark]: text } : example;
    this.#headers = has('post', 'Idempotency-Key') ? { 'Idempotency-Key': `"${randomUUID()}"` } : {};
    this.#sent = [this.created];
  }

  /** Whether a repetition of the request creates nothing more. */
  get isIdempotent(): boolean {
    return 'Idempotency-Key' in this.#headers;
  }

  /** Its path below the stage's URL. */
  pathOf(key: string): string {
    return `${this.described.list}/${key}`;
  }

  /** Asks the stage to create it, each time with the same `Idempotency-Key`. */
  async post(cleaningUp = false): Promise<Answer> {
    this.#posts += 1;
    const sent = { body: this.created, headers: this.#headers, cleaningUp, awaited: !this.isIdempotent };
    const answer = await this.stage.call('POST', this.described.list, sent);
    for (const key of [answer.json.key, answer.headers.get('location')?.split('/').at(-1)])
      if (typeof key === 'string' && KEY.test(key)) this.#keys.add(key);
    return answer;
  }

  /** Says what will be sent for it, so that it is also recognized by that. */
  willHave(members: Members): void {
    this.#sent.push(members);
  }

  /**
   * Gets it under a key.
   *
   * @throws Fault if that is another item: then nothing may be written under the key.
   */
  async show(key: string): Promise<Answer> {
    const found = expectStatus(200, await this.stage.call('GET', this.pathOf(key)), GONE);
    expectThat(
      this.#isShownIn(found, key),
      `${found.told}, but not with the item that was created: it has ${shown(found.json)}. Nothing is written to it.`,
    );
    this.#isShown = true;
    return found;
  }

  /** Deletes it, once, after it was shown. */
  async delete(key: string): Promise<void> {
    await this.show(key);
    expectStatus(204, await this.stage.call('DELETE', this.pathOf(key)), GONE);
  }

  /** To be called once it is found no more. */
  wasDeleted(): void {
    this.#isDeleted = true;
  }

  /** Finds it in a list: what has one of its keys, or its text. */
  among(items: readonly Members[]): readonly Members[] {
    return items.filter((item) => this.#keys.has(String(item?.key)) || (this.mark && this.#isLike(item)));
  }

  /**
   * Deletes it if it may be there, whatever happened before. Whatever POST answered, the same `Idempotency-Key` is sent again to learn the
   * key.
   *
   * @throws Fault that names what could not be deleted.
   */
  async *cleanUp(): Lines {
    if (this.#posts === 0 || this.#isDeleted) return;
    // First of all, because this process may be killed before it has deleted the item.
    yield { note: `An item ${this.#told} may be there, and is deleted now` };
    const wasShown = this.#isShown;
    if (!wasShown && this.isIdempotent) await this.post(true);
    const left: string[] = [];
    for (const key of this.#keys) left.push(...(await this.#remove(key)));
    left.push(...(await this.#lookInList(wasShown || left.length > 0)));
    if (left.length > 0) throw new Fault(left.join(' '));
    yield { note: 'Nothing that was created is left' };
  }

  /** Says why the item under a key is still there, if it is. */
  async #remove(key: string): Promise<readonly string[]> {
    const path = this.pathOf(key);
    const [address, cleaningUp] = [this.stage.pathOf(path), { cleaningUp: true }];
    for (let deletion = 0; ; deletion += 1) {
      const found = await this.stage.call('GET', path, cleaningUp);
      if (found.status === 404) {
        this.#keys.delete(key);
        return [];
      }
      if (found.status !== 200) return [`${found.told}. ${this.#mayBe(`at ${address}`)}`];
      if (!this.#isShownIn(found, key))
        return [`${address} shows another item than the one that was created, so nothing was deleted there.`];
      if (deletion === DELETIONS) return [`${found.told} after DELETE: look at it, and delete it yourself.`];
      await this.stage.call('DELETE', path, cleaningUp);
    }
  }

  /**
   * Names items of the list that have the text. They are not deleted, because the text alone does not say whose they are.
   *
   * @param isKnown - Whether its key is known, so that it does not matter if the list can't be read.
   */
  async #lookInList(isKnown: boolean): Promise<readonly string[]> {
    const { list, has } = this.described;
    const path = has('list', 'limit') ? `${list}?limit=1000` : list;
    const { status, json, headers } = await this.stage.call('GET', path, { cleaningUp: true });
    const canBeSeen = this.mark !== undefined && status === 200 && Array.isArray(json) && !headers.has('link');
    if (!canBeSeen) return isKnown ? [] : [this.#mayBe('in the list')];
    const others = this.among(json).filter(({ key }) => !this.#keys.has(String(key)));
    return others.map(
      ({ key }) =>
        `An item ${this.#told} is in the list, with the key ${shown(key)}: look at it, and delete it yourself.`,
    );
  }

  #mayBe(where: string): string {
    return `An item ${this.#told} may be ${where}. If so, delete it yourself.`;
  }

  get #told(): string {
    return this.mark ? `with ${shown(this.created[this.mark])} as ${shown(this.mark)}` : `like ${shown(this.created)}`;
  }

  #isShownIn({ json }: Answer, key: string): boolean {
    return json.key === key && this.#isLike(json);
  }

  #isLike(item: Members): boolean {
    return this.#sent.some((members) =>
      (this.mark ? [this.mark] : Object.keys(members)).every((name) =>
        isDeepStrictEqual(Object(item)[name], members[name]),
      ),
    );
  }
}

/** What an item that is missing may mean. */
export const GONE = 'In memory with more than one instance, items come and go: docs/scaling.md.';
