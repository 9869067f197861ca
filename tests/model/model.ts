import { anItem, OPTIONAL, TEXT, VALUES } from '../support/service/resource.js';

/** An item, with the count of its versions. Requests vary the members TEXT and OPTIONAL; others that are required are always the same. */
export interface ModelItem {
  readonly key: string;
  readonly version: number;
  readonly [member: string]: unknown;
}

/** A request in the specification's terms: `key` is undefined for the list, and an entity tag is the version it names. */
export interface Asked {
  readonly method: string;
  readonly key: string | undefined;
  readonly type: string | undefined;
  readonly body: string | undefined;
  readonly ifMatch: Versions;
  readonly ifNoneMatch: Versions;
}

/** The versions that a conditional header field names, or `malformed` where it can't be read. */
export type Versions = readonly number[] | '*' | 'malformed' | undefined;

/** What must come back: the status, and the item or items that are its content. */
export interface Expected {
  readonly status: number;
  readonly item?: ModelItem;
  readonly items?: readonly ModelItem[];
}

const DEFAULTS = { [OPTIONAL]: VALUES[0] };

/** The specification as plain code, with nothing of the service's own in it. */
export class Model {
  readonly items: ModelItem[];
  /** Members that no request sends are the same in every item. */
  readonly #first: ModelItem;

  constructor(first: ModelItem) {
    this.items = [first];
    this.#first = first;
  }

  /** What the request must be answered; `newKey` is the key that the service gave, should this create an item. */
  answer(asked: Asked, newKey = ''): Expected {
    const { method, key, ifMatch, ifNoneMatch } = asked;
    if (method === 'GET' && key === undefined) return { status: 200, items: this.items };
    if (key !== undefined && (ifMatch === 'malformed' || ifNoneMatch === 'malformed')) return { status: 400 };
    const body = ['POST', 'PUT', 'PATCH'].includes(method) ? readBody(asked) : {};
    if (typeof body === 'number') return { status: body };
    if (method === 'POST') return { status: 201, item: this.#put(-1, newKey, body, { ...DEFAULTS, version: 0 }) };
    const bodyKey = member(body, 'key');
    if (method === 'PUT' && (typeof bodyKey !== 'string' || bodyKey.toLowerCase() !== key)) return { status: 400 };

    const place = this.items.findIndex((item) => item.key === key);
    const item = this.items[place];
    if (!item) return { status: 404 };
    if (Array.isArray(ifMatch) && !ifMatch.includes(item.version)) return { status: 412 };
    if (ifNoneMatch === '*' || (Array.isArray(ifNoneMatch) && ifNoneMatch.includes(item.version)))
      return method === 'GET' ? { status: 304, item } : { status: 412 };
    if (method === 'GET') return { status: 200, item };
    if (method === 'PATCH') return { status: 204, item: this.#put(place, item.key, body, item) };
    if (method === 'DELETE') this.items.splice(place, 1);
    else this.#put(place, item.key, body, { ...DEFAULTS, version: item.version });
    return { status: 204 };
  }

  #put(
    place: number,
    key: string,
    body: object,
    before: Readonly<Record<string, unknown>> & { version: number },
  ): ModelItem {
    const text = member(body, TEXT) ?? before[TEXT];
    const sent = member(body, OPTIONAL);
    const option = sent === undefined ? before[OPTIONAL] : (sent ?? VALUES[0]);
    const item = { ...this.#first, ...anItem(), key, [TEXT]: text, [OPTIONAL]: option, version: before.version + 1 };
    this.items.splice(place < 0 ? this.items.length : place, 1, item);
    return item;
  }
}

/** The members, or the status that rejects them. */
function readBody({ method, type, body }: Asked): object | number {
  if (!body?.trim()) return 400;
  if (type !== undefined && !/(^(application|text)\/|\+)json *(;|$)/i.test(type)) return 415;
  const value = parsed(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 400;
  const [text, option] = [member(value, TEXT), member(value, OPTIONAL)];
  const patch = method === 'PATCH';
  const textIsRight = text === undefined ? patch : typeof text === 'string' && !/^\p{White_Space}*$/u.test(text);
  const optionIsRight = [...VALUES, undefined, ...(patch ? [null] : [])].some((right) => right === option);
  return textIsRight && optionIsRight ? value : 400;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function member(body: object, name: string): unknown {
  const members = Object.entries(body);
  const like = members.filter(([key]) => key.toLowerCase() === name.toLowerCase());
  return (like.find(([key]) => key === name) ?? like.at(-1))?.[1];
}
