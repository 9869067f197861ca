import dns from 'node:dns';
import { on, once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import aws4 from 'aws4';
import dynalite from 'dynalite';
import { connect, NotSent } from '../../../shared/dynamodb/send.js';
import { listen } from '../../support/listen.js';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
const access = { region: 'eu-central-1', credentials };
/** As long as a busy machine may take. */
const GENEROUS = 50_000;

let server: Server;

beforeEach(() => {
  server = createServer();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

async function serve(listener?: RequestListener): Promise<string> {
  server = createServer(listener);
  return `http://${await listen(server)}`;
}

describe('a request to DynamoDB', () => {
  it('is not sent to a server with an untrusted certificate, and is given up after the time-out', async () => {
    server = dynalite({ ssl: true });
    const send = connect({ ...access, endpoint: `https://${await listen(server)}` });
    const sent = send('ListTables', '{}', GENEROUS);
    await expect(sent).rejects.toThrow(/certificate/);
    await expect(sent).rejects.toThrow(NotSent);
    await expect(send('ListTables', '{}', 0)).rejects.toThrow('no reply within 0 ms');
  });

  it.each<[string, number, (socket: Socket) => void]>([
    ['is broken off', GENEROUS, (socket) => socket.destroy()],
    ['is never done', 200, () => {}],
  ])('is known not to have been sent if the TLS handshake %s', async (_how, timeout, shake) => {
    const raw = createTcpServer((socket) => socket.once('data', () => shake(socket)));
    const endpoint = `https://${await listen(raw)}`;
    await expect(connect({ ...access, endpoint })('PutItem', '{}', timeout)).rejects.toThrow(NotSent);
    raw.close();
  });

  it('may have been sent if the connection broke after the TLS handshake', async () => {
    server = dynalite({ ssl: true });
    server.removeAllListeners('request').on('request', ({ socket }) => socket.destroy());
    const { Agent } = https;
    const trusting = { rejectUnauthorized: false };
    jest.spyOn(https, 'Agent').mockImplementation((options) => new Agent({ ...options, ...trusting }));
    const sent = connect({ ...access, endpoint: `https://${await listen(server)}` })('PutItem', '{}', GENEROUS);
    await expect(sent).rejects.toThrow('socket hang up');
    await expect(sent).rejects.not.toThrow(NotSent);
    jest.restoreAllMocks();
  });

  it('is signed as a whole, and shares its connection with the next one', async () => {
    const came: { request: IncomingMessage; body: string }[] = [];
    const endpoint = await serve(async (request, response) => {
      came.push({ request, body: await text(request) });
      response.writeHead(418);
      // In chunks, which stay separate however fast they come, and split characters.
      for (const byte of Buffer.from('{"Item":"é😀"}')) response.write(Buffer.of(byte));
      response.end();
    });
    const send = connect({ ...access, endpoint });
    expect(await send('GetItem', '{"Key":"é"}', GENEROUS)).toMatchObject({ status: 418, text: '{"Item":"é😀"}' });
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

  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

  (hasIpv6 ? it : it.skip)('goes to an address of IPv6', async () => {
    server = createServer((request, response) => response.end(request.headers.host)).listen(0, '::1');
    await once(server, 'listening');
    const host = `[::1]:${(server.address() as AddressInfo).port}`;
    const send = connect({ ...access, endpoint: `http://${host}` });
    expect(await send('GetItem', '{}', GENEROUS)).toMatchObject({ text: host });
  });

  it('is known not to have been sent if no address of the host can be reached, and names each', async () => {
    const endpoint = (await serve()).replace('127.0.0.1', 'table.test');
    server.close();
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    const lookup = (_host: string, _options: object, found: (...result: unknown[]) => void) => found(null, addresses);
    jest.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
    const sent = connect({ ...access, endpoint })('PutItem', '{}', GENEROUS);
    await expect(sent).rejects.toThrow(NotSent);
    await expect(sent).rejects.toThrow(/^not sent: .*ECONNREFUSED 127.0.0.1:\d+, .*ECONNREFUSED 127.0.0.2:\d+$/);
  });

  it.each([{ accessKeyId: 'id\n' }, { sessionToken: '€' }])(
    'is not sent if no header field can carry %j, and another attempt would not help',
    async (wrong) => {
      const endpoint = await serve((_request, response) => response.end('{}'));
      const sent = connect({ ...access, endpoint, credentials: { ...credentials, ...wrong } })(
        'PutItem',
        '{}',
        GENEROUS,
      );
      await expect(sent).rejects.toMatchObject({ name: 'NotSent', isLasting: true });
    },
  );

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
    expect([await put(), await put(), await put(), await put()]).toMatchObject(['Error', reply, 'Error', 'Error']);
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

  it('goes over a new connection after one got no reply, as idle ones may be dropped, too, and cuts none that works', async () => {
    const endpoint = await serve();
    const requests = on(server, 'request') as AsyncIterableIterator<[IncomingMessage, ServerResponse]>;
    const send = connect({ ...access, endpoint });
    const came = async () => ((await requests.next()).value as [IncomingMessage, ServerResponse])[1];
    const one = send('GetItem', '{}', GENEROUS);
    const first = await came();
    const working = send('GetItem', '{}', GENEROUS);
    const second = await came();
    const other = send('GetItem', '{}', GENEROUS);
    const third = await came();
    for (const response of [first, third]) response.end('{}');
    await Promise.all([one, other]);
    await expect(send('GetItem', '{}', 100)).rejects.toThrow('no reply within 100 ms');
    const next = send('GetItem', '{}', GENEROUS);
    await came();
    const last = await came();
    for (const { req } of [first, second, third]) expect(last.req.socket).not.toBe(req.socket);
    last.end('over a new connection');
    second.end('not cut');
    expect([(await next).text, (await working).text]).toEqual(['over a new connection', 'not cut']);
  });
});
