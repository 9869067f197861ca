import * as sdk from '@aws-sdk/client-dynamodb';
import { describeError } from '../log.js';
import { Problem } from '../problem.js';
import { refusalIn } from './refusals.js';
import { type WriteOutcome, Writes } from './writes.js';

/**
 * In milliseconds: for all calls of a request, for connecting, and for silence after that. Four attempts to connect fit
 * into the total time-out, because the outcome of an attempt that it cuts off is unknown.
 */
export const TIMEOUTS = { total: 8_000, connecting: 1_500, silence: 2_500 };

/** @param config - What is left out comes from the environment, as in all programs that use AWS's SDK. */
export function connect(config: sdk.DynamoDBClientConfig, timeouts = TIMEOUTS) {
  const { connecting: connectionTimeout, silence: socketTimeout } = timeouts;
  const requestHandler = { connectionTimeout, socketTimeout, ...config.requestHandler };
  const client = new sdk.DynamoDBClient({ ...config, requestHandler });
  // This middleware goes through each reply for a log that nobody writes, which takes a third of the time of a long list.
  client.middlewareStack.remove('loggerMiddleware');

  /**
   * Makes the calls of one request, which AWS's SDK tries up to four times each. A call throws a Problem if no attempt
   * succeeds in time: `maybe-applied` if the last put, or an earlier one of an item, may have been applied, otherwise
   * `unavailable`. It throws DynamoDB's own error if the input is not valid.
   *
   * @param receivedAt - When the total time-out began, as `performance.now()`.
   */
  return ({ id: requestId, receivedAt }: { readonly id: string; readonly receivedAt: number }) => {
    const writes = new Writes();
    let lastFailure: unknown;
    const timeLeft = () => receivedAt + timeouts.total - performance.now();
    const abortSignal = AbortSignal.timeout(Math.max(Math.ceil(timeLeft()), 0));
    const timeIsUp = new Promise<never>((_, reject) => {
      const end = () => reject(new Error('the total time-out is over', { cause: lastFailure }));
      abortSignal.addEventListener('abort', end, { once: true });
    });
    // It may also reject while no call is waiting.
    timeIsUp.catch(() => {});

    async function attempt<Reply>(operation: string, send: () => Promise<Reply>): Promise<Reply> {
      if (timeLeft() <= 0) throw new Error('no time is left for an attempt');
      if (lastFailure !== undefined)
        console.warn({ event: 'DynamoDB is tried again', requestId, operation, error: describeError(lastFailure) });
      try {
        return await (operation === 'PutItem' ? writes.attempt(send) : send());
      } catch (error) {
        lastFailure = error;
        throw error;
      }
    }

    async function call(operation: string, command: Command) {
      lastFailure = undefined;
      // Each attempt of the SDK passes this step, signed.
      const place = { step: 'finalizeRequest', priority: 'low' } as const;
      command.middlewareStack.add((next) => (args) => attempt(operation, () => next(args)), place);
      try {
        // The SDK's promise may never settle: after a reply with status 101, or while it looks for credentials.
        return await Promise.race([client.send(command, { abortSignal }), timeIsUp]);
      } catch (error) {
        if (error instanceof sdk.ConditionalCheckFailedException) return undefined;
        const refusal = refusalIn(error);
        if (refusal === 'invalid' && !writes.mayBeApplied) throw error;
        const code = writes.mayBeApplied ? 'maybe-applied' : 'unavailable';
        throw new Problem(code, { cause: explain(error), isLasting: refusal === 'lasting' });
      }
    }

    return {
      get: (input: sdk.GetItemInput): Promise<sdk.GetItemOutput> => call('GetItem', new sdk.GetItemCommand(input)),
      query: (input: sdk.QueryInput): Promise<sdk.QueryOutput> => call('Query', new sdk.QueryCommand(input)),
      /** If the condition fails, the outcome is `refused`, or `unknown` if an earlier attempt got no clear reply. */
      async put(input: sdk.PutItemInput): Promise<WriteOutcome> {
        writes.outcome = 'refused';
        await call('PutItem', new sdk.PutItemCommand(input));
        return writes.outcome;
      },
      /** From now on, each failure is `maybe-applied`. */
      noteItemWritten() {
        writes.isItemWritten = true;
      },
      isHalfTimeOver: () => timeLeft() <= timeouts.total / 2,
    };
  };
}

export type RequestClient = ReturnType<ReturnType<typeof connect>>;

// biome-ignore lint/suspicious/noExplicitAny: the types depend on the operation.
type Command = sdk.$Command<any, any, sdk.DynamoDBClientResolvedConfig, any, any>;

/** The package lacks the modules with which the SDK looks for credentials outside the environment. */
function explain(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND' ? new Error('the environment has no AWS credentials', { cause: error }) : error;
}
