import { setTimeout as pause } from 'node:timers/promises';
import { describeError, type Log } from '../log/log.js';
import { Unavailable } from '../unavailable.js';
import type { Reply, Send } from './send.js';

/** How long calls may take, in milliseconds. */
export interface Timing {
  /** All calls of one request together: below the function's timeout, and far below the gateway's 29 seconds. */
  readonly budget: number;
  /** One attempt. A page of a query, a megabyte, takes a tenth of the default. */
  readonly patience: number;
}

/** Begins the calls of a request, given its id. A smaller budget is for calls that the request can do without. */
export type Begin = (requestId: string, budget?: number) => Calls;

/** The calls of one request, which share its budget. */
export interface Calls {
  /**
   * Calls an operation of DynamoDB, again while that may help and there is time.
   *
   * @throws Unavailable when the budget is used up, or another attempt would be in vain.
   */
  call(operation: string, input: object): Promise<Outcome>;
  /** Waits before the request's next try to write: a random time, longer on average each time. */
  backOff(): Promise<void>;
}

/** What became of a call. One that has no condition and writes nothing is done, or throws. */
export interface Outcome {
  readonly kind: 'done' | 'condition failed' | 'too large';
  /** What DynamoDB answered: where the call was done, what the operation returns. */
  readonly output: Output;
  /** Whether an earlier attempt, whose reply was lost, may have been done. */
  readonly doubtful: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: what it holds depends on the operation, and is read where that is called.
type Output = Readonly<Record<string, any>>;

/** As deployed. */
export const TIMING: Timing = { budget: 8_000, patience: 2_500 };

/**
 * Prepares calls with retries: what is throttled, lost or answered with a fault of the server is tried again, after
 * pauses that grow and vary.
 *
 * @param send - Sends one request.
 * @param log - Gets a line for each attempt that failed and is followed by another.
 * @param timing - How long calls may take.
 * @returns The function that begins the calls of a request.
 */
export function withRetries(send: Send, log: Log, timing: Timing): Begin {
  return (requestId, budget = timing.budget) => {
    const deadline = performance.now() + budget;
    let tries = 0;

    async function call(operation: string, input: object): Promise<Outcome> {
      const text = JSON.stringify(input);
      for (let doubtful = false, longest = 50; ; longest *= 2) {
        const left = Math.max(0, Math.ceil(deadline - performance.now()));
        const { kind, output, error } = await attempt(send(operation, text, Math.min(left, timing.patience)));
        if (kind === 'done' || kind === 'condition failed' || kind === 'too large') return { kind, output, doubtful };
        if (kind === 'bug' && !doubtful) throw error;
        const wait = Math.random() * Math.min(longest, 1_000);
        if (kind === 'bug' || kind === 'refusal' || performance.now() + wait >= deadline) {
          throw new Unavailable(`DynamoDB could not do ${operation}`, { cause: error });
        }
        doubtful ||= kind === 'lost';
        log.warn?.('DynamoDB is asked again', { requestId, operation, error: await describeError(error) });
        await pause(wait);
      }
    }

    async function backOff(): Promise<void> {
      tries += 1;
      await pause(Math.random() * Math.min(5 * 2 ** tries, 200));
    }

    return { call, backOff };
  };
}

interface Attempt {
  readonly kind: Outcome['kind'] | 'throttled' | 'lost' | 'refusal' | 'bug';
  readonly output: Output;
  readonly error?: unknown;
}

async function attempt(sent: Promise<Reply>): Promise<Attempt> {
  try {
    const { status, text } = await sent;
    const output = JSON.parse(text);
    if (status === 200) return { kind: 'done', output };
    return { kind: status >= 500 ? 'lost' : kindOf(output), output, error: new Error(`${status} ${text}`) };
  } catch (error) {
    return { kind: 'lost', output: {}, error };
  }
}

/** Any other error lasts, such as missing rights or a missing table. */
function kindOf({ __type, message, Message = message }: Output): Attempt['kind'] {
  switch (String(__type).replace(/^.*#/, '')) {
    case 'ConditionalCheckFailedException':
      return 'condition failed';
    case 'ProvisionedThroughputExceededException':
    case 'RequestLimitExceeded':
    case 'ThrottlingException':
      return 'throttled';
    case 'SerializationException':
      return 'bug';
    case 'ValidationException':
      return /^Item size .*exceeded/.test(Message) ? 'too large' : 'bug';
    default:
      return 'refusal';
  }
}
