import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Stands in front of a DynamoDB and misbehaves on purpose. */
export interface FaultyServer {
  readonly endpoint: string;
  /** What was asked of it, in order. */
  readonly operations: string[];
  /** What becomes of the requests from now on, one after the other; after the last one they go through as ever. */
  misbehave(...faults: Fault[]): void;
  /** What becomes of all requests from now on. */
  misbehaveForever(fault: Fault): void;
  stop(): Promise<void>;
}

/** What becomes of one request. */
export type Fault = (typeof FAULTS)[number];

/** Everything that it can do wrong. */
export const FAULTS = [
  'throttle',
  'fail',
  'hang',
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
  let faults: Fault[] = [];
  let lasting: Fault | undefined;
  const operations: string[] = [];
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '');
    operations.push(operation);
    await answer(request, response, target, faults.shift() ?? lasting);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    operations,
    misbehave(...next) {
      operations.length = 0;
      faults = next;
      lasting = undefined;
    },
    misbehaveForever(fault) {
      operations.length = 0;
      lasting = fault;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  fault: Fault | undefined,
): Promise<unknown> {
  const body = await text(request);
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
  const headers = Object.entries(request.headers).filter(([name]) => /^(content-type|x-amz-|authorization)/.test(name));
  const reply = await fetch(target, { method: 'POST', headers: headers as [string, string][], body });
  const content = Buffer.from(await reply.arrayBuffer());
  if (fault === 'cut after') return request.socket.destroy();
  response.writeHead(reply.status, { 'Content-Type': 'application/x-amz-json-1.0', 'Content-Length': content.length });
  if (fault === undefined) return response.end(content);
  return response.write(content.subarray(0, content.length / 2), () => request.socket.destroy());
}
