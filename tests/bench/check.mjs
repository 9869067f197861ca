import assert from 'node:assert/strict';
import { call } from './events.mjs';

const LIST = '/api/todo';
const DOCUMENT = '/swagger/v1/swagger.json';
const PAGE = '/swagger/ui';
const GZIP_MAGIC = 'H4sI';

/** Checks that a handler answers as the API does; whether it validates bodies, and has all of the service's duties. */
export async function check(handler, { validates, all }) {
  const expect = async (status, ...request) => {
    const answer = await call(handler, ...request);
    assert.equal(answer.status, status, `${JSON.stringify(request)} answers ${answer.status}: ${answer.body}`);
    return answer;
  };

  const { content: items } = await expect(200, 'GET', LIST);
  const [first] = items;
  assert.deepEqual(items, [{ key: first.key, name: 'Item1', isComplete: false }]);
  const { content: created, headers } = await expect(201, 'POST', LIST, { name: 'a', isComplete: false });
  const path = `${LIST}/${created.key}`;
  assert.deepEqual(created, { ...first, key: created.key, name: 'a' });
  assert.ok(headers.location.endsWith(path), `Location is ${headers.location}`);
  assert.deepEqual((await expect(200, 'GET', path)).content, created);
  const changed = { ...created, name: 'b', isComplete: true };
  await expect(204, 'PUT', path, { ...created, name: 'b' });
  await expect(204, 'PATCH', path, { isComplete: true });
  assert.deepEqual((await expect(200, 'GET', path)).content, changed);
  assert.deepEqual((await expect(200, 'GET', LIST)).content, [first, changed]);
  assert.equal((await expect(200, 'GET', DOCUMENT)).content.swagger, '2.0');
  const page = await expect(200, 'GET', PAGE);
  assert.ok(page.isBase64Encoded && page.body.startsWith(GZIP_MAGIC), 'the page is not compressed');
  assert.equal(page.headers['content-encoding'], 'gzip');

  if (validates) {
    await expect(400, 'POST', LIST, { name: ' ' });
    await expect(400, 'PUT', `${LIST}/${first.key}`, changed);
    await expect(400, 'PATCH', `${LIST}/${first.key}`, { isComplete: 'yes' });
  }
  if (all) await checkDuties(expect, path, changed);

  await expect(204, 'DELETE', path);
  for (const method of ['GET', 'DELETE']) await expect(404, method, path);
  for (const method of ['PUT', 'PATCH']) await expect(404, method, path, changed);
  await expect(404, 'GET', '/api/nowhere/to/be/found');
  assert.deepEqual((await expect(200, 'GET', LIST)).content, [first]);
}

/** Checks the duties that only the service and bare+ have. */
async function checkDuties(expect, path, item) {
  const missing = await expect(404, 'GET', `${LIST}/nobody`);
  assert.equal(missing.headers['content-type'], 'application/problem+json');
  assert.equal(missing.content.title, 'Not Found');
  assert.equal((await expect(404, 'HEAD', `${LIST}/nobody`)).body, '');
  assert.equal((await expect(200, 'HEAD', path)).body, '');
  const invalid = await expect(400, 'PATCH', path, { isComplete: 'yes' });
  assert.equal(invalid.content.errors[0].pointer, '#/isComplete');
  assert.match((await expect(400, 'POST', LIST)).content.detail, /missing/);

  const { etag } = (await expect(200, 'GET', path)).headers;
  const documentTag = (await expect(200, 'GET', DOCUMENT)).headers.etag;
  const foreign = { 'sec-fetch-site': 'cross-site' };
  const patch = { isComplete: true };
  const expectations = [
    [304, 'GET', path, undefined, { 'If-None-Match': `W/${etag}` }],
    [304, 'GET', path, undefined, { 'IF-NONE-MATCH': etag }],
    [304, 'GET', DOCUMENT, undefined, { 'if-none-match': `"other", ${documentTag}` }],
    [200, 'GET', PAGE, undefined, { 'Accept-Encoding': 'identity' }],
    [412, 'DELETE', path, undefined, { 'If-Match': '"99"' }],
    [412, 'PUT', path, item, { 'if-match': `W/${etag}` }],
    [412, 'PATCH', path, patch, { 'If-None-Match': '*' }],
    [400, 'PUT', path, item, { 'If-Match': 'unquoted' }],
    [204, 'PUT', path.toUpperCase(), { ...item, key: item.key.toUpperCase() }, { 'If-Match': `"99", ${etag}` }],
    [204, 'PATCH', path, patch, { 'content-type': 'application/merge-patch+json' }],
    [204, 'PATCH', path, patch, { 'content-type': 'Application/JSON; charset=utf-8' }],
    [415, 'PATCH', path, patch, { 'content-type': 'text/html' }],
    [403, 'POST', LIST, { name: 'a' }, foreign],
    [403, 'DELETE', path, undefined, foreign],
    [200, 'GET', path, undefined, foreign],
  ];
  for (const one of expectations) await expect(...one);
  const patched = await expect(204, 'PATCH', path, patch);
  assert.equal((await expect(200, 'GET', path)).headers.etag, patched.headers.etag);
  assert.notEqual(patched.headers.etag, etag);

  const types = {
    'text/json': /^text\/json/,
    'text/*': /^text\//,
    'image/png': /^application\/json/,
    'application/json;q=0.1, text/json': /^text\/json/,
  };
  for (const [Accept, type] of Object.entries(types)) {
    assert.match((await expect(200, 'GET', path, undefined, { Accept })).headers['content-type'], type);
  }
}
