import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import LocalPlugin from '../../serverless/local.cjs';
import { COLLECTION, MEMBERS } from '../support/collection.js';
import { startTables, type Table, type Tables } from '../support/dynamodb/tables.js';
import { freePort } from '../support/listen.js';
import { type Offline, startOffline } from '../support/offline.js';

const EVENT = JSON.stringify({ httpMethod: 'POST', path: COLLECTION, headers: {}, body: MEMBERS });
const EVENTS = '/2015-03-31/functions/todo-item-service-dev-api/invocations';
const JSON_TYPE = 'Content-Type: application/json';
const TEXT_TYPE = 'Content-Type: text/plain';
let tables: Tables;
let table: Table;
let service: Offline;
let port: number;
let eventPort: number;

beforeAll(async () => {
  tables = await startTables();
  table = await tables.create();
  eventPort = await freePort();
  const options = ['--host', '0.0.0.0', '--lambdaPort', String(eventPort)];
  service = await startOffline({ ...table.environment, TOKEN_ISSUER: '', LIST_BY: '' }, ...options);
  port = Number(new URL(service.url).port);
});

// It ends on Ctrl-C.
afterAll(async () => {
  if (service) expect(await service.stop('SIGINT')).toEqual([0, null]);
  await tables.stop();
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
    const members = expect.stringContaining(MEMBERS.slice(1, -1));
    expect(await send(`GET ${COLLECTION}`, own)).toMatchObject({ status: 200, body: members });
  });

  it.each(['https://evil.example', 'null'])('of another origin (%s) reads and writes nothing', async (origin) => {
    const foreign = [host(), `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site', JSON_TYPE];
    const { status, head } = await send(`GET ${COLLECTION}`, foreign);
    expect([status, head]).toEqual([200, expect.not.stringMatching(/access-control-allow/i)]);
    expect(await send(`POST ${COLLECTION}`, foreign, MEMBERS)).toMatchObject({ status: 403 });
  });

  it.each(['evil.example', 'evillocalhost', 'localhost.evil.example', '127.0.0.1.evil.example', '169.254.1.1'])(
    'under a name that leads to this machine (%s) gets no answer, and changes nothing',
    async (name) => {
      const before = await list();
      const key = JSON.parse(before).at(-1).key;
      for (const request of [`GET ${COLLECTION}`, `POST ${COLLECTION}`, `DELETE ${COLLECTION}/${key}`])
        for (const more of [[], ['Expect: 100-continue']])
          expect(await send(request, [`Host: ${name}`, JSON_TYPE, ...more], MEMBERS)).toMatchObject({ status: 0 });
      expect(await list()).toBe(before);
      expect(service.printed()).toMatch(`Refused a request to "${name}", because`);
    },
  );

  it.each(['Origin: null', 'Sec-Fetch-Site: same-origin'])('sends no event to the function (%s)', async (field) => {
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

it('prints where it can be called and where its table is, and each request on one line', async () => {
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(service.printed()).toMatch(`\nTable ${table.name} in eu-central-1, at ${table.endpoint}\n`);
  await send('GET /nowhere', [host()]);
  const entry =
    /\{ event: 'request', requestId: '[^']+', method: 'GET', status: 404, code: 'no-route', duration: \d+, .*}\n/;
  expect(service.printed()).toMatch(entry);
});

it('ends with a sentence about a wrong variable', async () => {
  const sentence = /ended with 1 .*corsOrigins \(CORS_ORIGINS\) has "x"/s;
  await expect(startOffline({ CORS_ORIGINS: 'x' }).then(({ stop }) => stop())).rejects.toThrow(sentence);
});

it.each([
  ['is taken', () => String(port), 'EADDRINUSE'],
  ['is no number', () => 'http', 'ERR_SOCKET_BAD_PORT'],
  ['is empty', () => '', 'ERR_SOCKET_BAD_PORT'],
])('says that the port cannot be used if it %s', async (_, readPort, code) => {
  const httpPort = readPort();
  const custom = { 'serverless-offline': { host: '0.0.0.0', httpPort: 3000 } };
  const { hooks } = new LocalPlugin({ classes: { Error }, service: { custom } }, { httpPort });
  const sentence = `Port ${httpPort} can't be used (${code}). To use another one, run PORT=4000 npm start`;
  await expect(hooks['before:offline:start']()).rejects.toThrow(sentence);
});
