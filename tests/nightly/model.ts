/** An item, with the count of its versions. */
export interface ModelItem {
  readonly key: string;
  readonly version: number;
  readonly [member: string]: unknown;
}

/** A request as the specification sees it: `key` is undefined for the list, and an item's entity tag is the version it names. */
export interface Asked extends Conditions {
  readonly method: string;
  readonly key: string | undefined;
  /** Of a list: only the items with this value are listed. */
  readonly fragile?: boolean | undefined;
  /** Of a list: its entity tag as it is now, without quotes. */
  readonly tag?: string | undefined;
  readonly type: string | undefined;
  readonly body: string | undefined;
}

/** What a request demands of the version of an item, or of the tag of a list. */
export interface Conditions {
  readonly ifMatch?: Versions;
  readonly ifNoneMatch?: Versions;
}

/** The versions that a conditional header field names, or `malformed` if it cannot be parsed. */
export type Versions = readonly (number | string)[] | '*' | 'malformed' | undefined;

export function tagsOf(versions: NonNullable<Versions>): string {
  return typeof versions === 'string' ? versions : versions.map((version) => `"${version}"`).join(', ');
}

const DEFAULTS = { fragile: false };

/** The specification of the operations on one item, with nothing of the service's own in it: the status, and the item after it. */
export function operate<Item extends { readonly version: number }>(
  item: Item | undefined,
  { method, ifMatch, ifNoneMatch }: Conditions & { readonly method: string },
  members: Partial<Item> | undefined,
): { readonly status: number; readonly item: Item | undefined } {
  if (!item) return { status: 404, item };
  const failed = failedCondition(item.version, { ifMatch, ifNoneMatch });
  if (failed) return { status: failed === 'ifNoneMatch' && method === 'GET' ? 304 : 412, item };
  if (method === 'GET') return { status: 200, item };
  return { status: 204, item: method === 'DELETE' ? undefined : { ...item, ...members, version: item.version + 1 } };
}

/** The condition that a version, or the tag of a list, does not meet, if there is one. */
function failedCondition(version: number | string, { ifMatch, ifNoneMatch }: Conditions): keyof Conditions | undefined {
  if (Array.isArray(ifMatch) && !ifMatch.includes(version)) return 'ifMatch';
  const isExcluded = ifNoneMatch === '*' || (Array.isArray(ifNoneMatch) && ifNoneMatch.includes(version));
  return isExcluded ? 'ifNoneMatch' : undefined;
}

/** The specification of the collection as plain code: how requests are parsed, and what is in the list. */
export class Model {
  readonly items: ModelItem[];

  /** Members that requests do not send are the same in every item as in the `first`. */
  constructor(private readonly first: ModelItem) {
    this.items = [first];
  }

  /**
   * The answer that the request must get: its status, and the item or items that are its content. If it creates an item,
   * `newKey` is the key that the service assigned.
   */
  answer(asked: Asked, newKey: string): { status: number; item?: ModelItem | undefined; items?: readonly ModelItem[] } {
    const { method, key, ifMatch, ifNoneMatch } = asked;
    const isConditional = key !== undefined || method === 'GET';
    if (isConditional && (ifMatch === 'malformed' || ifNoneMatch === 'malformed')) return { status: 400 };
    if (method === 'GET' && key === undefined) {
      const failed = failedCondition(asked.tag ?? '', asked);
      if (failed) return { status: failed === 'ifMatch' ? 412 : 304 };
      return { status: 200, items: this.items.filter(({ fragile }) => fragile === (asked.fragile ?? fragile)) };
    }
    const sent = ['POST', 'PUT', 'PATCH'].includes(method) ? readBody(asked) : { members: {} };
    if (typeof sent === 'number') return { status: sent };
    if (method === 'POST') {
      const item = { ...this.first, ...DEFAULTS, ...sent.members, key: newKey, version: 1 };
      this.items.push(item);
      return { status: 201, item };
    }
    const { key: sentKey } = sent;
    if (method === 'PUT' && !(typeof sentKey === 'string' && sentKey.toLowerCase() === key)) return { status: 400 };

    const index = this.items.findIndex((item) => item.key === key);
    const members = method === 'PUT' ? { ...DEFAULTS, ...sent.members } : sent.members;
    const { status, item } = operate(this.items[index], asked, members);
    if (index >= 0) this.items.splice(index, 1, ...(item ? [item] : []));
    const isAnswered = [200, 304].includes(status) || (method === 'PATCH' && status === 204);
    return { status, item: isAnswered ? item : undefined };
  }
}

/** The members that valid JSON sets, and the key beside them; or the status that rejects it. */
function readBody({ method, type, body }: Asked): { members: Partial<ModelItem>; key?: unknown } | number {
  if (!body?.trim()) return 400;
  if (Buffer.byteLength(body) > 2 ** 20) return 413;
  if (type !== undefined && !/(^(application|text)\/|\+)json *(;|$)/i.test(type)) return 415;
  const value = parsed(body.replace(/^\ufeff/, ''));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 400;
  const [label, fragile, key] = ['label', 'fragile', 'key'].map((name) => member(value, name));
  const patch = method === 'PATCH';
  const labelIsRight = label === undefined ? patch : typeof label === 'string' && /\S/.test(label);
  const fragileIsRight = [false, true, undefined, ...(patch ? [null] : [])].some((right) => right === fragile);
  if (!labelIsRight || !fragileIsRight) return 400;
  const members = {
    ...(label !== undefined && { label }),
    ...(fragile !== undefined && { fragile: fragile ?? false }),
  };
  return { members, key };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The member of a name in any letter case: the exact one, or else the last one. */
function member(body: object, name: string): unknown {
  const like = Object.entries(body).filter(([key]) => key.toLowerCase() === name);
  return (like.find(([key]) => key === name) ?? like.at(-1))?.[1];
}
