import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../http/unavailable.js';
import { describeError, type Log } from '../log.js';
import type { Reply, Send } from './send.js';

/** Calls an operation of DynamoDB, again and again while that may help and there is time. */
export type Call = (operation: string, input: object) => Promise<Output>;

/** What an operation returned. */
// biome-ignore lint/suspicious/noExplicitAny: what it holds depends on the operation, and is read where that is called.
export type Output = Readonly<Record<string, any>>;

/** Thrown when the item was not as the operation's condition demanded. */
export class ConditionFailed extends Error {
  /** Whether an earlier attempt, whose reply never came, may have done what this one was refused. */
  readonly uncertain: boolean;

  /** @param uncertain - As above. */
  constructor(uncertain: boolean) {
    super('the condition failed');
    this.uncertain = uncertain;
  }
}

/**
 * Prepares calls that persist: what is throttled, lost or answered with a fault of the server is tried again, after
 * pauses that grow and vary.
 *
 * @param send - Sends one request.
 * @param log - Gets a line for each attempt that failed and is followed by another.
 * @param budget - Milliseconds that the calls may take together, from the moment they are begun.
 * @returns A function that begins the calls for one request. They throw {@link ConditionFailed}, and `Unavailable` when
 * the budget is used up or another attempt would be in vain.
 */
export function persist(send: Send, log: Log, budget = BUDGET): () => Call {
  return () => {
    const deadline = performance.now() + budget;
    return (operation, input) => attempt(send, log, deadline, operation, JSON.stringify(input));
  };
}

/** Below the function's own timeout, and far below the 29 seconds after which the gateway gives up. */
const BUDGET = 8_000;

/** The longest that one attempt may take; a page of a scan, a megabyte, takes a tenth of it. */
const PATIENCE = 2_500;

async function attempt(send: Send, log: Log, deadline: number, operation: string, input: string): Promise<Output> {
  let uncertain = false;
  for (let pauses = 50; ; pauses *= 2) {
    const left = Math.max(0, Math.ceil(deadline - performance.now()));
    const failure = await trial(send(operation, input, AbortSignal.timeout(Math.min(left, PATIENCE))));
    if ('output' in failure) return failure.output;
    const { error, kind } = failure;
    if (kind === 'condition') throw new ConditionFailed(uncertain);
    if (kind === 'bug') throw error;
    const wait = Math.random() * Math.min(pauses, 1_000);
    if (kind === 'refusal' || performance.now() + wait >= deadline) {
      throw new Unavailable(`DynamoDB could not do ${operation}`, { cause: error });
    }
    uncertain ||= kind === 'loss';
    log('warn', 'DynamoDB is asked again', { operation, error: describeError(error) });
    await pause(wait);
  }
}

type Trial =
  | { readonly output: Output }
  | { readonly kind: 'condition' | 'throttle' | 'loss' | 'refusal' | 'bug'; readonly error: unknown };

async function trial(sent: Promise<Reply>): Promise<Trial> {
  try {
    const { status, text } = await sent;
    const output = JSON.parse(text);
    if (status === 200) return { output };
    const type = String(output.__type).replace(/^.*#/, '');
    const error = new Error(`${status} ${text}`);
    return { kind: status >= 500 ? 'loss' : (KINDS[type] ?? 'refusal'), error };
  } catch (error) {
    return { kind: 'loss', error };
  }
}

/** What errors mean; another one is a refusal, such as for missing rights or a missing table, which lasts. */
const KINDS: Readonly<Record<string, 'condition' | 'throttle' | 'bug'>> = {
  ConditionalCheckFailedException: 'condition',
  ProvisionedThroughputExceededException: 'throttle',
  RequestLimitExceeded: 'throttle',
  SerializationException: 'bug',
  ThrottlingException: 'throttle',
  ValidationException: 'bug',
};
