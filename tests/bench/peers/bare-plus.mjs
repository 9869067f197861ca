import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { asset } from './assets.mjs';

// The same by hand with the service's duties, as somebody would write it who knows this one API and its rules well:
// validation, problem details, entity tags and preconditions, Accept, header fields in any letter case, media types of
// bodies, HEAD, and writes from other pages. Not here: capacity, paging, filters, CORS, OPTIONS, prefixes, path templates, codes of
// problems, other gateways. It never answers 503, because its collection is always there: so no answer needs `applied: false`.

const API = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const PROBLEM = { 'Content-Type': 'application/problem+json', ...API };
const TYPES = ['application/json', 'text/plain', 'text/json'];
const records = new Map();
/** The list's entity tags by media type, until it changes. */
const listTags = new Map();

create({ name: 'Item1', isComplete: false });

export async function handler(event) {
  if (event.httpMethod !== 'HEAD') return answer(event, event.httpMethod);
  return { ...answer(event, 'GET'), body: '', isBase64Encoded: false };
}

function answer(event, method) {
  const path = event.path.toLowerCase();
  if (path === '/api/todo' || path === '/api/todo/') {
    if (method === 'GET') return list(event);
    if (method === 'POST') return rejectForeign(event) ?? post(event);
  } else if (path.startsWith('/api/todo/')) {
    const key = path.slice('/api/todo/'.length);
    if (method === 'GET') return get(event, key);
    if (method === 'PUT') return rejectForeign(event) ?? put(event, key);
    if (method === 'PATCH') return rejectForeign(event) ?? patch(event, key);
    if (method === 'DELETE') return rejectForeign(event) ?? remove(event, key);
  } else if (method === 'GET' && path === '/swagger/v1/swagger.json') {
    return serve(event, asset('document'));
  } else if (method === 'GET' && path === '/swagger/ui') {
    const takesGzip = /\bgzip\b/.test(header(event, 'accept-encoding') ?? '');
    return serve(event, asset(takesGzip ? 'page.gzip' : 'page.identity'));
  }
  return problem(event, 404, 'No route matches this method and path.');
}

function list(event) {
  const type = negotiate(header(event, 'accept'));
  if (!listTags.has(type)) listTags.set(type, randomUUID());
  const cached = { 'Cache-Control': 'private, no-cache', ETag: `"${listTags.get(type)}"` };
  const failed = failedPrecondition(event, listTags.get(type));
  if (failed === 'If-None-Match') return { statusCode: 304, headers: { ...API, Vary: 'Accept', ...cached }, body: '' };
  if (failed) return failed;
  return json(
    event,
    200,
    Array.from(records.values(), (record) => record.item),
    cached,
    type,
  );
}

function get(event, key) {
  const record = records.get(key);
  if (!record) return notFound(event);
  const failed = failedPrecondition(event, record.version);
  if (failed === 'If-None-Match') return { statusCode: 304, headers: { ...API, ETag: tag(record) }, body: '' };
  if (failed) return failed;
  return json(event, 200, record.item, { ETag: tag(record) });
}

function post(event) {
  const { rejected, body } = readBody(event);
  if (rejected) return rejected;
  const errors = errorsIn(body.name, body.isComplete ?? false);
  if (errors) return invalid(event, errors);
  const record = create(body);
  return json(event, 201, record.item, { ETag: tag(record), Location: `/api/todo/${record.item.key}` });
}

function put(event, key) {
  const { rejected, body } = readBody(event);
  if (rejected) return rejected;
  const { name, isComplete = false } = body;
  const errors = errorsIn(name, isComplete);
  if (errors) return invalid(event, errors);
  if (typeof body.key !== 'string' || body.key.toLowerCase() !== key) {
    return invalid(event, [{ pointer: '#/key', detail: 'Must be the key in the path.' }]);
  }
  return write(event, key, (record) => replaceItem(record, { key, name, isComplete }));
}

function patch(event, key) {
  const { rejected, body } = readBody(event);
  if (rejected) return rejected;
  const { name, isComplete } = body;
  const errors = errorsIn(name === undefined ? 'kept' : name, isComplete ?? false);
  if (errors) return invalid(event, errors);
  return write(event, key, (record) => {
    const { item } = record;
    const state = isComplete === undefined ? item.isComplete : (isComplete ?? false);
    replaceItem(record, { key, name: name ?? item.name, isComplete: state });
    return { statusCode: 204, headers: { ...API, ETag: tag(record) }, body: '' };
  });
}

function remove(event, key) {
  return write(event, key, () => {
    listTags.clear();
    records.delete(key);
  });
}

function write(event, key, change) {
  const record = records.get(key);
  if (!record) return notFound(event);
  const failed = failedPrecondition(event, record.version);
  if (failed === 'If-None-Match') return problem(event, 412, 'The item is there, which If-None-Match rules out.');
  return failed ?? change(record) ?? { statusCode: 204, headers: API, body: '' };
}

function replaceItem(record, item) {
  listTags.clear();
  record.item = item;
  record.version += 1;
}

