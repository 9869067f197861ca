import { INITIAL_KEY } from '../../shared/store/key.js';
import type { Collection } from '../../shared/store/store.js';
import type { StoredItem } from '../../shared/store/stored-item.js';
import { aParcel, type Parcel, type parcel, patch } from '../support/service/parcels.js';
import type { Random } from '../support/simulation/random.js';
import type { Call, Members, Result } from './item.js';

/** Gives a call the collection, as an instance does for each request. It rejects with `ended` if the instance ends. */
export type Instance = <Value>(use: (items: Collection<typeof parcel>) => Promise<Value>) => Promise<Value>;

export const ended = new Error('the instance has ended');

type Sent = Pick<Call, 'caller' | 'operation' | 'key' | 'members' | 'idempotencyKey' | 'only' | 'page'>;
type Answer = Pick<Call, 'key' | 'version' | 'page'> & { readonly found?: readonly Parcel[] };

/** The milliseconds after which an `Idempotency-Key` is sent no more: an hour, less a call and a minute of clock skew. */
const MAX_AGE = 3_500_000;

/** Many callers of one collection, who tell each other which items there are. */
export class Callers {
  /** Everything that was called, in the order of the answers. */
  readonly calls: Call[] = [];
  /** The version of each item that was seen last. Everybody knows the first item. */
  readonly #seen = new Map([[INITIAL_KEY, 1]]);
  /** Removed items, which few calls name. */
  readonly #gone = new Set<string>();
  /** The creations that were sent with an `Idempotency-Key`, and when each was first sent. */
  readonly #sent: { readonly members: Members; readonly idempotencyKey: string; readonly first: number }[] = [];
  #created = 0;
  #clock = 0;

  /** They work on so many items as the `width` says: the newest ones. */
  constructor(
    private readonly random: Random,
    private readonly width: number,
  ) {}

  async call(caller: string, instance: Instance): Promise<void> {
    const kind = this.random.next();
    const all = [...this.#seen.keys()];
    const left = all.filter((key) => !this.#gone.has(key));
    const keys = left.length === 0 || kind < 0.1 ? all : left.slice(-this.width);
    if (kind < (left.length === 0 ? 0.5 : 0.06)) return this.#create(instance, { caller, members: this.#newMembers() });
    if (keys.length === 0 || kind > 0.92) return this.#list(instance, caller);
    const key = this.random.pick(keys);
    const operation = this.random.pick(['find', 'update', 'update', 'update', 'update', 'update', 'remove'] as const);
    // Most name the version that was seen last: that often holds, and fails if another caller writes in between.
    const only = operation !== 'find' && this.random.next() < 0.4 ? this.#seen.get(key) : undefined;
    return this.#item(instance, {
      ...{ caller, operation, key, only },
      members: operation === 'update' ? this.#change() : undefined,
    });
  }

  /** Sends a creation with an `Idempotency-Key`: often one that was sent before, and then sometimes with other members. */
  async createOnce(caller: string, instance: Instance, now: number): Promise<void> {
    const kind = this.random.next();
    const known = this.#sent.filter(({ first }) => now - first < MAX_AGE).slice(-3);
    const isNew = known.length === 0 || kind < 0.15;
    const sent = isNew
      ? { members: this.#newMembers(), idempotencyKey: `key-${this.#sent.length}`, first: now }
      : this.random.pick(known);
    if (isNew) this.#sent.push(sent);
    const { idempotencyKey } = sent;
    const members = !isNew && kind < 0.4 ? this.#newMembers() : sent.members;
    return this.#create(instance, { caller, members, idempotencyKey });
  }

  /** In the end, when there are no more faults. */
  async readAll(instance: Instance): Promise<void> {
    const caller = 'the last reader';
    await this.#list(instance, caller);
    for (const key of this.#seen.keys()) await this.#item(instance, { caller, operation: 'find', key });
  }

  async #list(instance: Instance, caller: string): Promise<void> {
    const limit = this.random.pick([undefined, 1, 2, 3]);
    // A page that leads back is a fault, which the judge finds.
    for (let pages = 0, after: string | undefined; pages < 100; pages += 1) {
      const sent: Sent = { caller, operation: 'list', page: { limit, after } };
      const { page } = await this.#record(sent, async () => {
        const { json, next } = await instance((items) => items.list({ limit, after }));
        const found: Parcel[] = JSON.parse(json);
        return { found, page: { limit, after, keys: found.map(({ key }) => key), next } };
      });
      after = page?.next;
      if (after === undefined) return;
    }
  }

  async #create(instance: Instance, sent: Omit<Sent, 'operation'>): Promise<void> {
    const { key, version = 1 } = await this.#record({ ...sent, operation: 'create' }, async () =>
      answerOf(await instance((items) => items.create(aParcel(sent.members), sent.idempotencyKey))),
    );
    if (key && !this.#seen.has(key)) this.#seen.set(key, version);
  }

  async #item(instance: Instance, sent: Sent & { readonly key: string }): Promise<void> {
    const { key, operation, members = {}, only } = sent;
    const precondition = (number: number) => (only === undefined || number === only ? undefined : 'conflict');
    const { result, version } = await this.#record(sent, async () =>
      answerOf(
        await instance<StoredItem<typeof parcel> | string | undefined>((items) => {
          if (operation === 'find') return items.find(key);
          return operation === 'remove'
            ? items.remove(key, precondition)
            : items.update(key, patch(members), precondition);
        }),
      ),
    );
    if (version) this.#seen.set(key, version);
    if (result === 'not found' || (operation === 'remove' && result === 'done')) this.#gone.add(key);
  }

  /** No two new items have the same label, so an item whose key is in no answer is recognized by it. */
  #newMembers(): Members {
    this.#created += 1;
    return { label: `item ${this.#created}`, fragile: this.random.pick([false, true]) };
  }

  /** Few labels, so that different callers send the same ones. */
  #change(): Partial<Members> {
    const label = this.random.pick(['a', 'b', 'c']);
    const fragile = this.random.pick([false, true]);
    return this.random.pick([{ label }, { fragile }, { label, fragile }, { label, fragile }]);
  }

  async #record(sent: Sent, call: () => Promise<Answer | Result>): Promise<Call> {
    this.#clock += 1;
    const begin = this.#clock;
    const answer = await call().catch(resultOf);
    this.#clock += 1;
    const { found = [], ...more }: Answer = typeof answer === 'string' ? {} : answer;
    const result = typeof answer === 'string' ? answer : 'done';
    const recorded: Call = {
      ...sent,
      ...more,
      begin,
      end: result === 'unknown' || result === 'not applied' ? Number.POSITIVE_INFINITY : this.#clock,
      result,
      items: new Map(found.map(({ key, label, fragile }) => [key, { label, fragile }])),
    };
    this.calls.push(recorded);
    return recorded;
  }
}

function answerOf(outcome: StoredItem<typeof parcel> | string | undefined): Answer | Result {
  if (outcome === undefined) return 'not found';
  if (outcome === 'conflict' || outcome === 'idempotency-key-reused') return outcome;
  if (typeof outcome === 'string') return `fault: ${outcome}`;
  return { key: outcome.key, version: outcome.version, found: [outcome.item] };
}

function resultOf(error: Error & { readonly applied?: false }): Result {
  if (error === ended) return 'unknown';
  if (error.name !== 'Unavailable') return `fault: ${error}`;
  return error.applied === false ? 'not applied' : 'unknown';
}
