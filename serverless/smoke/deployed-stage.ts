import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from './exchange.js';
import { hideToken } from './hidden.js';
import type { Expected } from './options.js';
import { expectThat, Fault } from './outcome.js';
import { type Answer, answerOf, noAnswer } from './received-answer.js';
import { shown } from './shown.js';

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the token is left out. */
  readonly anonymous?: boolean;
  /** Whether an interruption does not end the wait for the answer, because it alone says what was created. */
  readonly awaited?: boolean;
  /** Whether it is sent although the command was interrupted. */
  readonly cleaningUp?: boolean;
}

/** A response takes 29 seconds at most behind API Gateway. */
const TIMEOUT = 35_000;
const REPETITIONS = 4;
const LONGEST_PAUSE = 5;
/** GitHub kills a step of a job that is cancelled after ten seconds. */
const CLEANING_UP = 8_000;

/** A deployed stage, which can be called. */
export class DeployedStage {
  /** How long each answer took, in milliseconds. */
  readonly times: number[] = [];
  readonly #base: URL;
  readonly #over = new AbortController();

  /**
   * @param interrupted - Once it is aborted, only calls that clean up are sent.
   * @param cleaningUp - For how long these wait for answers in all, in milliseconds.
   */
  constructor(
    readonly expected: Expected,
    readonly interrupted: AbortSignal,
    cleaningUp = CLEANING_UP,
  ) {
    this.#base = new URL(expected.url);
    const end = () => void setTimeout(() => this.#over.abort(), cleaningUp).unref();
    if (interrupted.aborted) end();
    else interrupted.addEventListener('abort', end, { once: true });
  }

  /** Makes the path that callers use of one below the stage's URL. */
  pathOf(path: string): string {
    return this.#base.pathname.replace(/\/$/, '') + path;
  }

  /**
   * Sends a request, and repeats it where that is safe (rule 21): what got no answer or 429 or 503 with a method that only reads or an
   * `Idempotency-Key`, and what surely was not applied.
   *
   * @param path - Below the stage's URL.
   * @throws Fault if the command was interrupted, or the path leads elsewhere.
   */
  async call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    for (let repetition = 0; ; repetition += 1) {
      const answer = await this.callOnce(method, path, sent);
      const { status, headers, json } = answer;
      const isHarmless = ['GET', 'HEAD', 'OPTIONS'].includes(method) || 'Idempotency-Key' in (sent.headers ?? {});
      const isSafe = isHarmless || json.applied === false;
      if (![0, 429, 503].includes(status) || !isSafe || repetition === REPETITIONS) return answer;
      const asked = Number(headers.get('retry-after') ?? 1) || 0;
      await this.#pause(Math.min(asked, LONGEST_PAUSE, this.expected.wait), sent);
    }
  }

  /**
   * Sends a request once. Redirects are not followed, so that the token goes nowhere else.
   *
   * @throws Fault if the command was interrupted, or the path leads elsewhere.
   */
  async callOnce(method: string, path: string, sent: Sent): Promise<Answer> {
    const { headers = {}, body, anonymous, awaited, cleaningUp } = sent;
    const { token, connectTo } = this.expected;
    const address = this.#addressOf(path);
    if (!cleaningUp) this.#expectNoInterruption();
    const ends = awaited || cleaningUp ? this.#over.signal : this.interrupted;
    const started = performance.now();
    const told = `${method} ${address.pathname}${address.search}`;
    try {
      const received = await exchange(address, {
        method,
        headers: {
          Accept: '*/*',
          'User-Agent': 'npm run smoke',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(token && !anonymous && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT), ends]),
        connectTo,
      });
      this.times.push(performance.now() - started);
      const hide = (text: string) => hideToken(token, text);
      const fields = Array.from(received.headers, ([name, value]) => [name, hide(value)] as [string, string]);
      return answerOf({ ...received, headers: new Headers(fields), text: hide(received.text) }, told);
    } catch (error) {
      if (!cleaningUp && !awaited) this.#expectNoInterruption();
      return noAnswer(error as Error, told);
    }
  }

  #expectNoInterruption(): void {
    expectThat(!this.interrupted.aborted, 'The command was interrupted.');
  }

  /** Parts of a path come from the document and from answers, and may lead to another host when they are joined to the URL. */
  #addressOf(path: string): URL {
    const address = URL.canParse(this.expected.url + path) ? new URL(this.expected.url + path) : undefined;
    if (address?.origin === this.#base.origin && address.pathname.startsWith(this.pathOf('/'))) return address;
    throw new Fault(`The path ${shown(path)} leads out of ${this.expected.url}, so nothing was sent there.`);
  }

  /** An interruption ends the pause. */
  async #pause(seconds: number, { awaited, cleaningUp }: Sent): Promise<void> {
    const signal = awaited || cleaningUp ? this.#over.signal : this.interrupted;
    await sleep(seconds * 1_000, undefined, { signal }).catch(() => {});
  }
}
