import { FIRST_KEY } from '../../../shared/store/key.js';
import type { Answer } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import type { Service } from '../../support/service/service.js';
import { type Conditions, tagsOf } from '../model/model.js';
import { type ItemCall, isUnknown, type Members } from './item.js';
import type { Random } from './random.js';

/** A call as its caller saw it: on an item, or on the list of them all. */
export interface Recorded extends Omit<ItemCall, 'found'> {
  /** The item's key; of an item that was created, the one it was given. */
  readonly key?: string | undefined;
  /** The items in the answer, by their keys. */
  readonly items: ReadonlyMap<string, Members>;
  /** Of a page of the list: what was asked for, the keys in their order, and the cursor of the next page. */
  readonly page?: Page | undefined;
  /** False if the answer says that nothing was changed. */
  readonly applied?: false | undefined;
}

/** A page of the list: those behind the cursor `after`, up to and with the cursor `next`. */
export interface Page {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly keys?: readonly string[];
  readonly next?: string | undefined;
}

interface Post {
  readonly members: Members;
  readonly idempotencyKey?: string | undefined;
}

/** The caller that reads everything in the end, when there are no more faults. */
export const LAST_READER = 'the last reader';

/** Many callers of one collection, who tell each other which items there are. */
export class Callers {
  /** Everything that was called, in the order of the answers. */
  readonly calls: Recorded[] = [];
  readonly #random: Random;
  /** How many items they work on: the newest ones. */
  readonly #width: number;
  /** The version of each item that was seen last. Everybody knows the first item. */
  readonly #seen = new Map([[FIRST_KEY, 1]]);
  /** Deleted items, which few calls name. */
  readonly #gone = new Set<string>();
  /** The POSTs that were sent with an `Idempotency-Key`, and when each was first sent. */
  readonly #sent: (Post & { readonly first: number })[] = [];
  #posted = 0;
  #clock = 0;

  constructor(random: Random, width: number) {
    this.#random = random;
    this.#width = width;
  }

