import { setTimeout } from 'node:timers/promises';

/** What a deployed stage should be like, as whoever deployed it says. */
export interface Expected {
  /** Where the service is, without a slash at the end. */
  readonly url: string;
  /** Whether its callers sign in. */
  readonly people: boolean;
  /** Whether its calls must be signed with AWS credentials. */
  readonly signed: boolean;
  /** An origin whose pages may call. */
  readonly origin: string | undefined;
  /** For how long it may answer 5xx at first, in seconds. */
  readonly wait: number;
  /** A token of somebody who may sign in. It is sent to the origin of `url` only, and never printed. */
  readonly token: string | undefined;
}

/** What does not hold, as a sentence that says where to read on. */
export class Fault extends Error {}

/** Says what holds, a line each; or what was not tried. */
export type Lines = AsyncGenerator<string | { readonly skipped: string }, void>;

/** Says that something was not tried. */
export function skipped(what: string, why = 'the document has none'): { readonly skipped: string } {
  return { skipped: `${what}: ${why}` };
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the token is left out. */
  readonly anonymous?: boolean;
  /** Whether it is sent although the command was interrupted. */
  readonly cleaningUp?: boolean;
}

export interface Answer {
  /** 0 if there was none. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The content, parsed; an empty object unless it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: any JSON may come.
  readonly json: any;
  /** The request, and what came of it, for a sentence. */
  readonly told: string;
}

/** A response takes 29 seconds at most behind API Gateway. */
const TIMEOUT = 35_000;
const REPETITIONS = 4;
const LONGEST_PAUSE = 5;

/** A deployed stage, which can be called. */
export class Stage {
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
      const text = await response.text();
      this.times.push(performance.now() - started);
      const { status } = response;
      const json = parse(text);
      const detail = json.detail ?? json.message;
      const outcome = detail === undefined ? `${status}` : `${status} ("${detail}")`;
      return { status, headers: response.headers, text, json, told: `${told} answered ${outcome}` };
    } catch (error) {
      const { cause = error } = error as Error;
      return { status: 0, headers: new Headers(), text: '', json: {}, told: `${told} got no answer (${cause})` };
    }
  }
}

function parse(text: string): Answer['json'] {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Expects a status.
 *
 * @param advice - What to do otherwise, as a sentence.
 * @throws Fault that says what came instead, and the advice.
 */
export function expectStatus(status: number, answer: Answer, advice = READ_THE_LOG): Answer {
  if (answer.status === status) return answer;
  throw new Fault(`${answer.told} instead of ${status}. ${advice}`);
}

/**
 * Expects that something holds.
 *
 * @throws Fault with the sentence otherwise.
 */
export function expectThat(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Fault(sentence);
}

const READ_THE_LOG = 'The log says more: docs/operate.md#logs.';
