import { call } from './events.mjs';

const LIST = '/api/todo';
const ITEM = '/api/todo/KEY';
const WHOLE = { key: 'KEY', name: 'b', isComplete: true };
const FOREIGN = { 'sec-fetch-site': 'cross-site' };
const NONE = undefined;

/** What all implementations answer alike. KEY is that of the item that the second request creates. */
const REQUESTS = [
  ['GET', LIST],
  ['POST', LIST, { name: 'a', isComplete: false }],
  ['POST', LIST, { name: ' ' }],
  ['PUT', ITEM, WHOLE],
  ['PUT', ITEM, { ...WHOLE, key: 'another' }],
  ['PATCH', ITEM, { isComplete: 'yes' }],
  ['PATCH', ITEM, { isComplete: false }],
  ['GET', ITEM],
  ['GET', LIST],
  ['GET', '/swagger/v1/swagger.json'],
  ['GET', '/swagger/ui'],
  ['GET', '/api/nowhere/to/be/found'],
];

/** What only the service and bare+ have. The item is at its third version. */
const DUTIES = [
  ['HEAD', ITEM],
  ['GET', LIST, NONE, { 'If-None-Match': '*' }],
  ['GET', LIST, NONE, { 'If-Match': '"99"' }],
  ['GET', ITEM, NONE, { 'If-None-Match': 'W/"3"' }],
  ['GET', ITEM, NONE, { 'IF-NONE-MATCH': '"1", "3"' }],
  ['GET', '/swagger/v1/swagger.json', NONE, { 'if-none-match': '*' }],
  ['GET', '/swagger/ui', NONE, { 'Accept-Encoding': 'identity' }],
  ['DELETE', ITEM, NONE, { 'If-Match': '"99"' }],
  ['PUT', ITEM, WHOLE, { 'if-match': 'W/"3"' }],
  ['PUT', ITEM, WHOLE, { 'If-Match': 'unquoted' }],
  ['PATCH', ITEM, WHOLE, { 'If-None-Match': '*' }],
  ['PATCH', ITEM, WHOLE, { 'content-type': 'text/html' }],
  ['PATCH', ITEM, WHOLE, { 'content-type': 'Application/JSON; charset=utf-8' }],
  ['PATCH', '/API/todo/KEY', WHOLE, { 'content-type': 'application/merge-patch+json', 'If-Match': '"99", "4"' }],
  ['POST', LIST],
  ['POST', LIST, { name: 'a' }, FOREIGN],
  ['GET', ITEM, NONE, FOREIGN],
  ['GET', ITEM, NONE, { Accept: 'text/*' }],
  ['GET', ITEM, NONE, { Accept: 'image/png' }],
  ['GET', ITEM, NONE, { Accept: 'application/json;q=0.1, text/json' }],
];

const GONE = ['DELETE', 'GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, ITEM, /^P/.test(method) && WHOLE]);

/**
 * Sends the same requests to every handler, so that their answers can be compared.
 *
 * @param {boolean} hasAllDuties - Whether it also gets those about the service's other duties, and answers with its header fields.
 * @returns {Promise<string[]>} Each request with its answer, without the keys of items.
 */
export async function answersOf(handler, hasAllDuties) {
  const lines = [];
  let key;
  for (const [method, path, body, more] of [...REQUESTS, ...(hasAllDuties ? DUTIES : []), ...GONE]) {
    const members = body && { ...body, ...(body.key === 'KEY' && { key }) };
    const { status, headers, content } = await call(handler, method, path.replace('KEY', key), members, more);
    if (status === 201) key = content.key;
    const { location, etag, 'content-type': type } = headers;
    const text = status < 400 ? JSON.stringify(content ?? '') : '';
    const answer = [status, location?.replace('/live', ''), text.length, text.slice(0, 200)];
    if (hasAllDuties)
      answer.push(
        type,
        // Each makes the tag of a list in its own way.
        path === LIST ? Boolean(etag) : etag,
        content?.title,
        content?.errors?.map(({ pointer }) => pointer),
      );
    lines.push(JSON.stringify([method, path, body, more, answer]).replace(/[\da-f]{8}-[\da-f-]{27}/g, 'KEY'));
  }
  return lines;
}
