import { Readable } from 'node:stream';
import { DescribeLimitsCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** A request of AWS's SDK. */
export interface Request {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Sends a request for an operation, such as `PutItem`. */
export type Send = (operation: string, request: Request) => Promise<Reply>;

export const reply = (output: object, status = 200): Reply => ({ status, text: JSON.stringify(output) });

const CREDENTIALS = { accessKeyId: 'id', secretAccessKey: 'secret' };

/** Makes AWS's SDK send its requests through a function of a test. It gives up after 2.5 seconds of silence, as deployed. */
export function configBy(send: Send): DynamoDBClientConfig {
  const requestHandler = {
    handle: ({ headers, body }: HttpRequest, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) =>
      new Promise<object>((resolve, reject) => {
        const operation = String(headers['x-amz-target']).replace('DynamoDB_20120810.', '');
        AbortSignal.timeout(2_500).addEventListener('abort', () =>
          reject(Object.assign(new Error('no reply'), { name: 'TimeoutError' })),
        );
        const abort = () => reject(new Error('aborted'));
        abortSignal?.addEventListener('abort', abort, { once: true });
        send(operation, { headers, body: Buffer.from(body).toString() })
          .finally(() => abortSignal?.removeEventListener('abort', abort))
          .then(
            ({ status, text }) =>
              resolve({ response: { statusCode: status, headers: {}, body: Readable.from([Buffer.from(text)]) } }),
            reject,
          );
      }),
  };
  return { region: 'eu-central-1', endpoint: 'http://localhost', credentials: CREDENTIALS, requestHandler };
}

interface HttpRequest {
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string;
}

/** Sends requests on to a DynamoDB. */
export function sendTo(endpoint: string): Send {
  return async (_operation, { headers: { host: _host, 'content-length': _length, ...headers }, body }) => {
    const response = await fetch(endpoint, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
}

/** Lets the SDK read its configuration files. It does so once, in real time, so virtual time can't wait for it. */
export async function readFilesOfSdk(): Promise<void> {
  await new DynamoDBClient(configBy(async () => reply({}))).send(new DescribeLimitsCommand());
}
