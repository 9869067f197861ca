import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import dynalite from 'dynalite';
import { connect } from '../../../shared/dynamodb/send.js';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
const access = { region: 'eu-central-1', credentials };

/** The signature that a request should have: AWS's Signature Version 4, worked out anew from what came in. */
function signatureOf({ method, url, headers }: IncomingMessage, body: string): string {
  const hash = (data: string) => createHash('sha256').update(data).digest('hex');
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
  const names = /SignedHeaders=([^,]*)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const fields = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const canonical = [method, url, '', fields, names.join(';'), hash(body)].join('\n');
  const date = String(headers['x-amz-date']);
  const scope = [date.slice(0, 8), 'eu-central-1', 'dynamodb', 'aws4_request'];
  const key = scope.reduce<string | Buffer>((made, part) => hmac(made, part), 'AWS4secret');
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), hash(canonical)].join('\n')).toString('hex');
}

describe('a request to DynamoDB', () => {
  const server = dynalite({ ssl: true });
  let endpoint: string;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => void server.close());

  it('is not sent to a server whose certificate is not to be trusted', async () => {
    const sent = connect({ ...access, endpoint })('ListTables', '{}', 5_000);
    await expect(sent).rejects.toThrow(/certificate/);
  });

  it('is not waited for longer than is allowed', async () => {
    const sent = connect({ ...access, endpoint })('ListTables', '{}', 0);
    await expect(sent).rejects.toThrow('no reply within 0 ms');
  });
});

describe('requests to DynamoDB', () => {
  it('are signed as a whole, and share a connection', async () => {
    const came: { request: IncomingMessage; body: string }[] = [];
    const server = createServer(async (request, response) => {
      came.push({ request, body: await text(request) });
      response.writeHead(418).end('{"Item":"é"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const send = connect({ region: 'eu-central-1', endpoint: `http://${host}`, credentials });
      const reply = await send('GetItem', '{"Key":"é"}', 5_000);
      expect(reply).toEqual({ status: 418, text: '{"Item":"é"}' });
      const withToken = { ...credentials, sessionToken: 'token' };
      await send('GetItem', '{"Key":"é"}', 5_000);
      await connect({ ...access, endpoint: `http://${host}`, credentials: withToken })('Scan', '{}', 5_000);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    for (const { request, body } of came) {
      expect(request).toMatchObject({ method: 'POST', url: '/' });
      expect(request.headers.authorization).toMatch(/SignedHeaders=content-length;content-type;host;x-amz-/);
      expect(request.headers.authorization).toContain(`Signature=${signatureOf(request, body)}`);
    }
    const [one, other, last] = came;
    expect(one?.body).toBe('{"Key":"é"}');
    expect(one?.request.headers).toMatchObject({
      host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.GetItem',
    });
    expect(one?.request.socket).toBe(other?.request.socket);
    expect(last?.request.headers['x-amz-security-token']).toBe('token');
  });
});
