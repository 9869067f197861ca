import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { describeError, type Log } from '../log/log.js';
import { uptime } from '../time/uptime.js';
import type { Endpoints, Published } from './fetch-keys.js';

/** After this time, keys are fetched again, so that one that the provider has withdrawn is not taken much longer. */
const FRESH = 600_000;
/** For so long, keys are used while the provider can't be reached: two hours, as API Gateway's own authorizer does. */
const USABLE = 7_200_000;
/** The least time between two fetches, whatever tokens come, as long as there are keys. */
const PAUSE = 30_000;

/** Thrown if a token can't be verified because the provider's keys can't be fetched. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';

  /**
   * @param retryAfter - Seconds after which the keys may be fetched again.
   * @param cause - Why the last fetch failed.
   */
  constructor(
    readonly retryAfter: number,
    cause: unknown,
  ) {
    super('the keys cannot be fetched', { cause });
  }
}

/**
 * Keeps the keys of a provider. It fetches them when it is made, when they are ten minutes old, when the clock was set back, and when a
 * token names one that it does not know. Fetches share their outcome. If one fails, the known keys are used until they are two hours old,
 * and the log gets a warning. Between two fetches there are thirty seconds at least, or one to five if no key can be used.
 */
export class KeyCache {
  readonly #fetchKeys: () => Promise<Published>;
  readonly #log: Log;
  #findKey: JWTVerifyGetKey | undefined;
  #endpoints: Endpoints | undefined;
  #fetchedAt = { clock: Number.NEGATIVE_INFINITY, timer: Number.NEGATIVE_INFINITY };
  #fetching: Promise<void> | undefined;
  /** Why the last fetch failed, and how long nothing is fetched while no key can be used; undefined if it did not fail. */
  #failure: { readonly error: unknown; readonly pause: number } | undefined;
  /** When the last fetch ended. */
  #ended = 0;

  /**
   * Starts the first fetch. Lambda may freeze the instance before it ends, so no pause follows its failure.
   */
  constructor(fetchKeys: () => Promise<Published>, log: Log) {
    this.#fetchKeys = fetchKeys;
    this.#log = log;
    this.#fetching = this.#fetch(() => 0);
  }

  /**
   * Finds the key that a token was signed with.
   *
   * @throws KeysUnavailable if it is not known, and the last fetch failed.
   * @throws JOSEError if the provider has no such key, or several.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#isSetBack() || this.#age() >= FRESH) await this.#refresh();
    // The first fetch, for which it may have waited, may have failed.
    if (!this.#isUsable()) await this.#refresh();
    const findKey = this.#findKey;
    if (!findKey || !this.#isUsable()) throw this.#unavailable();
    try {
      return await findKey(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await this.#refresh();
    if (this.#failure) throw this.#unavailable();
    return await (this.#findKey as JWTVerifyGetKey)(header, token);
  };

  /** When the keys were fetched. */
  get fetchedAt(): Date {
    return new Date(this.#fetchedAt.clock);
  }

  /** Finds out where people sign in, as the last fetch that succeeded has told; undefined if none has, or if that is not known. */
  async endpoints(): Promise<Endpoints | undefined> {
    if (!this.#findKey) await this.#refresh();
    return this.#endpoints;
  }

  /** Whether the clock has been set back behind the last fetch, and does not tell how old the keys are. */
  #isSetBack(): boolean {
    return Date.now() < this.#fetchedAt.clock;
  }

  /** The timer goes on when the clock is set back. It may stop while Lambda has frozen the instance; the clock does not. */
  #age(): number {
    return Math.max(Date.now() - this.#fetchedAt.clock, uptime() - this.#fetchedAt.timer);
  }

  /** Whether there are keys, fetched in the last two hours. */
  #isUsable(): boolean {
    return this.#age() < USABLE;
  }

  /** Milliseconds until the keys may be fetched again. None is longer than the pause, unless the clock has been set back. */
  #wait(): number {
    const pause = this.#failure && !this.#isUsable() ? this.#failure.pause : PAUSE;
    const wait = this.#ended + pause - Date.now();
    return wait > pause ? 0 : Math.max(0, wait);
  }

  async #refresh(): Promise<void> {
    if (!this.#fetching && this.#wait() === 0) this.#fetching = this.#fetch(shortPause);
    await this.#fetching;
  }

  async #fetch(pauseAfter: (milliseconds: number) => number): Promise<void> {
    const began = uptime();
    try {
      const { keys, endpoints } = await this.#fetchKeys();
      this.#findKey = createLocalJWKSet({ keys });
      this.#endpoints = endpoints;
      this.#fetchedAt = { clock: Date.now(), timer: uptime() };
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { error, pause: pauseAfter(uptime() - began) };
      this.#log.warn?.('the keys of the issuer cannot be fetched', { error: await describeError(error) });
    }
    this.#ended = Date.now();
    this.#fetching = undefined;
  }

  #unavailable(): KeysUnavailable {
    return new KeysUnavailable(Math.max(1, Math.ceil(this.#wait() / 1_000)), this.#failure?.error);
  }
}

/**
 * The time after a fetch that failed, for a service that has no key: it can answer nobody. Different each time, so that instances that
 * started together do not ask together, and not shorter than the fetch took, so that a provider that is overloaded is left alone half of the time.
 */
function shortPause(took: number): number {
  return Math.ceil(Math.max(took, 1_000 + Math.random() * 4_000));
}
