import { setTimeout as pause } from 'node:timers/promises';
import * as sdk from '@aws-sdk/client-dynamodb';
import { describeError } from '../log.js';
import { type Attempt, FAILURES, failureOf, type Received, readReply } from './failure.js';
import { Unavailable } from './unavailable.js';

/** In milliseconds: for all calls of a request, and for an attempt. A page of a query, a megabyte, takes a tenth of that. */
export const TIMEOUTS = { total: 8_000, attempt: 2_500 };

/**
 * Calls are tried again while that may help and there is time.
 *
 * @throws Unavailable if the time is used up, or another attempt would not help.
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
 * The pauses grow and are random, so that instances don't retry together.
 *
 * @param config - What is left out comes from the environment, as in all programs that use AWS's SDK.
 * @returns Makes the client of a request. The total time-out starts at `since`, in milliseconds of the
 * process's uptime, or now.
 */
export function createClient(config: sdk.DynamoDBClientConfig, timeouts = TIMEOUTS) {
  const client = new sdk.DynamoDBClient({
    // Shorter than that of an attempt, because after it nothing was sent.
    requestHandler: { connectionTimeout: 1_500 },
    ...config,
    // The SDK's own retries would not tell whether a write may have been applied.
    maxAttempts: 1,
    retryMode: 'standard',
  });

  async function attempt(command: Command, timeout: number): Promise<Attempt> {
    let result: Attempt = { failure: 'refused' };
    // In place of the SDK's reader of replies, which quotes them in errors.
    command.middlewareStack.add(
      (next) => async (args) => {
        result = { failure: 'unknown outcome' };
        const { response } = (await next(args).catch((error) => {
          result = { failure: failureOf(error), error };
          throw error;
        })) as Received;
        const text = Buffer.from(await client.config.streamCollector(response.body)).toString();
        result = readReply(response.statusCode, text);
        return { response, output: { $metadata: {} } };
      },
      { name: 'deserializerMiddleware', step: 'deserialize', override: true },
    );
    try {
      await client.send(command, { abortSignal: AbortSignal.timeout(timeout) });
      return result;
    } catch (error) {
      // For example, there are no credentials, and nothing was sent.
      return { error, ...result };
    }
  }

  return (requestId: string, since = uptime()): RequestClient => {
    const deadline = since + timeouts.total;
    // A failed read after a write must tell the caller that the write may have been applied.
    let lastWriteMayBeApplied = false;
    let backOffs = 0;

    /** @returns Undefined if the condition failed. */
    async function call(operation: string, command: Command) {
      for (let maxPause = 50; ; maxPause *= 2) {
        const left = Math.ceil(deadline - uptime());
        if (left <= 0) throw unavailable(operation);
        const { output, failure, error } = await attempt(command, Math.min(left, timeouts.attempt));
        if (!failure) return output;
        if (failure === 'condition failed') return undefined;
        const { mayPass, mayBeApplied } = FAILURES[failure];
        lastWriteMayBeApplied ||= operation === 'PutItem' && mayBeApplied;
        if (failure === 'invalid request' && !lastWriteMayBeApplied) throw error;
        const length = Math.random() * Math.min(maxPause, 1_000);
        if (!mayPass || uptime() + length >= deadline) throw unavailable(operation, error);
        console.warn({ event: 'retrying a call to DynamoDB', requestId, operation, error: describeError(error) });
        await pause(length);
      }
    }

    function unavailable(operation: string, cause?: unknown): Unavailable {
      const applied = lastWriteMayBeApplied ? undefined : false;
      return new Unavailable(`DynamoDB could not complete ${operation}`, { applied, cause });
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

type Command = sdk.$Command<Received, Received, sdk.DynamoDBClientResolvedConfig, Received, Received>;

const uptime = () => process.uptime() * 1_000;
