/** An item, with the count of its versions. */
export interface ModelItem {
  readonly key: string;
  readonly name: string;
  readonly isComplete: boolean;
  readonly version: number;
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
    if (method === 'POST') return { status: 201, item: this.#put(-1, newKey, body, { isComplete: false, version: 0 }) };
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
    else this.#put(place, item.key, body, { isComplete: false, version: item.version });
    return { status: 204 };
  }

  #put(place: number, key: string, body: object, before: Partial<ModelItem> & { version: number }): ModelItem {
    const name = (member(body, 'name') ?? before.name) as string;
    const sent = member(body, 'isComplete');
    const isComplete = (sent === undefined ? before.isComplete : (sent ?? false)) as boolean;
    const item = { ...this.#first, key, name, isComplete, version: before.version + 1 };
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
  const [name, isComplete] = [member(value, 'name'), member(value, 'isComplete')];
  const patch = method === 'PATCH';
  const nameIsRight = name === undefined ? patch : typeof name === 'string' && !/^\p{White_Space}*$/u.test(name);
  const isCompleteIsRight = [true, false, undefined, ...(patch ? [null] : [])].some((right) => right === isComplete);
  return nameIsRight && isCompleteIsRight ? value : 400;
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
