import { isDeepStrictEqual } from 'node:util';
import type fc from 'fast-check';
import type { Answer } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import type { Service } from '../../support/service/service.js';
import type { Model, ModelItem } from './model.js';
import { type RequestSketch, requestOf } from './requests.js';

/** How many calls were answered so far, by method and status. */
const made = new Map<string, number>();
/** How many pages of lists were shorter than asked for, although the list went on. */
export let shortPages = 0;

/** How many calls were answered so far. */
export function count(): number {
  return Array.from(made.values()).reduce((sum, times) => sum + times, 0);
}

/** How many calls had each outcome. */
export function outcomes(): string {
  return Array.from(made, ([outcome, times]) => `${outcome}: ${times}`)
    .sort()
    .join(', ');
}

/** Sends a request to the service and to the model. If they differ, fast-check finds a shorter sequence that shows it. */
export class CallCommand implements fc.AsyncCommand<Model, Service> {
  readonly #sketch: RequestSketch;
  #told = '';

  constructor(sketch: RequestSketch) {
    this.#sketch = sketch;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, service: Service): Promise<void> {
    const { asked, path, headers } = requestOf(this.#sketch, model);
    this.#told = `${asked.method} ${path} ${JSON.stringify(headers)} ${asked.body ?? ''}`;
    const answer = await service.call(asked.method, path, { headers, body: asked.body });
    const outcome = `${asked.method} ${answer.status}`;
    made.set(outcome, (made.get(outcome) ?? 0) + 1);
    this.#told += ` → ${answer.status} ${answer.text.slice(0, 200)}`;
    const newKey = answer.status === 201 ? newKeyOf(answer, model, service) : '';
    const expected = model.answer(asked, newKey);
    same('status', answer.status, expected.status);
    if (expected.items) same('list', await this.#rest(answer, service), expected.items.map(onTheWire));
    if (!expected.item) return;
    same('entity tag', answer.headers.etag, `"${expected.item.version}"`);
    if (answer.text !== '') same('item', answer.json, onTheWire(expected.item));
  }

  /** The items of a page, and of the pages that its links lead to. */
  async #rest(page: Answer, service: Service): Promise<WireItem[]> {
    const { limit = Number.POSITIVE_INFINITY } = this.#sketch;
    if (page.json.length > limit) throw new Error('the page is too long');
    const [, next] = /^<(.*)>; rel="next"$/.exec(page.headers.link ?? '') ?? [];
    if (next === undefined) return page.json;
    if (page.json.length < limit) shortPages += 1;
    return [...page.json, ...(await this.#rest(await service.call('GET', next.slice(service.prefix.length)), service))];
  }

  toString(): string {
    return this.#told;
  }
}

function newKeyOf({ json, headers }: Answer, { items }: Model, { prefix }: Service): string {
  const { key } = json;
  if (!/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(key)) throw new Error(`key ${key}`);
  if (items.some((item) => item.key === key)) throw new Error(`the key ${key} was assigned twice`);
  same('location', headers.location, `${prefix}${PARCELS}/${key}`);
  return key;
}

type WireItem = Omit<ModelItem, 'version'>;

function onTheWire({ version: _version, ...item }: ModelItem): WireItem {
  return item;
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(actual)} but the model has ${JSON.stringify(expected)}`);
}
