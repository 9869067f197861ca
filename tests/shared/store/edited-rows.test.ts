import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sendTo } from '../../../serverless/local/dynamodb.js';
import { challenge } from '../../../shared/http/bearer-token.js';
import type { Authenticate } from '../../../shared/http/message.js';
import { startTables, type Table, type Tables } from '../../support/dynamodb/tables.js';
import { expectStatus } from '../../support/service/answer.js';
import { captureLog } from '../../support/service/log.js';
import { aParcel, PARCELS } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';

let tables: Tables;
let table: Table;
let service: Service;

beforeAll(async () => {
  tables = await startTables();
  table = await tables.create();
  service = startService(undefined, { table, authenticate, logLevel: 'error' });
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => tables.stop());

const authenticate: Authenticate = async (request) => {
  const owner = request.header('authorization');
  if (!owner) return { rejected: challenge(request, 'https://login.example.com') };
  return { caller: { subject: 'the subject', claims: {}, pseudonym: 'pseudonym-7' }, owner };
};

let people = 0;

/** Creates an item in a list of its own, and edits attributes of its row by hand; those that are undefined are removed. */
async function edit(attributes: object) {
  const owner = `the subject ${people++}`;
  const call = (method: string, path: string, more: object = {}, headers: object = {}) =>
    service.call(method, PARCELS + path, { headers: { Authorization: owner, ...headers }, ...more });
  const { key } = (await expectStatus(201, call('POST', '', { body: { label: 'a' } }))).json;
  const send = sendTo(table);
  const keys = { partition: { S: `parcel/items/${owner}` }, key: { S: key } };
  const { Item } = JSON.parse((await send('GetItem', { Key: keys })).text);
  const text = JSON.stringify({ Item: { ...Item, ...attributes } })
    .replaceAll('{key}', key)
    .replaceAll('{KEY}', key.toUpperCase());
  await expectSuccess(send('PutItem', JSON.parse(text)));
  return { key: key as string, call };
}

async function expectSuccess(sending: ReturnType<ReturnType<typeof sendTo>>): Promise<void> {
  const { status, text } = await sending;
  expect([status, text]).toEqual([200, '{}']);
}

const json = (members: object) => ({ item: { S: JSON.stringify({ key: '{key}', ...aParcel(), ...members }) } });

const READS = [
  ['GET', '', {}],
  ['GET', '?limit=1', {}],
  ['GET', '?fragile=true', {}],
  ['GET', '/{id}', {}],
  ['PATCH', '/{id}', { body: { fragile: true } }],
] as const;

const WRITES = [
  ['PUT', '/{id}', { body: { key: '{id}', label: 'b' } }],
  ['DELETE', '/{id}', {}],
] as const;

const REQUEST = { level: 'ERROR', message: 'unhandled exception', caller: 'pseudonym-7' };

describe.each<[string, object, string]>([
  ['is no JSON', { item: { S: '{"label":"secret"' } }, 'it has no JSON object'],
  ['is an array', { item: { S: '["secret"]' } }, 'it has no JSON object'],
  ['is null', { item: { S: 'null' } }, 'it has no JSON object'],
  ['is a number', { item: { S: '7' } }, 'it has no JSON object'],
  ['is of another type of DynamoDB', { item: { M: { label: { S: 'secret' } } } }, 'it has no JSON object'],
  ['has another key', json({ key: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47' }), 'its JSON has another key'],
  ['has its key in other letters', json({ key: '{KEY}' }), 'its JSON has another key'],
  ['has a number for a text', json({ label: 7 }), 'its member label has another type'],
  ['has a text for a number', json({ weight: 'secret' }), 'its member weight has another type'],
  ['has a text for an integer', json({ pieces: '1' }), 'its member pieces has another type'],
  ['has a text for a boolean', json({ fragile: 'secret' }), 'its member fragile has another type'],
  ['has a text for an array', json({ tags: 'secret' }), 'its member tags has another type'],
  ['has an array with another type', json({ sizes: [1, 'secret'] }), 'its member sizes has another type'],
  ['has an object for a text', json({ note: { secret: 1 } }), 'its member note has another type'],
])('an item that was edited by hand and %s', (_what, attributes, reason) => {
  it('makes its list, GET and PATCH 500, and the log names its key, the request and the caller, and has nothing of it', async () => {
    const { key, call } = await edit(attributes);
    const lines = captureLog();
    for (const [method, path, more] of READS) {
      const { json } = await expectStatus(500, call(method, path.replace('{id}', key), more));
      const error = {
        name: 'UnreadableItem',
        message: `the item ${key} can't be read from its row, because ${reason}`,
      };
      const logged = lines.splice(0);
      expect(logged).toMatchObject([{ ...REQUEST, requestId: json.requestId, error }]);
      expect(JSON.stringify([json, logged])).not.toMatch(/secret|the subject/);
    }
  });

  it('has conditions, is replaced by PUT, or by a PATCH of all members, and deleted', async () => {
    const { key, call } = await edit(attributes);
    await expectStatus(304, call('GET', `/${key}`, {}, { 'If-None-Match': '"1"' }));
    for (const [method, path, more] of [...READS.slice(3), ...WRITES])
      await expectStatus(412, call(method, path.replace('{id}', key), withKey(more, key), { 'If-Match': '"2"' }));
    const body = { key, label: 'b' };
    await expectStatus(204, call('PUT', `/${key}`, { body }, { 'If-Match': '"1"' }));
    const { json, headers } = await expectStatus(200, call('GET', `/${key}`));
    expect([json, headers.etag]).toEqual([{ key, ...aParcel({ label: 'b' }) }, '"2"']);
    expect((await expectStatus(200, call('GET', '?after=00000000-0000-7000-8000-000000000000'))).json).toEqual([json]);
    const patched = await edit(attributes);
    // In any order: what is stored has the order of the schema.
    const whole = Object.fromEntries(Object.entries(aParcel({ label: 'c' })).reverse());
    await expectStatus(204, patched.call('PATCH', `/${patched.key}`, { body: whole }));
    const { text } = await expectStatus(200, patched.call('GET', `/${patched.key}`));
    expect(text).toBe(JSON.stringify({ key: patched.key, ...aParcel({ label: 'c' }) }));
    const deleted = await edit(attributes);
    await expectStatus(204, deleted.call('DELETE', `/${deleted.key}`, {}, { 'If-Match': '"1"' }));
    await expectStatus(404, deleted.call('GET', `/${deleted.key}`));
    expect((await expectStatus(200, deleted.call('GET', ''))).json).toMatchObject([{ label: 'first' }]);
  });
});

it.each<[string, object | undefined]>([
  ['is missing', undefined],
  ['is a text', { S: '1' }],
  ['is a fraction', { N: '1.5' }],
  ['is too large to count on', { N: '90071992547409930' }],
])('an item whose version %s makes all that is about it 500, and the log names its key', async (_what, version) => {
  const { key, call } = await edit({ version });
  const lines = captureLog();
  for (const [method, path, more] of [...READS, ...WRITES]) {
    await expectStatus(500, call(method, path.replace('{id}', key), withKey(more, key)));
    const error = { message: `the item ${key} can't be read from its row, because its version is no whole number` };
    expect(lines.pop()).toMatchObject({ ...REQUEST, error });
  }
});

it('a large item that cannot be read is replaced by one of the usual size only', async () => {
  const { key, call } = await edit({ item: { S: 'x'.repeat(404_000) } });
  const put = (length: number) => call('PUT', `/${key}`, { body: { key, label: 'x'.repeat(length) } });
  await expectStatus(413, put(400_000));
  await expectStatus(204, put(399_000));
});

function withKey(more: object, key: string): object {
  return JSON.parse(JSON.stringify(more).replaceAll('{id}', key));
}
