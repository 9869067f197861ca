import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { type Access, connect, type Reply, type Send } from '../../../shared/dynamodb/send.js';
import { GENEROUS } from '../service/service.js';
import type { VirtualTime } from './time.js';

/**
 * The fault of a request. With those that end in "after", DynamoDB carries the request out. With "end", the instance that sent
 * it ends. Or it is delivered so many milliseconds `late`, whether or not its sender still waits; or it is delivered and
 * answered at once, and so many milliseconds later `again`, unseen by its sender; or something in between sends it `twice`, the second
 * copy so many milliseconds after the first, and passes on the reply to the second one alone.
 */
export type Fault =
  | keyof typeof REPLIES
  | keyof typeof REPLIES_AFTER
  | `${'hang' | 'end' | 'cut' | 'switch'} after`
  | `${'end' | 'cut'} before`
  | 'hang'
  | { readonly late?: number; readonly again?: number; readonly twice?: number };

/** The replies that are sent instead of DynamoDB's, which does not get the request. */
const REPLIES = {
  throttle: failure(400, 'ProvisionedThroughputExceededException'),
  fail: failure(500, 'InternalServerError'),
  deny: failure(400, 'AccessDeniedException'),
  'miss the table': failure(400, 'ResourceNotFoundException'),
  'talk nonsense': { status: 200, text: '<html>Welcome to the hotel</html>' },
};

/** The replies that are sent instead of DynamoDB's, which has carried the request out. */
const REPLIES_AFTER = {
  'fail after': failure(500, 'InternalServerError'),
  'abort after': failure(400, 'RequestAbortedException'),
  'time out after': failure(408, 'RequestTimeoutException'),
  'time out without a name after': { status: 408, text: '{"message":"Request Timeout"}' },
  'limit without a name after': { status: 429, text: '{"message":"Too Many Requests"}' },
  'deny without a name after': { status: 403, text: '{"message":"Forbidden"}' },
  'refuse without a word after': { status: 499, text: '{}' },
  'talk nonsense after': { status: 403, text: '<html>Welcome to the hotel</html>' },
};

/** After these replies, the sender can't know that the request was carried out, nor may it say that it was not. */
export const LIES = Object.keys(REPLIES_AFTER) as (keyof typeof REPLIES_AFTER)[];

function failure(status: number, type: string): Reply {
  return { status, text: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type }) };
}

const NEVER = new Promise<never>(() => {});

/** A network between services and a real DynamoDB, in which faults are planted. */
export class FaultyNetwork {
  /** The endpoint at which requests meet the faults. At any other endpoint, they meet none. */
  readonly endpoint = 'http://faulty.test';
  /** The operations that were requested, in order, since the faults were last set, and the input of each of them. */
  readonly operations: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the members of an input depend on the operation.
  readonly inputs: any[] = [];
  /** The options of a service that reaches DynamoDB over this network. */
  readonly parts = { timeouts: TIMEOUTS, connect: (access: Access) => this.#connect(access) };
  /** The most rows that a query reads, as if rows were large; no limit if undefined. */
  mostRows: number | undefined;
  readonly #deliveries = new Set<Promise<unknown>>();
  #draw = (_operation: string): Fault | undefined => undefined;

  /** A request or a reply takes the `latency`, less than 20 milliseconds. */
  constructor(
    private readonly time: VirtualTime,
    private readonly target: string,
    private readonly latency = () => 4,
  ) {}

  /** Sets the function that chooses the fault of each request from now on; undefined if it goes through. */
  misbehaveBy(draw: (operation: string) => Fault | undefined): void {
    this.operations.length = 0;
    this.inputs.length = 0;
    this.#draw = draw;
  }

  misbehave(): void {
    this.misbehaveBy(() => undefined);
  }

  /** Plants a fault in each of the next requests for an operation, such as `PutItem`; others go through. */
  misbehaveIn(only: string, ...faults: Fault[]): void {
    this.misbehaveBy((operation) => (operation === only ? faults.shift() : undefined));
  }

  /** Waits, for a minute at most, until a request for an operation has been delivered since the faults were last set. */
  async delivered(operation: string): Promise<void> {
    for (let waited = 0; !this.operations.includes(operation); waited += 1) {
      if (waited > 60_000) throw new Error(`no request for ${operation} came within a minute`);
      await this.time.pause(1);
    }
    await this.time.pause(20);
  }

  /** Waits until all late requests have been delivered. */
  async settled(): Promise<void> {
    while (this.#deliveries.size > 0) await Promise.allSettled(this.#deliveries);
  }

  #connect(access: Access): Send {
    const send = connect({ ...access, endpoint: this.target });
    return async (operation, input, timeout) => {
      const fault = access.endpoint === this.endpoint ? this.#drawFor(operation, input) : undefined;
      const deliver = (late: number) => {
        const text = this.#limited(operation, input);
        const sending = () => this.time.outside(send(operation, text, GENEROUS.attempt));
        const delivery = this.time.pause(late).then(sending);
        this.#deliveries.add(delivery);
        return delivery.finally(() => this.#deliveries.delete(delivery));
      };
      if (fault === 'end after') void deliver(this.latency());
      if (fault === 'end after' || fault === 'end before') return NEVER;
      const late = this.time.pause(timeout).then(() => Promise.reject(new Error(`no reply within ${timeout} ms`)));
      return Promise.race([this.#reply(fault, deliver), late]);
    };
  }

  #limited(operation: string, input: string): string {
    const { Limit, ...query } = JSON.parse(input);
    if (this.mostRows === undefined || operation !== 'Query') return input;
    return JSON.stringify({ ...query, Limit: Math.min(Limit, this.mostRows) });
  }

  #drawFor(operation: string, input: string): Fault | undefined {
    this.operations.push(operation);
    this.inputs.push(JSON.parse(input));
    return this.#draw(operation);
  }

  async #reply(fault: Fault | undefined, deliver: (late: number) => Promise<Reply>): Promise<Reply> {
    const { late = this.latency(), again, twice } = typeof fault === 'object' ? fault : {};
    const instead: Reply | undefined = REPLIES[fault as keyof typeof REPLIES];
    if (fault === 'hang') return NEVER;
    if (fault === 'cut before') throw new Error('socket hang up');
    const reply = instead ?? (await deliver(late));
    if (again !== undefined) void deliver(again);
    if (fault === 'hang after') return NEVER;
    if (fault === 'cut after') throw new Error('socket hang up');
    if (fault === 'switch after') throw new Error('status 101');
    const second = twice === undefined ? undefined : await deliver(twice);
    await this.time.pause(this.latency());
    return REPLIES_AFTER[fault as keyof typeof REPLIES_AFTER] ?? second ?? reply;
  }
}
