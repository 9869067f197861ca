import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { startOffline, urlOf } from '../support/offline.js';

const EVENT = JSON.stringify({ httpMethod: 'POST', path: '/api/todo', headers: {}, body: '{"name":"by an event"}' });
const EVENTS = '/2015-03-31/functions/todo-item-service-dev-api/invocations';
let port: number;
let eventPort: number;
let service: ChildProcessWithoutNullStreams;

beforeAll(async () => {
  [port, eventPort] = [await freePort(), await freePort()];
  // An empty variable is none.
  service = startOffline({ TABLE_NAME: '' }, '--httpPort', String(port), '--lambdaPort', String(eventPort));
  expect(await urlOf(service)).toBe(`http://127.0.0.1:${port}`);
});

// It ends on Ctrl-C.
afterAll(async () => {
  service.kill('SIGINT');
  expect(await once(service, 'exit')).toEqual([0, null]);
});

/** Sends a request as it stands, and gives status, head and body of the answer. */
async function send(request: string, headers: readonly string[], body = '', at = port) {
  const socket = connect(at, '127.0.0.1');
  const fields = [...headers, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  socket.write([`${request} HTTP/1.1`, ...fields, '', body].join('\r\n'));
  const [head = '', content = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: content };
}

const host = () => `Host: localhost:${port}`;
const JSON_TYPE = 'Content-Type: application/json';

describe('a page', () => {
  it('of the service itself reads and writes', async () => {
    const own = [host(), `Origin: http://localhost:${port}`, 'Sec-Fetch-Site: same-origin', JSON_TYPE];
    expect(await send('POST /api/todo', own, '{"name":"own"}')).toMatchObject({ status: 201 });
    expect(await send('GET /api/todo', own)).toMatchObject({ status: 200, body: expect.stringContaining('"own"') });
  });

  it.each(['https://evil.example', 'null'])('of another origin (%s) reads nothing', async (origin) => {
    const { status, head } = await send('GET /api/todo', [host(), `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site']);
    expect([status, head]).toEqual([200, expect.not.stringMatching(/access-control-allow/i)]);
  });

  it('of another origin writes nothing', async () => {
    const foreign = [host(), 'Origin: https://evil.example', 'Sec-Fetch-Site: cross-site', JSON_TYPE];
    expect(await send('POST /api/todo', foreign, '{"name":"foreign"}')).toMatchObject({ status: 403 });
  });

  it.each(['evil.example', 'evillocalhost', 'localhost.evil.example', '127.0.0.1.evil.example', '169.254.1.1'])(
    'under a name that was led here (%s) reads nothing',
    async (name) => {
      for (const more of [[], ['Expect: 100-continue']])
        expect(await send('GET /api/todo', [`Host: ${name}`, ...more])).toMatchObject({ status: 403 });
    },
  );

  it.each([
    'Origin: null',
    'Origin: https://evil.example',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-origin',
  ])('sends no event to the function (%s)', async (field) => {
    const sent = await send(`POST ${EVENTS}`, [host(), field, 'Content-Type: text/plain'], EVENT, eventPort);
    expect(sent).toMatchObject({ status: 403, body: expect.not.stringContaining('201') });
  });
});

it('takes an event from a program', async () => {
  const sent = await send(`POST ${EVENTS}`, [host(), 'Content-Type: text/plain'], EVENT, eventPort);
  expect(sent).toMatchObject({ status: 200, body: expect.stringContaining('"statusCode":201') });
});

it.each(['localhost', 'LOCALHOST:1', 'app.localhost', '127.0.0.1', '[::1]:80'])('answers as %s', async (name) => {
  expect(await send('GET /api/todo', [`Host: ${name}`])).toMatchObject({ status: 200 });
});

it.each([[[]], [['Host: localhost', 'Host: localhost']], [['Host: localhost', 'Host: evil.example']]])(
  'answers 400 to the Host fields %j',
  async (fields) => {
    expect(await send('GET /api/todo', fields)).toMatchObject({ status: 400 });
  },
);

describe('ends with a sentence', () => {
  it.each([
    ['about a wrong variable', { CORS_ORIGINS: 'x' }, /corsOrigins \(CORS_ORIGINS\) has "x": name/],
    ['about what is no port', { PORT: 'http' }, /Port http can't be used/],
  ])('%s', async (_, variables, sentence) => {
    await expectEnd(startOffline({ PORT: String(await freePort()), ...variables }), sentence);
  });

  it('about a taken port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: taken } = other.address() as { port: number };
    await expectEnd(
      startOffline({ PORT: String(taken) }),
      new RegExp(`Port ${taken} can't be used \\(EADDRINUSE\\).*PORT=4000`),
    );
    other.close();
  });

  async function expectEnd(child: ChildProcessWithoutNullStreams, sentence: RegExp): Promise<void> {
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect([printed, code]).toEqual([expect.stringMatching(sentence), 1]);
  }
});
