import { createHmac, hash } from 'node:crypto';
import type { Credentials } from './access.js';

/** `host` includes the port, unless it is the default one. */
export interface Signer {
  readonly host: string;
  readonly region: string;
  readonly credentials: Credentials;
}

/**
 * @param now - Milliseconds since 1970. DynamoDB refuses a request if its clock differs by minutes.
 * @returns All header fields of the request.
 */
export type Sign = (operation: string, body: string, now?: number) => Readonly<Record<string, string>>;

/** AWS Signature Version 4 ("Create a signed AWS API request" in the IAM User Guide). */
export function createSign({ host, region, credentials }: Signer): Sign {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  // Making the key takes longer than all else, and it changes once a day.
  let known: { readonly scope: string; readonly key: Buffer } = { scope: '', key: Buffer.alloc(0) };

  return (operation, body, now = Date.now()) => {
    const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
    const scope = `${time.slice(0, 8)}/${region}/dynamodb/aws4_request`;
    if (scope !== known.scope)
      known = { scope, key: scope.split('/').reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`)) };
    // In alphabetical order, because the signature needs that.
    const fields = {
      'content-length': String(Buffer.byteLength(body)),
      'content-type': 'application/x-amz-json-1.0',
      host,
      'x-amz-date': time,
      ...(sessionToken && { 'x-amz-security-token': sessionToken }),
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    };
    const names = Object.keys(fields).join(';');
    const lines = Object.entries(fields).map(([name, value]) => `${name}:${value}\n`);
    const request = `POST\n/\n\n${lines.join('')}\n${names}\n${hash('sha256', body)}`;
    const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', request)}`;
    const signature = hmac(known.key, text).toString('hex');
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return { ...fields, authorization };
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
