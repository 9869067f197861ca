import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COLLECTION, MEMBERS } from '../support/collection.js';
import { freePort } from '../support/free-port.js';
import { startOffline, urlOf } from '../support/offline.js';

const EVENT = JSON.stringify({ httpMethod: 'POST', path: COLLECTION, headers: {}, body: MEMBERS });
const EVENTS = '/2015-03-31/functions/todo-item-service-dev-api/invocations';
const JSON_TYPE = 'Content-Type: application/json';
const TEXT_TYPE = 'Content-Type: text/plain';
let port: number;
let eventPort: number;
let service: ChildProcessWithoutNullStreams;
let exit: Promise<unknown[]>;

beforeAll(async () => {
  [port, eventPort] = [await freePort(), await freePort()];
  // An empty variable is none.
  service = startOffline({ TABLE_NAME: '' }, '--httpPort', String(port), '--lambdaPort', String(eventPort));
  exit = once(service, 'exit');
  expect(await urlOf(service)).toBe(`http://127.0.0.1:${port}`);
});

// It ends on Ctrl-C.
afterAll(async () => {
  service.kill('SIGINT');
  const late = setTimeout(() => service.kill('SIGKILL'), 60_000);
  expect(await exit).toEqual([0, null]);
  clearTimeout(late);
});

/** Sends a request as it stands, and gives status, head and body of the answer: status 0 if the connection ends without one. */
async function send(request: string, headers: readonly string[], body = '', at = port) {
  const socket = connect(at, '127.0.0.1');
  const fields = [...headers, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  socket.write([`${request} HTTP/1.1`, ...fields, '', body].join('\r\n'));
  const [head = '', content = ''] = (await text(socket).catch(() => '')).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1] ?? 0), head, body: content };
}

const host = () => `Host: localhost:${port}`;
const list = async () => (await send(`GET ${COLLECTION}`, [host()])).body;

describe('a page', () => {
  it('of the service itself reads and writes', async () => {
    const own = [host(), `Origin: http://localhost:${port}`, 'Sec-Fetch-Site: same-origin', JSON_TYPE];
    expect(await send(`POST ${COLLECTION}`, own, MEMBERS)).toMatchObject({ status: 201 });
    expect(await send(`GET ${COLLECTION}`, own)).toMatchObject({
      status: 200,
      body: expect.stringContaining(MEMBERS.slice(1, -1)),
    });
  });

  it.each(['https://evil.example', 'null'])('of another origin (%s) reads and writes nothing', async (origin) => {
    const foreign = [host(), `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site', JSON_TYPE];
    const { status, head } = await send(`GET ${COLLECTION}`, foreign);
    expect([status, head]).toEqual([200, expect.not.stringMatching(/access-control-allow/i)]);
    expect(await send(`POST ${COLLECTION}`, foreign, MEMBERS)).toMatchObject({ status: 403 });
  });

  it.each(['evil.example', 'evillocalhost', 'localhost.evil.example', '127.0.0.1.evil.example', '169.254.1.1'])(
    'under a name that was led here (%s) gets no answer, and changes nothing',
    async (name) => {
      const before = await list();
      const key = JSON.parse(before).at(-1).key;
      for (const request of [`GET ${COLLECTION}`, `POST ${COLLECTION}`, `DELETE ${COLLECTION}/${key}`])
        for (const more of [[], ['Expect: 100-continue']])
          expect(await send(request, [`Host: ${name}`, JSON_TYPE, ...more], MEMBERS)).toMatchObject({
            status: 0,
          });
      expect(await list()).toBe(before);
    },
  );

  it.each([
    'Origin: null',
    'Origin: https://evil.example',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-origin',
  ])('sends no event to the function (%s)', async (field) => {
    const before = await list();
    expect(await send(`POST ${EVENTS}`, [host(), field, TEXT_TYPE], EVENT, eventPort)).toMatchObject({ status: 0 });
    expect(await list()).toBe(before);
  });
});

it('takes an event from a program', async () => {
  const sent = await send(`POST ${EVENTS}`, [host(), TEXT_TYPE], EVENT, eventPort);
  expect(sent).toMatchObject({ status: 200, body: expect.stringContaining('"statusCode":201') });
});

it.each(['localhost', 'LOCALHOST:1', 'app.localhost', '127.0.0.1', '[::1]:80'])('answers as %s', async (name) => {
  expect(await send(`GET ${COLLECTION}`, [`Host: ${name}`])).toMatchObject({ status: 200 });
});

it('says where it can be called, where its table is, and in a line what it has refused', async () => {
  const at = await freePort();
  const variables = { TABLE_NAME: 'items', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const other = startOffline({ ...variables, PORT: String(at) }, '--host', '0.0.0.0');
  const printed = Promise.all([text(other.stdout), text(other.stderr)]);
  const url = await urlOf(other);
  expect(url).toBe(`http://127.0.0.1:${at}`);
  await send(`POST ${COLLECTION}`, ['Host: evil.example', JSON_TYPE], MEMBERS, at);
  other.kill('SIGTERM');
  const [output, errors] = await printed;
  expect(output).toMatch(/^Table items in eu-central-1, at http:\/\/127\.0\.0\.1:9$/m);
  expect(errors.split('Server ready')[1]).toMatch(
    new RegExp(`^.*\\nRefused .*evil\\.example.* Call ${url} instead\\.\\s*$`),
  );
});

describe('ends with a sentence', () => {
  it.each([
    ['about a wrong variable', { CORS_ORIGINS: 'x' }, /corsOrigins \(CORS_ORIGINS\) has "x"/],
    ['about what is no port', { PORT: 'http' }, /Port http can't be used/],
  ])('%s', async (_, variables, sentence) => {
    await expectEnd(startOffline({ PORT: String(await freePort()), ...variables }), sentence);
  });

  it('about a taken port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: taken } = other.address() as { port: number };
    const sentence = new RegExp(`Port ${taken} can't be used \\(EADDRINUSE\\).*PORT=4000`);
    await expectEnd(startOffline({ PORT: String(taken) }), sentence);
    other.close();
  });

  async function expectEnd(child: ChildProcessWithoutNullStreams, sentence: RegExp): Promise<void> {
    const patience = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    clearTimeout(patience);
    expect([printed, code]).toEqual([expect.stringMatching(sentence), 1]);
  }
});
