import { FIRST_KEY } from '../../../shared/store/key.js';
import type { Answer } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import type { Service } from '../../support/service/service.js';
import { type Conditions, tagsOf } from '../model/model.js';
import { type Call, isUnknown, type Members } from './item.js';
import type { Random } from './random.js';

type Sent = Conditions & Pick<Call, 'caller' | 'operation' | 'key' | 'members' | 'idempotencyKey' | 'page'>;

/** The caller that reads everything in the end, when there are no more faults. */
export const LAST_READER = 'the last reader';

/** The milliseconds after which an `Idempotency-Key` is sent no more: an hour, less the time that a call and a minute of clock skew may take. */
const MAX_AGE = 3_500_000;

/** Many callers of one collection, who tell each other which items there are. */
export class Callers {
  /** Everything that was called, in the order of the answers. */
  readonly calls: Call[] = [];
  /** The version of each item that was seen last. Everybody knows the first item. */
  readonly #seen = new Map([[FIRST_KEY, 1]]);
  /** Deleted items, which few calls name. */
  readonly #gone = new Set<string>();
  /** The POSTs that were sent with an `Idempotency-Key`, and when each was first sent. */
  readonly #sent: { readonly members: Members; readonly idempotencyKey: string; readonly first: number }[] = [];
  /** The pages that were got, by their entity tags, and the last tag of each path. */
  readonly #pages = new Map<string, Answer>();
  readonly #tags = new Map<string, string>();
  #posted = 0;
  #clock = 0;

  /** They work on so many items as the `width` says: the newest ones. */
  constructor(
    private readonly random: Random,
    private readonly width: number,
  ) {}

