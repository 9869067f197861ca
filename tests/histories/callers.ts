import { FIRST_KEY } from '../../shared/store/key.js';
import type { Answer } from '../support/service/answer.js';
import type { Service } from '../support/service/service.js';
import type { ItemCall, Members } from './item.js';
import type { Random } from './random.js';

/** A call as its caller saw it: on an item, or on the list of them all. */
export interface Recorded extends Omit<ItemCall, 'found'> {
  /** The item's key; of an item that was created, the one it was given. */
  readonly key?: string | undefined;
  /** The items in the answer, by their keys. */
  readonly items: ReadonlyMap<string, Members>;
  /** False where the answer says that nothing was changed. */
  readonly applied?: false | undefined;
}

/** The caller that reads everything in the end, when no fault is left. */
export const LAST_READER = 'the last reader';

/** Many callers of one collection, who tell each other which items there are. */
export class Callers {
  /** Everything that was called, in the order of the answers. */
  readonly calls: Recorded[] = [];
  readonly #random: Random;
  readonly #width: number;
  /** The version of each item that was seen last. Everybody knows the first item. */
  readonly #seen = new Map([[FIRST_KEY, 1]]);
  /** Deleted items, which few calls are about. */
  readonly #gone = new Set<string>();
  #clock = 0;
  #created = 0;

  /**
   * @param random - Decides what they do.
   * @param width - How many items they work on, the newest ones.
   */
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
    if (kind < (left.length === 0 ? 0.5 : 0.06)) return this.#post(caller, service);
    if (keys.length === 0 || kind > 0.92) return this.#list(caller, service);
    const key = this.#random.pick(keys);
    const operation = this.#random.pick(['GET', 'PUT', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE'] as const);
    if (operation === 'PUT') return this.#item(caller, service, operation, key, this.#members());
    if (operation === 'PATCH') return this.#item(caller, service, operation, key, this.#someMembers());
    return this.#item(caller, service, operation, key);
  }

  /** Reads every item that is known, and the list. */
  async readAll(service: Service): Promise<void> {
    await this.#list(LAST_READER, service);
    for (const key of this.#seen.keys()) await this.#item(LAST_READER, service, 'GET', key, undefined, {});
  }

  async #list(caller: string, service: Service): Promise<void> {
    await this.#record({ caller, operation: 'list' }, () => service.call('GET', '/api/todo'));
  }

  /** Names of new items are unique, so that an item whose key nobody was told is known by its name. */
  async #post(caller: string, service: Service): Promise<void> {
    this.#created += 1;
    const members = { name: `item ${this.#created}`, isComplete: this.#random.next() < 0.5 };
    const { key, version = 1 } = await this.#record({ caller, operation: 'POST', members }, () =>
      service.call('POST', '/api/todo', { body: members }),
    );
    if (key) this.#seen.set(key, version);
  }

  async #item(
    caller: string,
    service: Service,
    operation: 'GET' | 'PUT' | 'PATCH' | 'DELETE',
    key: string,
    members?: Partial<Members>,
    conditions = this.#conditions(key),
  ): Promise<void> {
    const body = members && (operation === 'PUT' ? { key, ...members } : members);
    const headers = {
      ...(conditions.among && { 'If-Match': tagsOf(conditions.among) }),
      ...(conditions.except && { 'If-None-Match': tagsOf(conditions.except) }),
    };
    const { status, version } = await this.#record({ caller, operation, key, members, ...conditions }, () =>
      service.call(operation, `/api/todo/${key}`, { headers, body }),
    );
    if (version) this.#seen.set(key, version);
    if (status === 404 || (operation === 'DELETE' && status === 204)) this.#gone.add(key);
  }

  /** Most name the version that was seen last, so that they can hold, and can fail because of another caller. */
  #conditions(key: string): { among?: number[]; except?: number[] } {
    const kind = this.#random.next();
    const last = this.#seen.get(key) ?? 1;
    if (kind < 0.35) return { among: [last] };
    if (kind < 0.4) return { among: [last, last + 1] };
    return kind < 0.5 ? { except: [last] } : {};
  }

  /** Few names, so that different callers send the same ones. */
  #members(): Members {
    return { name: this.#random.pick(['a', 'b', 'c']), isComplete: this.#random.next() < 0.5 };
  }

  #someMembers(): Partial<Members> {
    const { name, isComplete } = this.#members();
    return this.#random.pick([{ name }, { isComplete }, { name, isComplete }]);
  }

  async #record(
    sent: Pick<Recorded, 'caller' | 'operation' | 'key' | 'members' | 'among' | 'except'>,
    send: () => Promise<Answer>,
  ): Promise<Recorded> {
    this.#clock += 1;
    const begin = this.#clock;
    const { status, headers, json } = await send();
    this.#clock += 1;
    const items = new Map<string, Members>();
    for (const { key, name, isComplete } of status < 300 && json ? [json].flat() : []) {
      items.set(key, { name, isComplete });
    }
    const call = {
      ...sent,
      key: sent.operation === 'POST' ? items.keys().next().value : sent.key,
      begin,
      end: status === 503 ? Infinity : this.#clock,
      status,
      applied: status === 503 ? json.applied : undefined,
      version: headers.etag === undefined ? undefined : Number(headers.etag.slice(1, -1)),
      items,
    };
    this.calls.push(call);
    return call;
  }
}

function tagsOf(versions: readonly number[]): string {
  return versions.map((version) => `"${version}"`).join(', ');
}
