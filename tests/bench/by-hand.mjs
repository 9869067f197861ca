// The same API, written by hand by somebody who knows it well. It validates, answers with problem details, keeps versions, checks conditions, and
// rejects writes of other pages. It lacks pages of lists, limits, Accept, CORS, HEAD, prefixes, other gateways, documents and the page.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const LIST = '/api/todo';
const first = { key: randomUUID(), name: 'Item1', isComplete: false };
const records = new Map([[first.key, { item: first, version: 1 }]]);
let listVersion = 0;

export async function handler(event) {
  const path = event.path.toLowerCase();
  if (path === LIST) return (event.httpMethod === 'POST' ? guarded(post) : list)(event);
  const operation = { GET: get, PUT: guarded(put), PATCH: guarded(patch), DELETE: guarded(remove) }[event.httpMethod];
  if (!operation || !path.startsWith(`${LIST}/`)) return problem(event, 404, 'No route matches.');
  return operation(event, path.slice(LIST.length + 1));
}

export const list = (event) =>
  answer(event, `"${listVersion}"`, 200, () => Array.from(records.values(), ({ item }) => item));

export const get = (event, key) =>
  ofRecord(event, key, (record) => answer(event, tagOf(record), 200, () => record.item));

export const post = (event) =>
  withMembers(event, ({ name, isComplete = false }) => {
    const record = { item: { key: randomUUID(), name, isComplete }, version: 1 };
    records.set(record.item.key, record);
    listVersion += 1;
    const Location = `/live${LIST}/${record.item.key}`;
    return answer(event, tagOf(record), 201, () => record.item, { Location });
  });

export const put = (event, key) =>
  withMembers(event, ({ key: sent, name, isComplete = false }) => {
    if (sent !== key) return problem(event, 400, 'The key is not the one in the path.');
    return ofRecord(event, key, (record) => write(record, { key, name, isComplete }));
  });

export const patch = (event, key) =>
  ofRecord(event, key, (record) => withMembers(event, (members) => write(record, { ...members, key }), record.item));

export const remove = (event, key) =>
  ofRecord(event, key, () => {
    records.delete(key);
    listVersion += 1;
    return { statusCode: 204, headers: HEADERS, body: '' };
  });

/** Lets an operation reject what pages of other origins send. */
export const guarded = (operation) => (event, key) =>
  /^(same-origin|none|undefined)$/.test(header(event, 'sec-fetch-site'))
    ? operation(event, key)
    : problem(event, 403, 'A page of another origin sent this.');

function ofRecord(event, key, operation) {
  const record = records.get(key);
  if (!record) return problem(event, 404, 'No item has this key.');
  const expected = header(event, 'if-match') ?? '*';
  const isExpected = expected === '*' || expected.split(',').some((tag) => tag.trim() === tagOf(record));
  return isExpected ? operation(record) : problem(event, 412, 'The item has changed.');
}

function write(record, item) {
  record.item = item;
  record.version += 1;
  listVersion += 1;
  return { statusCode: 204, headers: { ...HEADERS, ETag: tagOf(record) }, body: '' };
}

function withMembers(event, operation, former = {}) {
  const type = header(event, 'content-type') ?? 'application/json';
  if (!/^(application|text)\/(.*\+)?json\s*(;|$)/i.test(type)) return problem(event, 415, `${type} is not JSON.`);
  const text = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : event.body;
  try {
    const members = { ...former, ...JSON.parse(text) };
    const isValid = typeof members.name === 'string' && /\S/.test(members.name);
    if (isValid && typeof (members.isComplete ?? false) === 'boolean') return operation(members);
    return problem(event, 400, 'name is a text, and isComplete is true or false.');
  } catch {
    return problem(event, 400, 'The body is no JSON object.');
  }
}

function answer(event, ETag, statusCode, content, more) {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...HEADERS, ETag, ...more };
  if (header(event, 'if-none-match') === ETag) return { statusCode: 304, headers: { ...HEADERS, ETag }, body: '' };
  return { statusCode, headers, body: JSON.stringify(content()) };
}

function problem({ requestContext: { requestId } }, status, detail) {
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, requestId });
  return { statusCode: status, headers: { 'Content-Type': 'application/problem+json', ...HEADERS }, body };
}

const tagOf = ({ version }) => `"${version}"`;

/** Finds a header field in any letter case, because gateways keep the client's. */
function header({ headers }, name) {
  for (const sent in headers) if (sent.length === name.length && sent.toLowerCase() === name) return headers[sent];
  return undefined;
}
