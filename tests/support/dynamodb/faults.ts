import type { Reply, Send } from '../../../shared/dynamodb/send.js';

/** Plants faults between a service and its DynamoDB, and records the requests. */
export interface Faults {
  /** The operations that were requested, in order, since the faults were last set. */
  readonly operations: readonly string[];
  /** The input of each of them. */
  // biome-ignore lint/suspicious/noExplicitAny: what an input holds depends on the operation.
  readonly inputs: readonly any[];
  /** Plants a fault in each of the next requests; later requests go through. */
  misbehave(...faults: Fault[]): void;
  /** The same for the requests of one operation, such as `PutItem`. */
  misbehaveIn(operation: string, ...faults: Fault[]): void;
  /** Sets the function that chooses the fault of each request from now on. */
  misbehaveBy(draw: Draw): void;
}

/** Chooses the fault of a request; undefined if it goes through. */
export type Draw = (operation: string) => Fault | undefined;

/**
 * The fault of a request. With those that end in "after", DynamoDB carries the request out. With "end", the instance that sent
 * it ends. Or it is delivered so many milliseconds `late`, whether or not its sender still waits; or it is delivered and
 * answered at once, and so many milliseconds later `again`, unseen by its sender.
 */
export type Fault =
  | 'throttle'
  | 'fail'
  | 'fail after'
  | 'hang'
  | 'hang after'
  | 'end before'
  | 'end after'
  | 'cut before'
  | 'cut after'
  | 'talk nonsense'
  | 'deny'
  | 'miss the table'
  | { readonly late?: number; readonly again?: number };

/** Makes the faults of one DynamoDB, and the function that records a request and chooses its fault. */
export function createFaults(): { faults: Faults; drawFor: (operation: string, input: string) => Fault | undefined } {
  let draw: Draw = () => undefined;
  const operations: string[] = [];
  const inputs: unknown[] = [];
  const behave = (next: Draw) => {
    operations.length = 0;
    inputs.length = 0;
    draw = next;
  };
  const faults: Faults = {
    operations,
    inputs,
    misbehave: (...faults) => behave(() => faults.shift()),
    misbehaveIn: (only, ...faults) => behave((operation) => (operation === only ? faults.shift() : undefined)),
    misbehaveBy: behave,
  };
  const drawFor = (operation: string, input: string) => {
    operations.push(operation);
    inputs.push(JSON.parse(input));
    return draw(operation);
  };
  return { faults, drawFor };
}

/** Lets each query read so many rows at most, as it does where rows are large; as many as it wants if undefined. */
export function readAtMost(rows: number | undefined, send: Send): Send {
  return (operation, input, timeout) => {
    if (rows === undefined || operation !== 'Query') return send(operation, input, timeout);
    const { Limit, ...query } = JSON.parse(input);
    return send(operation, JSON.stringify({ ...query, Limit: Math.min(Limit, rows) }), timeout);
  };
}

/** Returns the reply that is sent instead of DynamoDB's; undefined if DynamoDB replies, or nobody does. */
export function replyOf(fault: Fault | undefined): Reply | undefined {
  switch (fault) {
    case 'throttle':
      return failure(400, 'ProvisionedThroughputExceededException');
    case 'fail':
    case 'fail after':
      return failure(500, 'InternalServerError');
    case 'deny':
      return failure(400, 'AccessDeniedException');
    case 'miss the table':
      return failure(400, 'ResourceNotFoundException');
    case 'talk nonsense':
      return { status: 200, text: '<html>Welcome to the hotel</html>' };
    default:
      return undefined;
  }
}

function failure(status: number, type: string): Reply {
  return { status, text: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type }) };
}
