import { setTimeout as pause } from 'node:timers/promises';
import * as sdk from '@aws-sdk/client-dynamodb';
import type { Request } from '../http/message.js';
import { describeError } from '../log.js';
import { Problem } from '../problem.js';
import { isInvalid, isLasting, isRefusal } from './refusals.js';

/** In milliseconds: for all calls of a request, and for an attempt. A page of a query, a megabyte, takes a tenth of that. */
export const TIMEOUTS = { total: 8_000, attempt: 2_500 };

/**
 * AWS's SDK tries a call again while that may help.
 *
 * @throws Problem if it fails all the same, or the time is used up: `maybe-applied` if the last write may have been,
 * otherwise `unavailable`. DynamoDB's own error if the fault is this service's.
 */
export interface RequestClient {
  get(input: sdk.GetItemInput): Promise<sdk.GetItemOutput>;
  query(input: sdk.QueryInput): Promise<sdk.QueryOutput>;
  /** Not done if the condition fails. Then an attempt before, without a reply, may have been applied. */
  put(input: sdk.PutItemInput): Promise<{ readonly isDone: boolean; readonly mayBeApplied: boolean }>;
  /** For a random time, so that writers of one item don't collide again. */
  backOff(): Promise<void>;
  isHalfTimeOver(): boolean;
}

/**
 * @param config - What is left out comes from the environment, as in all programs that use AWS's SDK.
 * @returns Makes the client of a request, whose total time-out started when it came.
 */
export function createClient(config: sdk.DynamoDBClientConfig, timeouts = TIMEOUTS) {
  const client = new sdk.DynamoDBClient({
    // Shorter than that of an attempt, because after it nothing was sent.
    requestHandler: { connectionTimeout: 1_500, socketTimeout: timeouts.attempt },
    ...config,
  });
  // It would go through each reply for a log that nobody writes, a third of the time that a long list takes.
  client.middlewareStack.remove('loggerMiddleware');

  return ({ id: requestId, receivedAt }: Pick<Request, 'id' | 'receivedAt'>): RequestClient => {
    const deadline = receivedAt + timeouts.total;
    const abortSignal = AbortSignal.timeout(Math.max(Math.ceil(deadline - uptime()), 0));
    const timeIsUp = new Promise<never>((_, reject) => {
      abortSignal.addEventListener('abort', () => reject(abortSignal.reason), { once: true });
    });
    timeIsUp.catch(() => {});
    // A failed read after a write must tell the caller that the write may have been applied.
    let lastWriteMayBeApplied = false;
    let backOffs = 0;

    /** @returns Undefined if the condition failed. */
    async function call(operation: string, command: Command) {
      command.middlewareStack.add(
        (next) => async (args) => {
          const before = lastWriteMayBeApplied;
          // From now on, until there is a reply: the time may be up first.
          if (operation === 'PutItem') lastWriteMayBeApplied = true;
          try {
            const replied = await next(args);
            lastWriteMayBeApplied = before;
            return replied;
          } catch (error) {
            if (isRefusal(error)) lastWriteMayBeApplied = before;
            if (!isConditionFailed(error))
              console.warn({ event: 'a call to DynamoDB failed', requestId, operation, error: describeError(error) });
            throw error;
          }
        },
        // Each attempt passes it, signed.
        { name: 'noteOutcome', step: 'finalizeRequest', priority: 'low' },
      );
      try {
        if (uptime() >= deadline) throw new Error('there is no time left');
        // Raced, because the SDK's promise may never settle, and looks for credentials as long as that takes.
        return await Promise.race([client.send(command, { abortSignal }), timeIsUp]);
      } catch (cause) {
        if (isConditionFailed(cause)) return undefined;
        if (isInvalid(cause) && !lastWriteMayBeApplied) throw cause;
        const code = lastWriteMayBeApplied ? 'maybe-applied' : 'unavailable';
        throw new Problem(code, { cause, isLasting: isLasting(cause) });
      }
    }

    return {
      get: (input) => call('GetItem', new sdk.GetItemCommand(input)),
      query: (input) => call('Query', new sdk.QueryCommand(input)),
      async put(input) {
        lastWriteMayBeApplied = false;
        const output = await call('PutItem', new sdk.PutItemCommand(input));
        return { isDone: output !== undefined, mayBeApplied: lastWriteMayBeApplied };
      },
      async backOff() {
        backOffs += 1;
        await pause(Math.random() * Math.min(5 * 2 ** backOffs, 200));
      },
      isHalfTimeOver: () => uptime() >= deadline - timeouts.total / 2,
    };
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the types depend on the operation.
type Command = sdk.$Command<any, any, sdk.DynamoDBClientResolvedConfig, any, any>;

const isConditionFailed = (error: unknown) => error instanceof sdk.ConditionalCheckFailedException;

const uptime = () => process.uptime() * 1_000;
