import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import aws4 from 'aws4';
import dynalite from 'dynalite';
import { connect, NotSent } from '../../../shared/dynamodb/send.js';
import { listen } from '../../support/listen.js';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
const access = { region: 'eu-central-1', credentials };
/** As long as a busy machine may take. */
const GENEROUS = 50_000;

/** Waits until a server has seen something, for a limited time. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + GENEROUS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error('the server has not seen it');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

let server: Server | undefined;

afterEach(() => {
  jest.useRealTimers();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Starts a server, which is closed after the test. */
function start(started: Server): Promise<string> {
  server = started;
  return listen(server);
}

const serve = async (listener: RequestListener) => `http://${await start(createServer(listener))}`;

describe('a request to DynamoDB', () => {
  it('is not sent to a server with an untrusted certificate, and is given up after the time-out', async () => {
    const send = connect({ ...access, endpoint: `https://${await start(dynalite({ ssl: true }))}` });
    await expect(send('ListTables', '{}', GENEROUS)).rejects.toThrow(/certificate/);
    await expect(send('ListTables', '{}', 0)).rejects.toThrow('no reply within 0 ms');
  });

  it('is signed as a whole, and shares its connection with the next one', async () => {
    const came: { request: IncomingMessage; body: string }[] = [];
    const endpoint = await serve(async (request, response) => {
      came.push({ request, body: await text(request) });
      response.writeHead(418).end('{"Item":"é"}');
    });
    const send = connect({ ...access, endpoint });
    expect(await send('GetItem', '{"Key":"é"}', GENEROUS)).toEqual({ status: 418, text: '{"Item":"é"}' });
    await send('GetItem', '{"Key":"é"}', GENEROUS);
    const withToken = { ...credentials, sessionToken: 'token' };
    await connect({ ...access, endpoint, credentials: withToken })('Scan', '{}', GENEROUS);
    for (const { request, body } of came) {
      expect(request).toMatchObject({ method: 'POST', url: '/' });
      const { authorization, ...headers } = request.headers;
      expect(authorization).toMatch(/SignedHeaders=content-length;content-type;host;x-amz-/);
      const signed = aws4.sign({ service: 'dynamodb', region: access.region, headers, body }, credentials);
      expect(authorization).toBe(signed.headers?.Authorization);
    }
    const [one, other, last] = came;
    expect(one?.body).toBe('{"Key":"é"}');
    expect(one?.request.headers).toMatchObject({
      host: new URL(endpoint).host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.GetItem',
    });
    expect(one?.request.socket).toBe(other?.request.socket);
    expect(last?.request.headers['x-amz-security-token']).toBe('token');
  });

  it('decodes characters that are split between two parts of the reply', async () => {
    const text = '{"Item":"é😀"}';
    const endpoint = await serve((_request, response) => {
      // In chunks, which stay separate however fast they come.
      for (const byte of Buffer.from(text)) response.write(Buffer.of(byte));
      response.end();
    });
    expect(await connect({ ...access, endpoint })('GetItem', '{}', GENEROUS)).toEqual({ status: 200, text });
  });

  it('is known not to have been sent if nobody listens', async () => {
    const endpoint = await serve(() => {});
    server?.close();
    const sent = connect({ ...access, endpoint })('PutItem', '{}', GENEROUS);
    await expect(sent).rejects.toThrow(NotSent);
    await expect(sent).rejects.toThrow(/not sent: .*ECONNREFUSED/);
  });

  it('may have been sent if the connection, new or kept, was made and then broke, also within the reply', async () => {
    let count = 0;
    const endpoint = await serve((request, response) => {
      count += 1;
      if (count === 2) response.end('{}');
      else if (count === 4) response.writeHead(200, { 'Content-Length': 9 }).write('{', () => request.socket.destroy());
      else request.socket.destroy();
    });
    const send = connect({ ...access, endpoint });
    const put = () => send('PutItem', '{}', GENEROUS).catch((error) => error.name);
    const reply = { status: 200, text: '{}' };
    expect([await put(), await put(), await put(), await put()]).toEqual(['Error', reply, 'Error', 'Error']);
  });

  it('leaves no timer behind, which would later close connections that are idle', async () => {
    const sockets: unknown[] = [];
    const endpoint = await serve(({ socket }, response) => {
      sockets.push(socket);
      response.end('{}');
    });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date', 'queueMicrotask'] });
    const send = connect({ ...access, endpoint });
    for (let time = 0; time < 2; time += 1) {
      await send('GetItem', '{}', 2_500);
      await new Promise((resolve) => setImmediate(resolve));
      jest.advanceTimersByTime(2_500);
    }
    expect(sockets[1]).toBe(sockets[0]);
  });

  it('goes over a new connection after an idle one was silently dropped, and cuts none that works', async () => {
    const held: ServerResponse[] = [];
    const dropped = new Set<unknown>();
    let ignored = 0;
    const endpoint = await serve((request, response) => {
      if (!dropped.has(request.socket)) return void held.push(response);
      ignored += 1;
      if (ignored > 1) response.end('over another connection that was dropped');
    });
    const send = connect({ ...access, endpoint });
    const first = Array.from({ length: 4 }, () => send('GetItem', '{}', GENEROUS));
    await until(() => held.length === 4);
    const slow = held.pop();
    for (const response of held) dropped.add(response.req.socket);
    for (const response of held.splice(0)) response.end('{}');
    await Promise.race([Promise.all(first.slice(0, 3)), Promise.all(first)]);
    await expect(send('GetItem', '{}', 100)).rejects.toThrow('no reply within 100 ms');
    const next = send('GetItem', '{}', GENEROUS);
    await until(() => held.length > 0 || ignored > 1);
    held.pop()?.end('over a new connection');
    slow?.end('not cut');
    expect((await next).text).toBe('over a new connection');
    expect((await Promise.all(first)).map(({ text }) => text).sort()).toEqual(['not cut', '{}', '{}', '{}']);
  });
});
