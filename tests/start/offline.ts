import { once } from 'node:events';
import { type Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Answer, answerOf } from '../support/service/answer.js';
import { matchesDeployed } from '../support/service/deployed.js';
import type { Service } from '../support/service/service.js';

/** Makes a function that calls the service at a port, and expects each answer to match the document. */
export function callTo(port: number): Service['call'] {
  return async (method, path, sent) => matchesDeployed(method, path, await send(port, method, path, sent));
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
