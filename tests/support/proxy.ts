import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** A reverse proxy in front of a service. */
export interface Proxy {
  /** Without a slash at the end. */
  readonly url: string;
  stop(): void;
}

/**
 * Starts a reverse proxy that adds a prefix and admits one request at a time, as a reserved concurrency of 1 does: a
 * second one while one is in flight gets 500.
 *
 * @param target - The service's URL.
 * @param prefix - What callers have in front of the path.
 * @returns The proxy.
 */
export async function startProxy(target: string, prefix: string): Promise<Proxy> {
  let busy = false;
  const server = createServer((incoming, outgoing) => {
    if (busy || !incoming.url?.startsWith(prefix)) {
      outgoing.writeHead(busy ? 500 : 403).end();
      return;
    }
    busy = true;
    const { method, headers } = incoming;
    const forwarded = request(`${target}${incoming.url.slice(prefix.length)}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode as number, response.headers);
      response.pipe(outgoing).on('finish', () => {
        busy = false;
      });
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close().closeAllConnections() };
}
