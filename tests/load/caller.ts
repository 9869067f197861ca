import { once } from 'node:events';
import { type Agent, request } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { answerOf } from '../support/service/answer.js';
import { matchesDocument } from '../support/service/matches-document.js';

/** The outcome of the calls so far. */
export interface Tally {
  /** Milliseconds by operation. */
  readonly times: Map<string, number[]>;
  /** What was wrong, in words. */
  readonly faults: string[];
}

interface Item {
  readonly key: string;
  readonly name: string;
  readonly isComplete: boolean;
}

/** One of many callers: it works on items of its own, and knows what each answer must be. */
export class Caller {
  readonly #agent: Agent;
  readonly #url: URL;
  readonly #tally: Tally;
  readonly #items = new Map<string, Item>();
  #count = 0;

  constructor(url: string, agent: Agent, tally: Tally) {
    this.#url = new URL(url);
    this.#agent = agent;
    this.#tally = tally;
  }

  /** Creates an item, changes it in each way there is, reads it in between, and deletes it; every tenth one stays. */
  async work(): Promise<void> {
    this.#count += 1;
    const members = {
      name: `${'"é😀\\'.repeat(this.#count % 7)}item ${this.#count}`,
      isComplete: this.#count % 2 === 0,
    };
    const created = await this.#call('POST', '/api/todo', 201, members);
    const item: Item = created.json;
    this.#expect('POST', item, { ...item, ...members });
    if (!item) return;
    const path = `/api/todo/${item.key}`;
    await this.#call('PATCH', path, 204, { isComplete: !members.isComplete });
    await this.#call('PATCH', path, 412, { name: 'lost' }, { 'If-Match': '"1"' });
    const changed = { ...item, isComplete: !members.isComplete };
    this.#expect('GET', (await this.#call('GET', path, 200)).json, changed);
    const replaced = { key: item.key, name: `${changed.name}!`, isComplete: false };
    await this.#call('PUT', path, 400, { ...replaced, name: ' ' });
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
    for (const key of this.#items.keys()) await this.#call('DELETE', `/api/todo/${key}`, 204);
  }

  async #list(): Promise<void> {
    const { json } = await this.#call('GET', '/api/todo', 200);
    const listed = new Map((json as Item[]).map((item) => [item.key, item]));
    for (const item of this.#items.values()) this.#expect('list', listed.get(item.key), item);
  }

  async #call(method: string, path: string, status: number, body?: object, more?: Record<string, string>) {
    const started = performance.now();
    const { hostname, port } = this.#url;
    const headers = { ...(body && { 'Content-Type': 'application/json' }), ...more };
    const sent = request({ hostname, port, method, path, agent: this.#agent, headers });
    sent.end(body && JSON.stringify(body));
    const [response] = await once(sent, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const operation = `${method} ${path === '/api/todo' ? 'list' : 'item'}`;
    const times = this.#tally.times.get(operation) ?? [];
    this.#tally.times.set(operation, times);
    times.push(performance.now() - started);
    const answer = answerOf(response.statusCode, response.headers, Buffer.concat(chunks));
    this.#expect(`${method} ${path}`, answer.status, status);
    return matchesDocument(method, path, answer);
  }

  #expect(what: string, actual: unknown, expected: unknown): void {
    if (isDeepStrictEqual(actual, expected)) return;
    this.#tally.faults.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }
}
