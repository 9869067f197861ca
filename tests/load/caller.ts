import type { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { matchesDocument } from '../support/service/matches-document.js';
import { anItem, COLLECTION, INVALID, OPTIONAL, VALUES } from '../support/service/resource.js';
import { send } from '../support/start/offline.js';

/** The outcome of the calls so far. */
export interface Tally {
  calls: number;
  /** What was not as it must be, in words. */
  readonly faults: string[];
}

interface Item {
  readonly key: string;
  readonly [member: string]: unknown;
}

/** One of many callers: it works on items of its own, and knows what each answer must be. */
export class Caller {
  readonly #agent: Agent;
  readonly #port: string;
  readonly #tally: Tally;
  readonly #items = new Map<string, Item>();
  #count = 0;

  constructor(url: string, agent: Agent, tally: Tally) {
    this.#port = new URL(url).port;
    this.#agent = agent;
    this.#tally = tally;
  }

  /** Creates an item, changes it in each way there is, reads it in between, and deletes it; every tenth one stays. */
  async work(): Promise<void> {
    this.#count += 1;
    const text = `${'"é😀\\'.repeat(this.#count % 7)}item ${this.#count}`;
    const [before, after] = this.#count % 2 ? VALUES : [VALUES[1], VALUES[0]];
    const members = { ...anItem(text), [OPTIONAL]: before };
    const created = await this.#call('POST', COLLECTION, 201, members);
    const item: Item = created.json;
    this.#expect('POST', item, { ...item, ...members });
    if (!item) return;
    const path = `${COLLECTION}/${item.key}`;
    await this.#call('PATCH', path, 204, { [OPTIONAL]: after });
    await this.#call('PATCH', path, 412, anItem('lost'), { 'If-Match': '"1"' });
    const changed = { ...item, [OPTIONAL]: after };
    this.#expect('GET', (await this.#call('GET', path, 200)).json, changed);
    const replaced = { key: item.key, ...anItem(`${text}!`), [OPTIONAL]: VALUES[0] };
    await this.#call('PUT', path, 400, { ...replaced, ...INVALID });
    await this.#call('PUT', path, 204, replaced);
    this.#items.set(item.key, { ...item, ...replaced });
    if (this.#count % 5 === 0) await this.#list();
    if (this.#count % 10 === 0) return;
    await this.#call('DELETE', path, 204);
    this.#items.delete(item.key);
    await this.#call('GET', path, 404);
  }

  /** Deletes what it has left. */
  async clear(): Promise<void> {
    for (const key of this.#items.keys()) await this.#call('DELETE', `${COLLECTION}/${key}`, 204);
  }

  async #list(): Promise<void> {
    const { json } = await this.#call('GET', COLLECTION, 200);
    const listed = new Map((json as Item[]).map((item) => [item.key, item]));
    for (const item of this.#items.values()) this.#expect('list', listed.get(item.key), item);
  }

  async #call(method: string, path: string, status: number, body?: object, more?: Record<string, string>) {
    const headers = { ...(body && { 'Content-Type': 'application/json' }), ...more };
    const answer = await send(this.#port, method, path, { headers, body, agent: this.#agent });
    this.#tally.calls += 1;
    this.#expect(`${method} ${path}`, answer.status, status);
    return matchesDocument(method, path, answer);
  }

  #expect(what: string, actual: unknown, expected: unknown): void {
    if (isDeepStrictEqual(actual, expected)) return;
    this.#tally.faults.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }
}
