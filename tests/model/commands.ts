import { isDeepStrictEqual } from 'node:util';
import type fc from 'fast-check';
import type { Answer } from '../support/service/answer.js';
import { COLLECTION } from '../support/service/resource.js';
import type { Service } from '../support/service/service.js';
import type { Asked, Model, ModelItem, Versions } from './model.js';
import { type Draft, draft } from './requests.js';

/** Calls service and model side by side; fast-check shrinks a sequence of them that differs. */
export const calls: fc.Arbitrary<fc.AsyncCommand<Model, Service>> = draft.map((drafted) => new CallCommand(drafted));

/** How many calls were answered so far, by method and status. */
export const made = new Map<string, number>();

class CallCommand implements fc.AsyncCommand<Model, Service> {
  readonly #draft: Draft;
  #told = '';

  constructor(drafted: Draft) {
    this.#draft = drafted;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, service: Service): Promise<void> {
    const asked = resolve(this.#draft, model);
    const id = asked.key && (this.#draft.shouted ? asked.key.toUpperCase() : asked.key);
    const query = asked.method === 'GET' && this.#draft.limit ? `?limit=${this.#draft.limit}` : '';
    const path = `${COLLECTION}${id === undefined ? query : `/${encodeURIComponent(id)}`}`;
    const headers = headersOf(asked, this.#draft.accept);
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

  /** All items of a list, by way of the links from page to page. */
  async #rest(page: Answer, service: Service): Promise<WireItem[]> {
    if (page.json.length > (this.#draft.limit ?? Number.POSITIVE_INFINITY)) throw new Error('the page is too long');
    const [, next] = /^<(.*)>; rel="next"$/.exec(page.headers.link ?? '') ?? [];
    if (next === undefined) return page.json;
    return [...page.json, ...(await this.#rest(await service.call('GET', next.slice(service.prefix.length)), service))];
  }

  toString(): string {
    return this.#told;
  }
}

function resolve({ method, target, type, body, bodyKey, ifMatch, ifNoneMatch }: Draft, { items }: Model): Asked {
  const item = typeof target === 'number' ? items[target % Math.max(1, items.length)] : undefined;
  const key = typeof target === 'number' ? (item?.key ?? 'nobody') : target;
  const own = bodyKey === 'shouted' ? key?.toUpperCase() : key;
  const withKey = typeof body === 'object' && bodyKey !== 'as sent' && key !== undefined ? { ...body, key: own } : body;
  const near = (versions: Draft['ifMatch']) =>
    Array.isArray(versions) ? versions.map((distance) => Math.max(1, (item?.version ?? 1) + distance)) : versions;
  return {
    method,
    key,
    type,
    body: typeof withKey === 'object' ? JSON.stringify(withKey) : withKey,
    ifMatch: near(ifMatch) as Asked['ifMatch'],
    ifNoneMatch: near(ifNoneMatch) as Asked['ifNoneMatch'],
  };
}

function headersOf({ type, ifMatch, ifNoneMatch }: Asked, accept: string | undefined): Record<string, string> {
  const tags = (versions: NonNullable<Versions>) =>
    typeof versions === 'string' ? versions : versions.map((version) => `"${version}"`).join(', ');
  return {
    ...(type && { 'Content-Type': type }),
    ...(accept && { Accept: accept }),
    ...(ifMatch && { 'If-Match': tags(ifMatch) }),
    ...(ifNoneMatch && { 'If-None-Match': tags(ifNoneMatch) }),
  };
}

function newKeyOf({ json, headers }: Answer, { items }: Model, { prefix }: Service): string {
  const { key } = json;
  if (!/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(key)) throw new Error(`key ${key}`);
  if (items.some((item) => item.key === key)) throw new Error(`the key ${key} was given twice`);
  same('location', headers.location, `${prefix}${COLLECTION}/${key}`);
  return key;
}

type WireItem = Omit<ModelItem, 'version'>;

function onTheWire({ version: _version, ...item }: ModelItem): WireItem {
  return item;
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(actual)} where the model has ${JSON.stringify(expected)}`);
}
