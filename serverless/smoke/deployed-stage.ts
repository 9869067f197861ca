import { setTimeout } from 'node:timers/promises';
import type { Expected } from './options.js';
import { Fault } from './outcome.js';
import { type Answer, answerOf, noAnswer } from './received-answer.js';

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the token is left out. */
  readonly anonymous?: boolean;
  /** Whether it is sent although the command was interrupted. */
  readonly cleaningUp?: boolean;
}

/** A response takes 29 seconds at most behind API Gateway. */
const TIMEOUT = 35_000;
const REPETITIONS = 4;
const LONGEST_PAUSE = 5;

/** A deployed stage, which can be called. */
export class DeployedStage {
  /** How long each answer took, in milliseconds. */
  readonly times: number[] = [];

  /**
   * @param interrupted - Lets no further call begin. One that has begun gets its answer: otherwise nobody would know what it
   * created.
   */
  constructor(
    readonly expected: Expected,
    readonly interrupted: AbortSignal,
  ) {}

  /** What a path below the stage's URL is for its callers. */
  pathOf(path: string): string {
    return new URL(this.expected.url).pathname.replace(/\/$/, '') + path;
  }

  /**
   * Sends a request, and repeats it where that is safe (rule 21): what got no answer or 429 or 503 with a method that only reads or an
   * `Idempotency-Key`, and what surely was not applied.
   *
   * @param path - Below the stage's URL.
   * @throws Fault if the command was interrupted.
   */
  async call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    for (let repetition = 0; ; repetition += 1) {
      const answer = await this.callOnce(method, path, sent);
      const { status, headers, json } = answer;
      const isHarmless = ['GET', 'HEAD', 'OPTIONS'].includes(method) || 'Idempotency-Key' in (sent.headers ?? {});
      const isSafe = isHarmless || json.applied === false;
      if (![0, 429, 503].includes(status) || !isSafe || repetition === REPETITIONS) return answer;
      const { wait } = this.expected;
      await setTimeout(Math.min(Number(headers.get('retry-after') ?? 1), LONGEST_PAUSE, wait) * 1_000);
    }
  }

  /** Sends a request once. Redirects are not followed, so that the token goes nowhere else. */
  async callOnce(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { headers = {}, body, anonymous, cleaningUp } = sent;
    if (this.interrupted.aborted && !cleaningUp) throw new Fault('The command was interrupted.');
    const { url, token } = this.expected;
    const started = performance.now();
    const told = `${method} ${this.pathOf(path)}`;
    try {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(token && !anonymous && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const answer = await answerOf(response, told);
      this.times.push(performance.now() - started);
      return answer;
    } catch (error) {
      return noAnswer(error as Error, told);
    }
  }
}
