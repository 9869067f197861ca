import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { messageOf } from '../log.js';
import type { Access } from './access.js';
import { createSign } from './sign.js';

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/**
 * Settles within `timeout` milliseconds. Rejects if no complete reply came, with {@link NotSent} if DynamoDB received
 * none of the request.
 */
export type Send = (operation: string, input: string, timeout: number) => Promise<Reply>;

export class NotSent extends Error {
  override readonly name = 'NotSent';

  /** @param isLasting - Whether another attempt would fail as well. */
  constructor(
    cause: Error,
    readonly isLasting = false,
  ) {
    super(`not sent: ${messageOf(cause)}`, { cause });
  }
}

export function connect({ endpoint, region, credentials }: Access): Send {
  const url = new URL(endpoint);
  const { protocol, host } = url;
  const target = urlToHttpOptions(url);
  const sign = createSign({ host, region, credentials });
  const transport = protocol === 'http:' ? http : https;
  const agent = new transport.Agent({ keepAlive: true });
  // With TLS, nothing is sent before the handshake is done.
  const connected = protocol === 'http:' ? 'connect' : 'secureConnect';

  function createRequest(operation: string, input: string): http.ClientRequest {
    try {
      return transport.request({ ...target, method: 'POST', headers: sign(operation, input), agent });
    } catch (error) {
      // For example, no header field can carry the credentials.
      throw new NotSent(error as Error, true);
    }
  }

  return async (operation, input, timeout) => {
    const request = createRequest(operation, input);
    // Callbacks, because promises of events and streams take twice as long.
    return new Promise((resolve, reject) => {
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > MAX_CHARACTERS) fail(new Error(`a reply of more than ${MAX_CHARACTERS} characters`));
        });
        response.on('error', fail);
        response.on('end', () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode as number, text });
        });
      });
      let isConnected = false;
      request.on('socket', (socket) => {
        if (request.reusedSocket) isConnected = true;
        else socket.once(connected, () => (isConnected = true));
      });
      request.on('error', fail);
      // After a 101, Node.js gives the connection away, and emits neither `response` nor `error`.
      request.on('upgrade', ({ statusCode }) => fail(new Error(`status ${statusCode}`)));
      const timer = setTimeout(() => {
        closeIdle(agent);
        fail(new Error(`no reply within ${timeout} ms`));
      }, timeout);
      request.end(input);

      function fail(error: Error) {
        clearTimeout(timer);
        reject(isConnected ? error : new NotSent(error));
        // Without the error, which would end the process after an upgrade.
        request.destroy();
      }
    });
  };
}

/** A page of a query has a megabyte of rows, and JSON writes a byte in at most six characters. */
const MAX_CHARACTERS = 16_777_216;

/** If one idle connection was dropped silently, the others may be dead as well. */
function closeIdle({ freeSockets }: http.Agent): void {
  for (const socket of Object.values(freeSockets as Record<string, Socket[]>).flat()) socket.destroy();
}
