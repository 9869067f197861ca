import { Failure } from './failure.js';

/** The tokens of the person who is signed in. */
export interface Tokens {
  /** The token to send. */
  current(): string;
  /** Is told that the service has accepted a token. */
  accept(token: string): void;
  /**
   * Gets another token, if that can help.
   *
   * @param rejected - The token that the service has rejected.
   * @returns Whether to send the request again, with the current token.
   * @throws Failure if there is none now.
   */
  renew(rejected: string): Promise<boolean>;
}

/** How often a request is sent at most. */
const ATTEMPTS = 3;
/** How long an answer may take, in milliseconds: longer than any function behind API Gateway. */
const TIME_OUT = 30_000;
/** The longest wait before a request is sent again, in milliseconds. */
const LONGEST_WAIT = 20_000;

/**
 * Makes the `fetch` of a client of the service: with tokens, a time-out, and retries of all that can be sent again without harm.
 *
 * @param tokens - Those of the person who is signed in; undefined if the service asks for none.
 * @returns A function that gets a request, and returns its answer, even if that is a problem. It throws a {@link Failure} if no
 * answer came, and what `fetch` throws if the caller has aborted the request.
 */
export function createSend(tokens?: Tokens): (request: Request) => Promise<Response> {
  return async (request) => {
    let renewals = 0;
    for (let attempt = 1; ; attempt++) {
      const token = tokens?.current();
      const response = await receive(request, token);
      if (token !== undefined && response?.ok) tokens?.accept(token);
      if (token !== undefined && response?.status === 401 && renewals === 0 && (await tokens?.renew(token))) {
        renewals++;
        continue;
      }
      const wait =
        attempt < ATTEMPTS && (await mayRepeat(request, response)) ? waitBefore(attempt, response) : Infinity;
      if (wait <= LONGEST_WAIT) await sleep(wait, request.signal);
      else if (response) return response;
      else throw new Failure('No answer came from the service.', { mayBeDone: request.method !== 'GET' });
    }
  };
}

/** @returns The answer with all of its body; undefined if none came in time. */
async function receive(request: Request, token: string | undefined): Promise<Response | undefined> {
  const copy = request.clone();
  if (token !== undefined) copy.headers.set('Authorization', `Bearer ${token}`);
  const timeOut = new AbortController();
  const timer = setTimeout(() => timeOut.abort(), TIME_OUT);
  try {
    const response = await fetch(copy, { signal: AbortSignal.any([request.signal, timeOut.signal]) });
    await response.clone().arrayBuffer();
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a request may be sent again by itself: it has changed nothing, or changes nothing when it comes twice. */
async function mayRepeat({ method, headers }: Request, response: Response | undefined): Promise<boolean> {
  const isSafe = method === 'GET' || (method === 'POST' && headers.has('Idempotency-Key'));
  if (!response) return isSafe;
  if (![429, 502, 503, 504].includes(response.status)) return false;
  return isSafe || (await appliedOf(response)) === false;
}

async function appliedOf(response: Response): Promise<unknown> {
  const problem = await response
    .clone()
    .json()
    .catch(() => undefined);
  return problem?.applied;
}

/** @returns Milliseconds: what the service asks for, or one second, then two. */
function waitBefore(attempt: number, response: Response | undefined): number {
  const seconds = Number(response?.headers.get('Retry-After') ?? Number.NaN);
  return 1_000 * (Number.isFinite(seconds) ? seconds : attempt);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const end = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    setTimeout(end, milliseconds);
  });
}
