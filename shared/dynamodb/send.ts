import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import aws4, { type Credentials } from 'aws4';

/** How DynamoDB is reached. */
export interface Access {
  /** Its URL, without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
}

/** What came back: an HTTP status and JSON text. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Sends one request to DynamoDB's HTTP API: an operation and its input as JSON. Rejects when no whole reply came. */
export type Send = (operation: string, input: string, signal: AbortSignal) => Promise<Reply>;

/**
 * Makes the way to DynamoDB, over connections that are kept.
 *
 * @param access - Where it is, and who asks.
 * @returns The function that sends a request.
 */
export function connect({ endpoint, region, credentials }: Access): Send {
  const { protocol, hostname, port, host } = new URL(endpoint);
  const transport = protocol === 'http:' ? http : https;
  const agent = new transport.Agent({ keepAlive: true });

  return async (operation, input, signal) => {
    const headers = {
      Host: host,
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
    };
    const signed = aws4.sign(
      { service: 'dynamodb', region, protocol, hostname, port, method: 'POST', headers, body: input },
      credentials,
    );
    const request = transport.request({ ...(signed as http.RequestOptions), agent, signal });
    // A connection cut after the reply has begun fails the reading of it, which is where it is caught.
    request.on('error', () => {});
    request.end(input);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return { status: response.statusCode as number, text: await text(response) };
  };
}
