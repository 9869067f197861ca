import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { challenge } from '../../../shared/http/bearer-token.js';
import type { Authenticate } from '../../../shared/http/message.js';
import { startTables, type Tables } from '../../support/dynamodb/tables.js';
import { listen } from '../../support/listen.js';
import { expectStatus } from '../../support/service/answer.js';
import { captureLog } from '../../support/service/log.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';

let tables: Tables;
let server: Server;
let service: Service;
let doubled: boolean;
let connections: number;

beforeAll(async () => {
  tables = await startTables();
});

beforeEach(async () => {
  doubled = false;
  connections = 0;
  server = await startDoubling();
  const endpoint = `http://${await listen(server)}`;
  service = startService(undefined, {
    table: { ...(await tables.create()), endpoint },
    authenticate,
    logLevel: 'warn',
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

afterAll(() => tables.stop());

/** Passes requests on to the table. Once `doubled` is set, the next request on a connection gets the reply to the one before it. */
async function startDoubling(): Promise<Server> {
  const last = new Map<Socket, string>();
  const passing = createServer(async (request, response) => {
    const headers = request.headers as Record<string, string>;
    const reply = await fetch(tables.endpoint, { method: 'POST', headers, body: await text(request) });
    const content = await reply.text();
    const sent = `HTTP/1.1 ${reply.status} x\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`;
    const before = last.get(request.socket);
    last.set(request.socket, sent);
    request.socket.write(doubled && before ? before : sent);
    if (before) doubled = false;
    response.detachSocket(request.socket);
  });
  return passing.on('connection', () => {
    connections += 1;
  });
}

const authenticate: Authenticate = async (request) => {
  const subject = request.header('authorization');
  if (!subject) return { rejected: challenge(request, 'https://login.example.com') };
  return { caller: { subject, claims: {}, pseudonym: subject }, owner: subject };
};

const call = (who: string, method: string, path = '', body?: object) =>
  service.call(method, PARCELS + path, { headers: { Authorization: who }, body });

/** Creates an item, and gives it as GET does. */
const create = async (who: string, label: string) => (await expectStatus(201, call(who, 'POST', '', { label }))).json;

const labelsOf = async (who: string) =>
  (await expectStatus(200, call(who, 'GET'))).json.map(({ label }: { readonly label: string }) => label);

const CALLS: readonly (readonly [method: string, path: string, status: number])[] = [
  ['GET', '/{id}', 200],
  ['GET', '', 200],
  ['PUT', '/{id}', 204],
  ['PATCH', '/{id}', 204],
  ['DELETE', '/{id}', 204],
  ['POST', '', 201],
];

it.each(['/{id}', ''].flatMap((before) => CALLS.map((call) => [before, ...call] as const)))(
  "another person's reply (GET %s), when it comes again, does not answer %s %s, and its connection ends",
  async (...row) => {
    const [before, method, path, status] = row;
    const adas = await create('ada', "ada's");
    const bobs = await create('bob', "bob's");
    const lines = captureLog();
    await expectStatus(200, call('ada', 'GET', before.replace('{id}', adas.key)));
    doubled = true;
    const body = method === 'PUT' ? { ...bobs, label: 'new' } : { label: 'new' };
    const answer = await expectStatus(status, call('bob', method, path.replace('{id}', bobs.key), body));
    expect([doubled, connections]).toEqual([false, 2]);
    expect(lines).toMatchObject([{ level: 'WARN', message: 'retrying a call to DynamoDB' }]);
    expect(JSON.stringify([lines, answer.text])).not.toContain("ada's");
    const left = { GET: ["bob's"], POST: ["bob's", 'new'], DELETE: [] }[method] ?? ['new'];
    expect(await labelsOf('bob')).toEqual(['first', ...left]);
    expect(await labelsOf('ada')).toEqual(['first', "ada's"]);
    if (method === 'GET')
      expect(answer.json).toEqual(path ? bobs : [expect.objectContaining({ label: 'first' }), bobs]);
  },
);

it("a reply to another request for the same person's items, when it comes again, answers no other request", async () => {
  captureLog();
  const [one, other] = [await create('ada', 'one'), await create('ada', 'other')];
  await expectStatus(200, call('ada', 'GET', `/${one.key}`));
  doubled = true;
  expect((await expectStatus(200, call('ada', 'GET', `/${other.key}`))).json).toEqual(other);
  await expectStatus(200, call('ada', 'GET', '?limit=1'));
  doubled = true;
  expect((await expectStatus(200, call('ada', 'GET', `?limit=1&after=${one.key}`))).json).toEqual([other]);
  expect([doubled, connections]).toEqual([false, 3]);
});
