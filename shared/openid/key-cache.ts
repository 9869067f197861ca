import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { describeError, type Log } from '../log/log.js';
import { uptime } from '../time/uptime.js';
import type { Endpoints, Published } from './fetch-keys.js';

/** After this time, keys are fetched again, so that one that the provider has withdrawn is not taken much longer. */
const FRESH = 600_000;
/** For so long, keys are used while the provider can't be reached: two hours, as API Gateway's own authorizer does. */
const USABLE = 7_200_000;
/** The least time between two fetches, whatever tokens come. */
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
 * token names one that it does not know. Fetches share their outcome, and are thirty seconds apart at least, also after a failure. If one fails,
 * the known keys are used until they are two hours old, and the log gets a warning.
 */
export class KeyCache {
  readonly #fetchKeys: () => Promise<Published>;
  readonly #log: Log;
  #findKey: JWTVerifyGetKey | undefined;
  #endpoints: Endpoints | undefined;
  #fetchedAt = { clock: Number.NEGATIVE_INFINITY, timer: Number.NEGATIVE_INFINITY };
  #fetching: Promise<void> | undefined;
  /** Why the last fetch failed; undefined if it did not. */
  #failure: { readonly error: unknown } | undefined;
  #nextFetch = 0;

  /**
   * The first fetch begins at once. No request waited for it, and Lambda may have stopped it half-way, so that after its
   * failure the keys may be fetched again without a pause.
   */
  constructor(fetchKeys: () => Promise<Published>, log: Log) {
    this.#fetchKeys = fetchKeys;
    this.#log = log;
    this.#fetching = this.#fetch(0);
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
    if (this.#age() >= USABLE) await this.#refresh();
    const findKey = this.#findKey;
    if (!findKey || this.#age() >= USABLE) throw this.#unavailable();
    try {
      return await findKey(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await this.#refresh();
    if (this.#failure) throw this.#unavailable();
    return await (this.#findKey as JWTVerifyGetKey)(header, token);
  };

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

  /** Milliseconds until the keys may be fetched again. None is longer than the pause, unless the clock has been set back. */
  #wait(): number {
    const wait = this.#nextFetch - Date.now();
    return wait > PAUSE ? 0 : Math.max(0, wait);
  }

  async #refresh(): Promise<void> {
    if (!this.#fetching && this.#wait() === 0) this.#fetching = this.#fetch(PAUSE);
    await this.#fetching;
  }

  async #fetch(pauseAfterFailure: number): Promise<void> {
    try {
      const { keys, endpoints } = await this.#fetchKeys();
      this.#findKey = createLocalJWKSet({ keys });
      this.#endpoints = endpoints;
      this.#fetchedAt = { clock: Date.now(), timer: uptime() };
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { error };
      this.#log.warn?.('the keys of the issuer cannot be fetched', { error: await describeError(error) });
    }
    this.#nextFetch = Date.now() + (this.#failure ? pauseAfterFailure : PAUSE);
    this.#fetching = undefined;
  }

  #unavailable(): KeysUnavailable {
    return new KeysUnavailable(Math.max(1, Math.ceil(this.#wait() / 1_000)), this.#failure?.error);
  }
}