  async call(caller: string, service: Service): Promise<void> {
    const kind = this.random.next();
    const all = [...this.#seen.keys()];
    const left = all.filter((key) => !this.#gone.has(key));
    const keys = left.length === 0 || kind < 0.1 ? all : left.slice(-this.width);
    if (kind < (left.length === 0 ? 0.5 : 0.06)) return this.#post(service, { caller, members: this.#newMembers() });
    if (keys.length === 0 || kind > 0.92) return this.#list(caller, service);
    const key = this.random.pick(keys);
    const operation = this.random.pick(['GET', 'PUT', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE'] as const);
    const members = operation.startsWith('P') ? this.#members(operation === 'PATCH') : undefined;
    return this.#item(service, { caller, operation, key, members, ...this.#conditions(key) });
  }

  /**
   * Sends a POST with an `Idempotency-Key`: often one that any caller has sent or is just sending, and then sometimes with
   * other members.
   */
  async postOnce(caller: string, service: Service, now: number): Promise<void> {
    const kind = this.random.next();
    const known = this.#sent.filter(({ first }) => now - first < MAX_AGE).slice(-3);
    const isNew = known.length === 0 || kind < 0.15;
    const post = isNew
      ? { members: this.#newMembers(), idempotencyKey: `key-${this.#sent.length}`, first: now }
      : this.random.pick(known);
    if (isNew) this.#sent.push(post);
    const { idempotencyKey } = post;
    const members = !isNew && kind < 0.4 ? this.#newMembers() : post.members;
    return this.#post(service, { caller, members, idempotencyKey });
  }

  async readAll(service: Service): Promise<void> {
    await this.#list(LAST_READER, service);
    for (const key of this.#seen.keys()) await this.#item(service, { caller: LAST_READER, operation: 'GET', key });
  }

  async #list(caller: string, service: Service): Promise<void> {
    const limit = this.random.pick([undefined, 1, 2, 3]);
    // A page that leads back is a fault, which the judge finds.
    for (let pages = 0, after: string | undefined; pages < 100; pages += 1) {
      const query = { ...(limit && { limit: String(limit) }), ...(after && { after }) };
      const path = `${PARCELS}?${new URLSearchParams(query)}`;
      const known = this.random.next() < 0.7 ? this.#tags.get(path) : undefined;
      const sent = {
        caller,
        operation: 'list',
        page: { limit, after },
        ifNoneMatch: known === undefined ? undefined : [known],
      } as const;
      const { page } = await this.#call(service, path, sent);
      after = page?.next;
      if (after === undefined) return;
    }
  }

  async #post(service: Service, sent: Omit<Sent, 'operation'>): Promise<void> {
    const { key, version = 1 } = await this.#call(service, PARCELS, { ...sent, operation: 'POST' });
    if (key && !this.#seen.has(key)) this.#seen.set(key, version);
  }

  async #item(service: Service, sent: Sent & { readonly key: string }): Promise<void> {
    const { status, version } = await this.#call(service, `${PARCELS}/${sent.key}`, sent);
    if (version) this.#seen.set(sent.key, version);
    if (status === 404 || (sent.operation === 'DELETE' && status === 204)) this.#gone.add(sent.key);
  }

  /** Most name the version that was seen last: that often holds, and fails if another caller writes in between. */
  #conditions(key: string): Conditions {
    const kind = this.random.next();
    const last = this.#seen.get(key) ?? 1;
    if (kind < 0.35) return { ifMatch: [last] };
    if (kind < 0.4) return { ifMatch: [last, last + 1] };
    return kind < 0.5 ? { ifNoneMatch: [last] } : {};
  }

  /** No two new items have the same label, so an item whose key is in no answer is recognized by it. */
  #newMembers(): Members {
    this.#posted += 1;
    return { label: `item ${this.#posted}`, fragile: this.random.pick([false, true]) };
  }

  /** Few labels, so that different callers send the same ones. */
  #members(isPatch: boolean): Partial<Members> {
    const label = this.random.pick(['a', 'b', 'c']);
    const fragile = this.random.pick([false, true]);
    return isPatch ? this.random.pick([{ label }, { fragile }, { label, fragile }]) : { label, fragile };
  }

  async #call(service: Service, path: string, sent: Sent): Promise<Call> {
    const { operation, members, ifMatch, ifNoneMatch, idempotencyKey } = sent;
    const headers = {
      ...(ifMatch && { 'If-Match': tagsOf(ifMatch) }),
      ...(ifNoneMatch && { 'If-None-Match': tagsOf(ifNoneMatch) }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    };
    const body = members && { ...members, ...(operation === 'PUT' && { key: sent.key }) };
    this.#clock += 1;
    const begin = this.#clock;
    const answered = await service.call(operation === 'list' ? 'GET' : operation, path, { headers, body });
    this.#clock += 1;
    const answer = operation === 'list' ? this.#listed(path, answered) : answered;
    const { status, text, json } = answer;
    const { etag, link = '', 'content-type': type } = answer.headers;
    const found: (Members & { readonly key: string })[] = status < 300 && json ? [json].flat() : [];
    const call = {
      ...sent,
      key: operation === 'POST' ? found[0]?.key : sent.key,
      begin,
      end: isUnknown(status) ? Infinity : this.#clock,
      status,
      applied: status === 503 ? json.applied : undefined,
      version: etag === undefined || operation === 'list' ? undefined : Number(etag.slice(1, -1)),
      items: new Map(found.map(({ key, label, fragile }) => [key, { label, fragile }])),
      page: sent.page && {
        ...sent.page,
        keys: found.map(({ key }) => key),
        next: /[?&]after=([^&>]*)/.exec(link)?.[1],
        tag: etag,
        form: JSON.stringify([text, type, link]),
      },
    };
    this.calls.push(call);
    return call;
  }

  /** Keeps a page, and gives the one that a caller has kept if it has not changed. */
  #listed(path: string, answer: Answer): Answer {
    const { etag } = answer.headers;
    if (answer.status === 304) return this.#pages.get(etag as string) ?? answer;
    if (etag === undefined) return answer;
    this.#pages.set(etag, answer);
    this.#tags.set(path, etag.slice(1, -1));
    return answer;
  }
}
