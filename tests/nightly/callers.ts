import { isProblem, Problem } from '../../shared/problem.js';
import { INITIAL_KEY } from '../../shared/store/row.js';
import type { StoredItem } from '../../shared/store/store.js';
import { aParcel, type Parcel, type parcel, patch } from '../support/service/parcels.js';
import type { Random } from '../support/simulation/random.js';
import type { Items } from '../support/simulation/virtual-tables.js';
import type { Call, Members } from './judge.js';

/** In milliseconds. An older `Idempotency-Key` isn't sent again: the call might arrive after the hour for which the service knows it. */
const MAX_AGE = 3_580_000;

/** The callers of one list. Each knows the items that any of them has seen. */
export class Callers {
  /** All calls, in the order of their answers. */
  readonly calls: Call[] = [];
  /** By key, the last version seen of each item, until somebody finds the item removed. The first item is known from the start. */
  readonly #seen = new Map([[INITIAL_KEY, 1]]);
  /** The creations that were sent with an `Idempotency-Key`, and when each was first sent. */
  readonly #sent: { readonly members: Members; readonly idempotencyKey: string; readonly first: number }[] = [];
  #created = 0;
  #clock = 0;

  constructor(
    private readonly random: Random,
    private readonly owner: string | undefined,
  ) {}

  /** Makes a call of any kind, to an instance. */
  async call(instance: Items, now: number): Promise<void> {
    // The newest ones, so that many callers work on the same item.
    const keys = [...this.#seen.keys()].slice(-2);
    const kind = this.random.next();
    if (kind < 0.08) return this.#list(instance);
    if (keys.length === 0 || kind > 0.7) return this.#create(instance, now);
    const key = this.random.pick(keys);
    const operation = this.random.pick(['find', 'update', 'update', 'update', 'update', 'update', 'remove'] as const);
    // Many ask for the version that was seen last. It often is the current one, unless another caller has written in between.
    const ifVersion = operation !== 'find' && this.random.next() < 0.4 ? this.#seen.get(key) : undefined;
    return this.#item(instance, { operation, key, ifVersion });
  }

  /** Reads the list and then each of its items. */
  async readAll(instance: Items): Promise<void> {
    await this.#list(instance);
    for (const { key } of this.calls.at(-1)?.found ?? []) await this.#item(instance, { operation: 'find', key });
  }

  async #list(instance: Items): Promise<void> {
    const limit = this.random.pick([undefined, 1, 2, 3]);
    await this.#record({ operation: 'list' }, async () => {
      const found: Parcel[] = [];
      // If pages led back, an item would be listed twice, which the judge finds.
      for (let pages = 0, after: string | undefined; pages < 100; pages += 1) {
        const { json, next } = await instance(this.owner).list({ limit, after });
        found.push(...JSON.parse(json));
        after = next;
        if (after === undefined) break;
      }
      return { found };
    });
  }

  /** Often sends a creation again that was sent with an `Idempotency-Key` before, and then sometimes with other members. */
  async #create(instance: Items, now: number): Promise<void> {
    const known = this.#sent.filter(({ first }) => now - first < MAX_AGE).slice(-3);
    const repeated = this.random.pick([undefined, ...known]);
    const members = repeated && this.random.next() < 0.75 ? repeated.members : this.#newMembers();
    const idempotencyKey = repeated?.idempotencyKey ?? this.random.pick([undefined, `key-${this.#sent.length}`]);
    if (!repeated && idempotencyKey) this.#sent.push({ members, idempotencyKey, first: now });
    await this.#record({ operation: 'create', members, idempotencyKey }, async () =>
      answerOf(await instance(this.owner).create(aParcel(members), idempotencyKey)),
    );
  }

  async #item(
    instance: Items,
    sent: { operation: 'find' | 'update' | 'remove'; key: string; ifVersion?: number | undefined },
  ) {
    const { operation, key, ifVersion } = sent;
    const members = operation === 'update' ? this.#change() : {};
    const check = ({ version }: StoredItem<typeof parcel>) => {
      if (ifVersion !== undefined && version !== ifVersion) throw new Problem('if-match-failed');
    };
    await this.#record({ ...sent, members }, async () => {
      const items = instance(this.owner);
      if (operation === 'find') return answerOf(await items.find(key));
      if (operation === 'remove') return answerOf(await items.remove(key, check));
      return answerOf(await items.update(key, patch(members, check)));
    });
  }

  /** No two new items have the same label. So the judge recognizes an item whose creation got no answer by its label. */
  #newMembers(): Members {
    this.#created += 1;
    return { label: `item ${this.#created}`, fragile: this.random.pick([false, true]) };
  }

  /** There are only a few labels, so that different callers send the same. */
  #change(): Partial<Members> {
    const label = this.random.pick(['a', 'b', 'c']);
    const fragile = this.random.pick([false, true]);
    return this.random.pick([{ label }, { fragile }, { label, fragile }]);
  }

  async #record(sent: Omit<Call, 'begin' | 'end' | 'result' | 'found'>, call: () => Promise<Answer>): Promise<void> {
    this.#clock += 1;
    const begin = this.#clock;
    const { found = [], ...answer } = await call().catch(failed);
    this.#clock += 1;
    const { result = 'done' } = answer;
    const end = result === 'unknown' || result === 'not applied' ? Number.POSITIVE_INFINITY : this.#clock;
    const seen = found.map(({ key, label, fragile }) => ({ key, label, fragile }));
    this.calls.push({ ...sent, begin, end, ...answer, result, found: seen });
    if (result === 'not found') this.#seen.delete(sent.key as string);
    for (const { key } of found) this.#seen.set(key, answer.version ?? this.#seen.get(key) ?? 1);
  }
}

type Answer = Partial<Pick<Call, 'result' | 'version'> & { readonly found: readonly Parcel[] }>;

function answerOf({ version, item }: StoredItem<typeof parcel>): Answer {
  return { version, found: [item] };
}

const RESULTS: Partial<Record<string, Call['result']>> = {
  'not-found': 'not found',
  'if-match-failed': 'conflict',
  'idempotency-key-reused': 'idempotency-key-reused',
  unavailable: 'not applied',
  'maybe-applied': 'unknown',
};

function failed(error: unknown): Answer {
  const result = isProblem(error) ? RESULTS[error.code] : undefined;
  if (!result) throw error;
  return { result };
}
