import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../log.js';
import { uptime } from '../time/uptime.js';
import { attemptOf, FAILURES, type Output } from './reply.js';
import type { Send } from './send.js';
import { Unavailable } from './unavailable.js';

/** In milliseconds. */
export interface Timeouts {
  /** For all calls of a request. It is less than the function's time-out, and far less than the gateway's 29 seconds. */
  readonly total: number;
  /** A page of a query, a megabyte, takes a tenth of the default. */
  readonly attempt: number;
}

export const TIMEOUTS: Timeouts = { total: 8_000, attempt: 2_500 };

/** The total time-out starts at `since`, an `uptime()`, or now. */
export type Client = (requestId: string, since?: number) => RequestClient;

export interface RequestClient {
  /**
   * Calls an operation of DynamoDB, and retries while that may help and there is time.
   *
   * @throws Unavailable if the time is used up, or another attempt would not help.
   */
  call(operation: string, input: object): Promise<CallOutcome>;
  /** For a random time, so that writers of one item don't collide again. */
  backOff(): Promise<void>;
  isHalfTimeOver(): boolean;
}

/** A read succeeds, or the call throws. */
export interface CallOutcome {
  readonly kind: 'succeeded' | 'condition failed';
  readonly output: Output;
  /** Whether a failed attempt may have applied the last write, of this call or an earlier one. */
  readonly mayBeApplied: boolean;
}

/** The pauses grow and are random, so that instances don't retry together. */
export function createClient(send: Send, timeouts: Timeouts): Client {
  return (requestId, since = uptime()) => {
    const deadline = since + timeouts.total;
    // A failed read after a write must tell the caller that the write may have been applied.
    let lastWriteMayBeApplied = false;
    let backOffs = 0;

    async function call(operation: string, input: object): Promise<CallOutcome> {
      const text = JSON.stringify(input);
      const isWrite = operation === 'PutItem';
      if (isWrite) lastWriteMayBeApplied = false;
      const failures: string[] = [];
      for (let maxPause = 50; ; maxPause *= 2) {
        const left = Math.ceil(deadline - uptime());
        if (left <= 0) throw unavailable(operation);
        const { kind, output, error } = await attemptOf(send(operation, text, Math.min(left, timeouts.attempt)));
        if (kind === 'succeeded' || kind === 'condition failed') {
          return { kind, output, mayBeApplied: lastWriteMayBeApplied };
        }
        failures.push(kind);
        const { attempts, mayBeApplied } = FAILURES[kind];
        lastWriteMayBeApplied ||= isWrite && mayBeApplied;
        if (kind === 'invalid request' && !lastWriteMayBeApplied) throw error;
        const length = Math.random() * Math.min(maxPause, 1_000);
        const isFinal = failures.filter((failure) => failure === kind).length >= attempts;
        if (isFinal || uptime() + length >= deadline) throw unavailable(operation, error);
        console.warn({ event: 'retrying a call to DynamoDB', requestId, operation, error: describeError(error) });
        await pause(length);
      }
    }

    function unavailable(operation: string, cause?: unknown): Unavailable {
      const applied = lastWriteMayBeApplied ? undefined : false;
      return new Unavailable(`DynamoDB could not complete ${operation}`, { applied, cause });
    }

    async function backOff(): Promise<void> {
      backOffs += 1;
      await pause(Math.random() * Math.min(5 * 2 ** backOffs, 200));
    }

    function isHalfTimeOver(): boolean {
      return uptime() >= deadline - timeouts.total / 2;
    }

    return { call, backOff, isHalfTimeOver };
  };
}
