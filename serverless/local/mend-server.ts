import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';

/** The last of a connection. */
type Exchange = readonly [IncomingMessage, ServerResponse];

/**
 * Mends three faults of serverless-offline's server that API Gateway doesn't have. A target that is no URL (`//`) gets
 * 500. What can't be parsed after a request ends the process, because two answers to that request meet. An answer to
 * HEAD has the length 0 (RFC 9110, section 8.6: GET's length, or none).
 */
export function mendServer(): void {
  const last = new WeakMap<Socket, Exchange>();
  // serverless-offline has no hook for its servers.
  const emit: (this: Server, event: string, ...values: unknown[]) => boolean = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string, ...values: unknown[]): boolean {
    if (event === 'clientError') {
      const socket = values[1] as Socket;
      rejectMalformed(socket, last.get(socket));
      return true;
    }
    if (!/^(request|checkContinue)$/.test(event)) return emit.call(this, event, ...values);
    const [request, response] = values as unknown as Exchange;
    last.set(request.socket, [request, response]);
    if (!URL.canParse(String(request.url), 'http://localhost')) {
      response.writeHead(400, { 'Content-Type': 'application/problem+json', Connection: 'close' }).end(NO_URL);
      return true;
    }
    if (request.method === 'HEAD') omitLength(response);
    return emit.call(this, event, ...values);
  };
}

/** A request that has arrived whole gets its answer first. */
function rejectMalformed(socket: Socket, [request, response]: Exchange | [] = []): void {
  const reject = () => {
    if (socket.writable) socket.end(MALFORMED);
  };
  if (request?.complete && !response?.closed) response?.once('close', reject);
  else if (response?.headersSent && !response.closed) socket.destroy();
  else reject();
}

function omitLength(response: ServerResponse): void {
  const { setHeader } = response;
  response.setHeader = (name, value) =>
    name.toLowerCase() === 'content-length' ? response : setHeader.call(response, name, value);
}

const problem = (detail: string) => JSON.stringify({ type: 'about:blank', title: 'Bad Request', status: 400, detail });
const NO_URL = problem('The target of the request is no URL.');
const MALFORMED = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nConnection: close\r\n\r\n${problem('This is no HTTP request.')}`;
