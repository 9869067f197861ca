import { parse } from './json.js';
import type { Request } from './request.js';
import { withToken } from './token.js';

export type Outcome = Answer | NoAnswer;

export interface Answer {
  readonly kind: 'answer';
  readonly request: Request;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: string;
  /** Of the uncompressed body. */
  readonly bytes: number;
  /** Until the last byte of the body. */
  readonly milliseconds: number;
  /** Undefined if the body is no JSON. */
  readonly json: unknown;
  /** Whether it is a write with an unknown outcome. */
  readonly isMaybeApplied: boolean;
}

export interface NoAnswer {
  readonly kind: 'cancelled' | 'no answer';
  readonly request: Request;
  /** What is known of the reason, in a sentence. */
  readonly reason: string;
  readonly isMaybeApplied: boolean;
}

const MAX_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 60;

/**
 * Sends a request, and repeats it after Retry-After if that does no harm: if it only reads (RFC 9110, section 9.2.2),
 * or the service answers that it was not applied.
 *
 * @param signal - Cancels it, whether it is under way or waiting.
 * @param onWait - Called before each wait, with the answer, and which attempt of how many is next. What it returns is
 * called each second with the seconds that are left.
 */
export async function send(
  request: Request,
  signal: AbortSignal,
  onWait: (answer: Answer, attempt: number, attempts: number) => (seconds: number) => void,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptTo(request, signal);
    if (outcome.kind !== 'answer' || outcome.isMaybeApplied || attempt === MAX_ATTEMPTS) return outcome;
    const seconds = secondsToWait(outcome);
    if (seconds > MAX_WAIT_SECONDS) return outcome;
    await countDown(seconds, signal, onWait(outcome, attempt + 1, MAX_ATTEMPTS));
    if (signal.aborted)
      return { kind: 'cancelled', request, reason: 'Cancelled: nothing was changed.', isMaybeApplied: false };
  }
}

/** Infinity if the request can't be sent again. */
function secondsToWait({ status, headers }: Answer): number {
  const wait = headers.get('Retry-After') ?? '';
  return (status === 503 || status === 429) && /^\d+$/.test(wait) ? Number(wait) : Number.POSITIVE_INFINITY;
}

async function countDown(seconds: number, signal: AbortSignal, onSecond: (left: number) => void): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let left = seconds * 1000; left > 0 && !signal.aborted; left = end - performance.now()) {
    onSecond(Math.ceil(left / 1000));
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(left, 1000));
      signal.addEventListener('abort', resolve, { once: true });
    });
  }
}

async function attemptTo(request: Request, signal: AbortSignal): Promise<Outcome> {
  const { method, url, headers, body = null } = request;
  const start = performance.now();
  let response: Response | undefined;
  try {
    response = await fetch(url, {
      method,
      headers: headers.map((field) => [field[0], HAS_TOKEN ? withToken(field) : field[1]]),
      body,
      signal,
    });
    const buffer = await response.arrayBuffer();
    const milliseconds = performance.now() - start;
    const text = new TextDecoder().decode(buffer);
    const json = parse(text);
    const { status, statusText } = response;
    const isMaybeApplied = isOutcomeUnknown(status) && isWrite(request) && Object(json).applied !== false;
    const answer = { request, status, statusText, headers: response.headers, text, json, bytes: buffer.byteLength };
    return { kind: 'answer', ...answer, milliseconds, isMaybeApplied };
  } catch {
    const isMaybeApplied = isWrite(request);
    if (signal.aborted) return { kind: 'cancelled', request, reason: 'Cancelled.', isMaybeApplied };
    return { kind: 'no answer', request, reason: `No answer: ${reasonOf(response)}.`, isMaybeApplied };
  }
}

/** Browsers don't tell a page why a request has failed. */
function reasonOf(response: Response | undefined): string {
  if (response) return `the connection was cut in the middle of the answer, which began with ${response.status}`;
  if (!navigator.onLine) return 'this device is offline';
  return 'the service was not reached, or the connection was cut';
}

function isWrite({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** A gateway may also answer these after it has passed the request on. */
function isOutcomeUnknown(status: number): boolean {
  return [429, 502, 503, 504].includes(status);
}
