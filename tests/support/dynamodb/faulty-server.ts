import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../listen.js';
import { createFaults, type Fault, type Faults, replyOf } from './faults.js';

/** A server in front of a DynamoDB that misbehaves on purpose, over real connections. */
export interface FaultyServer extends Faults {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts such a server on a free port.
 *
 * @param target - The endpoint of the DynamoDB behind it.
 * @returns The server, when it listens.
 */
export async function startFaultyServer(target: string): Promise<FaultyServer> {
  const { faults, drawFor } = createFaults();
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    if (!body) return; // Its sender gave up before it was complete.
    const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '');
    const deliver = async (late = 0) => {
      await pause(late);
      return forward(target, agent, request, body);
    };
    await answer(request, response, drawFor(operation, body.toString()), deliver).catch(() => request.socket.destroy());
  });
  return {
    ...faults,
    endpoint: `http://${await listen(server)}`,
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

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
  if (fault === 'hang') return undefined;
  if (fault === 'cut before') return request.socket.destroy();
  const instead = replyOf(fault);
  if (instead && fault !== 'fail after') return response.writeHead(instead.status).end(instead.text);
  const { late, again } = typeof fault === 'object' ? fault : {};
  const { status, content } = await deliver(late);
  if (again !== undefined) deliver(again).catch(() => {});
  if (fault === 'hang after') return undefined;
  if (fault === 'cut after') return request.socket.destroy();
  if (instead) return response.writeHead(instead.status).end(instead.text);
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
