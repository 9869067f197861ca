import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../listen.js';
import type { Service } from './service.js';

export type Served = Awaited<ReturnType<typeof serve>>;

/**
 * Serves a service over HTTP, at a URL that ends with its prefix. Unlike an emulator, this takes no time to start. An answer with the
 * status 0 cuts the connection.
 */
export async function serve(service: Service) {
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const headers = request.headers as Record<string, string>;
    const body = (await buffer(request)).toString();
    if (!url.startsWith(service.prefix)) return response.writeHead(403).end();
    try {
      const answer = await service.call(method, url.slice(service.prefix.length), { headers, ...(body && { body }) });
      if (answer.status === 0) return request.socket.destroy();
      return response.writeHead(answer.status, answer.headers).end(answer.content);
    } catch (error) {
      return response.writeHead(500).end(String(error));
    }
  });
  const url = `http://${await listen(server)}${service.prefix}`;
  return { url, stop: () => server.close().closeAllConnections() };
}
