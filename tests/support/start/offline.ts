import { once } from 'node:events';
import { type Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Answer, answerOf } from '../service/answer.js';
import { matchesDocument } from '../service/matches-document.js';
import type { Service } from '../service/service.js';
import { spawnEmulator, untilReady } from './emulator.js';
import { freePort } from './port.js';

/** The service under serverless-offline, as `npm start` runs it. */
export interface OfflineService extends Service {
  /** Without a slash at the end. */
  readonly url: string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts serverless-offline with the last build, on a free port.
 *
 * @param environment - Environment variables besides those of this process.
 * @returns The service, as soon as it answers.
 * @throws Error with what it has printed, if it ends before that.
 */
export async function startOffline(environment: Record<string, string> = {}): Promise<OfflineService> {
  const [port, lambdaPort] = [await freePort(), await freePort()];
  const options = ['--httpPort', String(port), '--lambdaPort', String(lambdaPort)];
  const server = spawnEmulator(options, { ...process.env, LOG_LEVEL: 'silent', ...environment });
  await untilReady(server, port);
  // A test that fails before it has stopped the service doesn't keep the run from ending, and the service ends with it.
  for (const held of [server, server.stdin, server.stdout, server.stderr]) (held as Socket).unref();
  const ended = once(server, 'exit');
  const stop: OfflineService['stop'] = async (signal) => {
    server.ref();
    server.kill(signal);
    await ended;
  };
  return { prefix: '', url: `http://127.0.0.1:${port}`, stop, call: callTo(port) };
}

/** Makes a function that calls the service at a port, and expects each answer to match the document. */
export function callTo(port: number): Service['call'] {
  return async (method, path, sent) => matchesDocument(method, path, await send(port, method, path, sent));
}

/**
 * Sends a request with its path as it is; fetch would normalise that.
 *
 * @param port - Where the service listens.
 * @param sent - Header fields, a body, and the agent whose connections are used; a new connection if left out.
 * @returns The answer.
 */
export async function send(
  port: number | string,
  method: string,
  path: string,
  { headers = {}, body, agent }: Parameters<Service['call']>[2] & { readonly agent?: Agent } = {},
): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, ...(agent && { agent }) });
  sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = await once(sent, 'response');
  return answerOf(response.statusCode, response.headers, await buffer(response));
}
