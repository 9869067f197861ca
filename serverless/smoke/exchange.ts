import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';

export interface Exchanged {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** The host to connect to instead of the URL's, whose name TLS and `Host` keep. */
  readonly connectTo: string | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request and reads the response whole. Redirects are not followed. Each request has a connection of its own, because a
 * connection that is kept can be closed while a request is sent on it.
 *
 * @throws Error that says why no response came, or not all of it.
 */
export async function exchange(url: URL, { body, connectTo, ...options }: Exchanged): Promise<Received> {
  const { request } = url.protocol === 'https:' ? https : http;
  const elsewhere = connectTo !== undefined && { lookup: lookupOf(connectTo) };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const sending = request(url, { ...options, ...elsewhere, agent: false });
    sending.once('response', resolve).once('error', reject);
    // Without this, Node.js closes the connection and says nothing.
    sending.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('it answered 101'));
    });
    sending.end(body);
  });
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values as readonly string[]) headers.append(name, value);
  return { status: response.statusCode as number, headers, text: await text(response) };
}

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

const lookupOf = (host: string) => (_name: string, options: LookupOptions, done: Done) => lookup(host, options, done);
