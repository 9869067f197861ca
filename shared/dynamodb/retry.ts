import { setTimeout as pause } from 'node:timers/promises';
import { describeError, type Log } from '../log.js';
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

/** What became of a call. */
export type Outcome =
  | { readonly kind: 'done'; readonly output: Output }
  /** The condition expression was false; `doubtful` where an earlier attempt, whose reply was lost, may have been done. */
  | { readonly kind: 'condition failed'; readonly doubtful: boolean }
  | { readonly kind: 'too large' };

/** What an operation returned. */
// biome-ignore lint/suspicious/noExplicitAny: what it holds depends on the operation, and is read where that is called.
export type Output = Readonly<Record<string, any>>;

/**
 * Takes the output of a call that has no condition and writes nothing, so that it is done or throws.
 *
 * @param outcome - What became of it.
 * @returns The output.
 */
export function outputOf(outcome: Outcome): Output {
  return (outcome as Extract<Outcome, { kind: 'done' }>).output;
}

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
  const { patience } = timing;
  return (requestId, budget = timing.budget) => {
    const deadline = performance.now() + budget;
    let tries = 0;
    const warn = async (operation: string, error: unknown) =>
      log.warn?.('DynamoDB is asked again', { requestId, operation, error: await describeError(error) });

    async function call(operation: string, input: object): Promise<Outcome> {
      const text = JSON.stringify(input);
      for (let doubtful = false, longest = 50; ; longest *= 2) {
        const left = Math.max(0, Math.ceil(deadline - performance.now()));
        const reply = await attempt(send(operation, text, Math.min(left, patience)));
        if (reply.kind === 'done') return reply;
        if (reply.kind === 'too large') return { kind: 'too large' };
        if (reply.kind === 'condition failed') return { kind: 'condition failed', doubtful };
        if (reply.kind === 'bug' && !doubtful) throw reply.error;
        const wait = Math.random() * Math.min(longest, 1_000);
        const isFinal = reply.kind === 'refusal' || reply.kind === 'bug';
        if (isFinal || performance.now() + wait >= deadline) {
          throw new Unavailable(`DynamoDB could not do ${operation}`, { cause: reply.error });
        }
        doubtful ||= reply.kind === 'lost';
        await warn(operation, reply.error);
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

type Attempt =
  | { readonly kind: 'done'; readonly output: Output }
  | {
      readonly kind: 'condition failed' | 'too large' | 'throttled' | 'lost' | 'refusal' | 'bug';
      readonly error: unknown;
    };

async function attempt(sent: Promise<Reply>): Promise<Attempt> {
  try {
    const { status, text } = await sent;
    const output = JSON.parse(text);
    if (status === 200) return { kind: 'done', output };
    const error = new Error(`${status} ${text}`);
    return status >= 500 ? { kind: 'lost', error } : { kind: kindOf(output), error };
  } catch (error) {
    return { kind: 'lost', error };
  }
}

/** Any other error lasts, such as missing rights or a missing table. */
function kindOf({ __type, message, Message = message }: Output) {
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
