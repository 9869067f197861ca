import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { describeError, type Log } from '../log/log.js';
import { uptime } from '../time/uptime.js';
import type { Endpoints, Published } from './fetch-keys.js';

/** In milliseconds. Older keys are fetched again, because the provider may have withdrawn one. */
const FRESH = 600_000;
/** How long keys are used if the provider can't be reached. API Gateway's own authorizer takes two hours, too. */
const USABLE = 7_200_000;
/** The least time between two fetches, whatever tokens come, as long as there are keys. */
const PAUSE = 30_000;

export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';

  /**
   * @param retryAfter - In seconds.
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
 * Keeps the keys of a provider. It fetches them when it is created, when they are old or the clock was set back, and
 * when a token names an unknown key. Requests share a fetch. If it fails, the known keys stay in use, and a warning is
 * logged.
 */
export class KeyCache {
  readonly #fetchKeys: () => Promise<Published>;
  readonly #log: Log;
  #findKey: JWTVerifyGetKey | undefined;
  #endpoints: Endpoints | undefined;
  #fetchedAt = { clock: Number.NEGATIVE_INFINITY, timer: Number.NEGATIVE_INFINITY };
  #fetching: Promise<void> | undefined;
  /** `pause` is for the time without a usable key. */
  #failure: { readonly error: unknown; readonly pause: number } | undefined;
  #ended = 0;

  /** Lambda may freeze the instance before the first fetch ends, so no pause follows its failure. */
  constructor(fetchKeys: () => Promise<Published>, log: Log) {
    this.#fetchKeys = fetchKeys;
    this.#log = log;
    this.#fetching = this.#fetch(() => 0);
  }

  /**
   * @throws KeysUnavailable if the key is unknown, and the last fetch failed.
   * @throws JOSEError if the provider has no such key, or several.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#isSetBack() || this.#age() >= FRESH) await this.#refresh();
    // The first fetch may have failed while this waited for it.
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

  get fetchedAt(): Date {
    return new Date(this.#fetchedAt.clock);
  }

  async endpoints(): Promise<Endpoints | undefined> {
    if (!this.#findKey) await this.#refresh();
    return this.#endpoints;
  }

  /** If so, the clock does not tell how old the keys are. */
  #isSetBack(): boolean {
    return Date.now() < this.#fetchedAt.clock;
  }

  /** The timer ignores a clock that is set back, but may stop while Lambda has frozen the instance. */
  #age(): number {
    return Math.max(Date.now() - this.#fetchedAt.clock, uptime() - this.#fetchedAt.timer);
  }

  #isUsable(): boolean {
    return this.#age() < USABLE;
  }

  /** In milliseconds. A wait longer than the pause means that the clock was set back. */
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
 * The pause is short, because without a key the service can answer nobody. It is random, so that instances that started
 * together do not ask together, and at least as long as the fetch took, so that an overloaded provider rests half of
 * the time.
 */
function shortPause(took: number): number {
  return Math.ceil(Math.max(took, 1_000 + Math.random() * 4_000));
}