function create({ name, isComplete = false }) {
  const record = { item: { key: randomUUID(), name, isComplete }, version: 1 };
  listTags.clear();
  records.set(record.item.key, record);
  return record;
}

function readBody(event) {
  const text = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : event.body;
  if (!text || text.trim() === '') return { rejected: problem(event, 400, 'The body is missing. Send a JSON object.') };
  const type = header(event, 'content-type');
  if (type !== undefined && type !== 'application/json' && !isJson(type)) {
    return { rejected: problem(event, 415, `The body is sent as ${type}. Send it as application/json.`) };
  }
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { body };
  } catch (error) {
    return { rejected: problem(event, 400, `The body is not valid JSON: ${error.message}.`) };
  }
  return { rejected: problem(event, 400, 'The body is not a JSON object.') };
}

function isJson(type) {
  const [essence] = type.toLowerCase().split(';');
  return /^\s*(application\/json|text\/json|[^\s/]+\/[^\s/]+\+json)\s*$/.test(essence);
}

function errorsIn(name, isComplete) {
  const errors = [];
  if (typeof name !== 'string' || !/\S/.test(name)) {
    errors.push({ pointer: '#/name', detail: 'Must be a string with more than white space.' });
  }
  if (typeof isComplete !== 'boolean') errors.push({ pointer: '#/isComplete', detail: 'Must be true or false.' });
  return errors.length > 0 ? errors : undefined;
}

function tag({ version }) {
  return `"${version}"`;
}

/** Serves a whole response, or says that the caller has it already. */
function serve(event, asset) {
  const noneMatch = header(event, 'if-none-match');
  if (noneMatch === undefined || !isAmong(noneMatch, asset.headers.ETag)) return { statusCode: 200, ...asset };
  const { 'Content-Type': _type, 'Content-Encoding': _coding, ...headers } = asset.headers;
  return { statusCode: 304, headers, body: '' };
}

/** Names the precondition that fails (RFC 9110, section 13.2.2), or answers one that is malformed, or a stale tag. */
function failedPrecondition(event, version) {
  const match = header(event, 'if-match');
  const noneMatch = header(event, 'if-none-match');
  if (match !== undefined && match.trim() !== '*') {
    const tags = readTags(match);
    if (!tags) return malformed(event, 'If-Match');
    if (!tags.includes(`"${version}"`)) return problem(event, 412, 'The item has changed: get its new ETag.');
  }
  if (noneMatch === undefined) return undefined;
  if (noneMatch.trim() !== '*' && !readTags(noneMatch)) return malformed(event, 'If-None-Match');
  return isAmong(noneMatch, `"${version}"`) ? 'If-None-Match' : undefined;
}

/** Compares weakly, as If-None-Match does. */
function isAmong(list, tag) {
  return list.trim() === '*' || (readTags(list)?.some((one) => one.replace('W/', '') === tag) ?? false);
}

function readTags(list) {
  const tags = list.split(',').map((one) => one.trim());
  return tags.every((one) => /^(W\/)?"[^"]*"$/.test(one)) ? tags : undefined;
}

function json(event, statusCode, content, headers, type = negotiate(header(event, 'accept'))) {
  const all = { 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept', ...API, ...headers };
  return { statusCode, headers: all, body: JSON.stringify(content) };
}

/** JSON first and without a weight can't be beaten: most clients send that. */
function negotiate(accept) {
  if (accept === undefined || accept === '*/*' || /^application\/json(,|$)/.test(accept)) return TYPES[0];
  const ranges = accept.split(',').map((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { type, quality: weight ? Number(weight.slice(2)) || 0 : 1 };
  });
  const quality = (type) => {
    const wanted = [type, `${type.split('/')[0]}/*`, '*/*'];
    const found = wanted.map((one) => ranges.find((range) => range.type === one)).find(Boolean);
    return found ? found.quality : 0;
  };
  const [best] = [...TYPES].sort((one, other) => quality(other) - quality(one));
  return best;
}

/** Gateways keep the letter case that a client sent, or make it lower. */
function header({ headers }, name) {
  if (!headers) return undefined;
  if (headers[name] !== undefined) return headers[name];
  for (const sent in headers) {
    if (sent.length === name.length && sent.toLowerCase() === name) return headers[sent];
  }
  return undefined;
}

function rejectForeign(event) {
  const site = header(event, 'sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  return problem(event, 403, 'A page of another origin sent this.');
}

function notFound(event) {
  return problem(event, 404, 'No to-do item has this key. Listing the items shows the keys there are.');
}

function malformed(event, field) {
  return problem(event, 400, `${field} is neither * nor a list of entity tags in quotes.`);
}

function invalid(event, errors) {
  return problem(event, 400, 'The body is no valid to-do item: "errors" says why, member by member.', errors);
}

function problem(event, status, detail, errors) {
  const { requestId } = event.requestContext;
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, requestId, errors });
  return { statusCode: status, headers: PROBLEM, body };
}