  /** Makes a call at random. */
  async call(caller: string, service: Service): Promise<void> {
    const kind = this.#random.next();
    const all = [...this.#seen.keys()];
    const left = all.filter((key) => !this.#gone.has(key));
    const keys = left.length === 0 || kind < 0.1 ? all : left.slice(-this.#width);
    if (kind < (left.length === 0 ? 0.5 : 0.06)) return this.#post(caller, service, { members: this.#newMembers() });
    if (keys.length === 0 || kind > 0.92) return this.#list(caller, service);
    const key = this.#random.pick(keys);
    const operation = this.#random.pick(['GET', 'PUT', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE'] as const);
    if (operation === 'PUT') return this.#item(caller, service, operation, key, this.#members());
    if (operation === 'PATCH') return this.#item(caller, service, operation, key, this.#someMembers());
    return this.#item(caller, service, operation, key);
  }

  /**
   * Sends a POST with an `Idempotency-Key`: often one that any caller has sent or is just sending, and then sometimes with
   * other members.
   */
  async postOnce(caller: string, service: Service, now: number): Promise<void> {
    const kind = this.#random.next();
    const known = this.#sent.filter(({ first }) => now - first < MAX_AGE).slice(-3);
    if (known.length > 0 && kind >= 0.15) {
      const { members, idempotencyKey } = this.#random.pick(known);
      const isAnother = kind < (isLarge(members) ? 0.5 : 0.25);
      return this.#post(caller, service, { members: isAnother ? this.#newMembers() : members, idempotencyKey });
    }
    const isTooLarge = this.#random.next() < 0.3;
    const post = { members: this.#newMembers(isTooLarge), idempotencyKey: `key-${this.#sent.length}`, first: now };
    this.#sent.push(post);
    return this.#post(caller, service, post);
  }

  /** Reads every item that is known, and the list. */
  async readAll(service: Service): Promise<void> {
    await this.#list(LAST_READER, service);
    for (const key of this.#seen.keys()) await this.#item(LAST_READER, service, 'GET', key, undefined, {});
  }

  /** Reads the list, page by page. */
  async #list(caller: string, service: Service): Promise<void> {
    const limit = this.#random.pick([undefined, 1, 2, 3]);
    // A page that leads back is a fault, which the judge finds.
    for (let pages = 0, after: string | undefined; pages < 100; pages += 1) {
      const page: Page = { limit, after };
      const read = await this.#record({ caller, operation: 'list', page }, () => service.call('GET', pathOf(page)));
      after = read.page?.next;
      if (after === undefined) return;
    }
  }

  async #post(caller: string, service: Service, { members, idempotencyKey }: Post): Promise<void> {
    const headers = { ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }) };
    const sent = { caller, operation: 'POST', members, idempotencyKey } as const;
    const { key, version = 1 } = await this.#record(sent, () =>
      service.call('POST', PARCELS, { headers, body: bodyOf(members) }),
    );
    if (key && !this.#seen.has(key)) this.#seen.set(key, version);
  }

  async #item(
    caller: string,
    service: Service,
    operation: 'GET' | 'PUT' | 'PATCH' | 'DELETE',
    key: string,
    members?: Partial<Members>,
    conditions = this.#conditions(key),
  ): Promise<void> {
    const body = members && { ...bodyOf(members), ...(operation === 'PUT' && { key }) };
    const headers = {
      ...(conditions.ifMatch && { 'If-Match': tagsOf(conditions.ifMatch) }),
      ...(conditions.ifNoneMatch && { 'If-None-Match': tagsOf(conditions.ifNoneMatch) }),
    };
    const { status, version } = await this.#record({ caller, operation, key, members, ...conditions }, () =>
      service.call(operation, `${PARCELS}/${key}`, { headers, body }),
    );
    if (version) this.#seen.set(key, version);
    if (status === 404 || (operation === 'DELETE' && status === 204)) this.#gone.add(key);
  }

  /** Most name the version that was seen last: that often holds, and fails if another caller writes in between. */
  #conditions(key: string): Conditions {
    const kind = this.#random.next();
    const last = this.#seen.get(key) ?? 1;
    if (kind < 0.35) return { ifMatch: [last] };
    if (kind < 0.4) return { ifMatch: [last, last + 1] };
    return kind < 0.5 ? { ifNoneMatch: [last] } : {};
  }

  /** No two new items have the same label, so an item whose key is in no answer is recognized by it. */
  #newMembers(isTooLarge = false): Members {
    this.#posted += 1;
    return { label: `${isTooLarge ? LARGE : 'item'} ${this.#posted}`, fragile: this.#random.pick([false, true]) };
  }

  /** Few labels, so that different callers send the same ones. */
  #members(): Members {
    return { label: this.#random.pick(['a', 'b', 'c']), fragile: this.#random.pick([false, true]) };
  }

  #someMembers(): Partial<Members> {
    const { label, fragile } = this.#members();
    return this.#random.pick([{ label }, { fragile }, { label, fragile }]);
  }

  async #record(
    sent: Pick<Recorded, 'caller' | 'operation'> & Partial<Recorded>,
    send: () => Promise<Answer>,
  ): Promise<Recorded> {
    this.#clock += 1;
    const begin = this.#clock;
    const { status, headers, json } = await send();
    this.#clock += 1;
    const found: (Members & { readonly key: string })[] = status < 300 && json ? [json].flat() : [];
    const call = {
      ...sent,
      key: sent.operation === 'POST' ? found[0]?.key : sent.key,
      begin,
      end: isUnknown(status) ? Infinity : this.#clock,
      status,
      applied: status === 503 ? json.applied : undefined,
      version: headers.etag === undefined ? undefined : Number(headers.etag.slice(1, -1)),
      items: new Map(found.map(({ key, label, fragile }) => [key, { label, fragile }])),
      page: sent.page && { ...sent.page, keys: found.map(({ key }) => key), next: cursorIn(headers.link) },
    };
    this.calls.push(call);
    return call;
  }
}

/** Whether members are those of an item that is too large for a table. */
export function isLarge({ label }: Partial<Members>): boolean {
  return label?.startsWith(LARGE) ?? false;
}

/** The beginning of a label that is sent with so many characters more that the item is too large. */
const LARGE = 'too large';

function bodyOf(members: Partial<Members>): object {
  return isLarge(members) ? { ...members, label: members.label?.padEnd(450_000, '.') } : members;
}

function pathOf({ limit, after }: Page): string {
  const query = { ...(limit !== undefined && { limit: String(limit) }), ...(after !== undefined && { after }) };
  return `${PARCELS}?${new URLSearchParams(query)}`;
}

function cursorIn(link: string | undefined): string | undefined {
  return link && /[?&]after=([^&>]*)/.exec(link)?.[1];
}

/** The milliseconds after which an `Idempotency-Key` is sent no more: an hour, less the time that a call and a minute of clock skew may take. */
const MAX_AGE = 3_500_000;
