import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Stands in front of a DynamoDB and misbehaves on purpose. */
export interface FaultyServer {
  readonly endpoint: string;
  /** What was asked of it, in order, since its behaviour was last set. */
  readonly operations: string[];
  /** What came with each of them. */
  // biome-ignore lint/suspicious/noExplicitAny: what an input holds depends on the operation.
  readonly inputs: readonly any[];
  /** What becomes of the requests from now on, one after the other; after the last one they go through as ever. */
  misbehave(...faults: Fault[]): void;
  /** The same for the requests of one operation, such as `PutItem`. */
  misbehaveIn(operation: string, ...faults: Fault[]): void;
  /** What becomes of all requests from now on, or of all that ask for one operation. */
  misbehaveForever(fault: Fault, operation?: string): void;
  /** Asks for each request from now on what becomes of it. */
  misbehaveBy(draw: Draw): void;
  /** Waits until all that was held back has been delivered. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Decides on one request; undefined where it goes through as ever. */
export type Draw = (operation: string) => Fault | undefined;

/**
 * What becomes of one request: one of {@link FAULTS}; or it is delivered so many milliseconds `late`, whether or not its
 * sender still waits; or delivered and answered at once, and so many milliseconds later `again`, unseen by its sender.
 */
export type Fault = (typeof FAULTS)[number] | { readonly late?: number; readonly again?: number };

/** What needs no number. Those that end in "after" have DynamoDB do what was asked. */
export const FAULTS = [
  'throttle',
  'fail',
  'fail after',
  'hang',
  'hang after',
  'cut before',
  'cut after',
  'cut within the reply',
  'talk nonsense',
  'deny',
  'miss the table',
  'find the request invalid',
] as const;

/**
 * Starts such a server on a free port.
 *
 * @param target - The endpoint of the DynamoDB behind it.
 * @returns It, when it listens.
 */
export async function startFaultyServer(target: string): Promise<FaultyServer> {
  let draw: Draw = () => undefined;
  const operations: string[] = [];
  const inputs: unknown[] = [];
  const deliveries = new Set<Promise<unknown>>();
  const agent = new Agent({ keepAlive: true });
  const deliver: Deliver = (request, body, late) => {
    const delivery = pause(late).then(() => forward(target, agent, request, body));
    deliveries.add(delivery);
    return delivery.finally(() => deliveries.delete(delivery));
  };
  const behave = (next: Draw) => {
    operations.length = 0;
    inputs.length = 0;
    draw = next;
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    if (!body) return; // Its sender gave up before it was whole.
    const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '');
    operations.push(operation);
    inputs.push(JSON.parse(body.toString()));
    const deliverOn = (late = 0) => deliver(request, body, late);
    await answer(request, response, draw(operation), deliverOn).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    operations,
    inputs,
    misbehave: (...faults) => behave(() => faults.shift()),
    misbehaveIn: (only, ...faults) => behave((operation) => (operation === only ? faults.shift() : undefined)),
    misbehaveForever: (fault, only) => behave((operation) => (operation === (only ?? operation) ? fault : undefined)),
    misbehaveBy: behave,
    async settled() {
      while (deliveries.size > 0) await Promise.allSettled(deliveries);
    },
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Deliver = (request: IncomingMessage, body: Buffer, late: number) => Promise<Delivered>;

interface Delivered {
  readonly status: number;
  readonly content: Buffer;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
  deliver: (late?: number) => Promise<Delivered>,
): Promise<unknown> {
  const refuse = (status: number, type: string) =>
    response
      .writeHead(status)
      .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type }));
  if (fault === 'hang') return undefined;
  if (fault === 'cut before') return request.socket.destroy();
  if (fault === 'throttle') return refuse(400, 'ProvisionedThroughputExceededException');
  if (fault === 'fail') return refuse(500, 'InternalServerError');
  if (fault === 'deny') return refuse(400, 'AccessDeniedException');
  if (fault === 'miss the table') return refuse(400, 'ResourceNotFoundException');
  if (fault === 'find the request invalid') return refuse(400, 'ValidationException');
  if (fault === 'talk nonsense') return response.writeHead(200).end('<html>Welcome to the hotel</html>');
  const { late, again } = typeof fault === 'object' ? fault : {};
  const { status, content } = await deliver(late);
  if (again !== undefined) deliver(again).catch(() => {});
  if (fault === 'hang after') return undefined;
  if (fault === 'cut after') return request.socket.destroy();
  if (fault === 'fail after') return refuse(500, 'InternalServerError');
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0', 'Content-Length': content.length });
  if (fault !== 'cut within the reply') return response.end(content);
  return response.write(content.subarray(0, content.length / 2), () => request.socket.destroy());
}

async function forward(target: string, agent: Agent, { headers }: IncomingMessage, body: Buffer): Promise<Delivered> {
  const passed = Object.entries(headers).filter(([name]) => /^(content-|x-amz-|authorization)/.test(name));
  const forwarded = send(target, { method: 'POST', agent, headers: Object.fromEntries(passed) });
  forwarded.end(body);
  const [reply] = (await once(forwarded, 'response')) as [IncomingMessage];
  return { status: reply.statusCode as number, content: await buffer(reply) };
}
