// Checks that one implementation is the API it stands for, before it is timed: node check.mjs FILE EFFORT.
import assert from 'node:assert/strict';
import { call } from './events.mjs';
import { load, report } from './load.mjs';

const BROWSER = 'application/json, text/plain, */*';

const { name, ours } = JSON.parse(process.argv[3]);
const { handler } = await load();
const expect = async (status, method, path, body, headers) => {
  const answer = await call(handler, method, path, body, headers);
  const sent = `${method} ${path} ${JSON.stringify(headers ?? {})}`;
  assert.equal(answer.status, status, `${name}: ${sent} answers ${answer.status}, not ${status}`);
  return answer;
};

const list = await expect(200, 'GET', '/api/todo');
const [first] = list.content;
assert.deepEqual(list.content, [{ ...first, name: 'Item1', isComplete: false }], name);
const { content: created, headers } = await expect(201, 'POST', '/api/todo', { name: 'a', isComplete: false });
const path = `/api/todo/${created.key}`;
assert.deepEqual(created, { ...first, key: created.key, name: 'a' }, name);
assert.ok(headers.location.endsWith(path), `${name}: Location is ${headers.location}`);
assert.deepEqual((await expect(200, 'GET', path)).content, created, name);
await expect(204, 'PUT', path, { ...created, name: 'b' });
await expect(204, 'PATCH', path, { isComplete: true });
const changed = { ...created, name: 'b', isComplete: true };
assert.deepEqual((await expect(200, 'GET', path)).content, changed, name);
assert.deepEqual((await expect(200, 'GET', '/api/todo')).content, [...list.content, changed], name);
const document = await expect(200, 'GET', '/swagger/v1/swagger.json');
assert.equal(document.content.swagger, '2.0', name);

if (name !== 'bare') await validates();
if (ours) await doesItsDuties();

await expect(204, 'DELETE', path);
for (const method of ['GET', 'DELETE']) await expect(404, method, path);
await expect(404, 'PUT', path, changed);
await expect(404, 'PATCH', path, changed);
await expect(404, 'GET', '/api/nowhere/to/be/found');
assert.deepEqual((await expect(200, 'GET', '/api/todo')).content, list.content, name);
report({});

async function validates() {
  const kept = `/api/todo/${list.content[0].key}`;
  await expect(400, 'POST', '/api/todo', { name: ' ' });
  await expect(400, 'PUT', kept, changed);
  await expect(400, 'PATCH', kept, { isComplete: 'yes' });
}

/** What the service's contract asks beyond that, and the one by hand is written for. */
async function doesItsDuties() {
  const { headers, content } = await expect(404, 'GET', '/api/todo/nobody');
  assert.equal(headers['content-type'], 'application/problem+json', name);
  assert.equal(content.title, 'Not Found', name);
  const invalid = await expect(400, 'PATCH', path, { isComplete: 'yes' });
  assert.equal(invalid.content.errors[0].pointer, '#/isComplete', name);
  const missing = await expect(400, 'POST', '/api/todo');
  assert.match(missing.content.detail, /missing/, name);

  const found = await expect(200, 'GET', path);
  assert.match(found.headers.etag, /^"\d+"$/, name);
  assert.equal(found.headers['x-content-type-options'], 'nosniff', name);
  for (const field of ['If-None-Match', 'if-none-match', 'IF-NONE-MATCH']) {
    await expect(304, 'GET', path, undefined, { [field]: `W/${found.headers.etag}` });
  }
  await expect(412, 'DELETE', path, undefined, { 'If-Match': '"99"' });
  await expect(412, 'PUT', path, changed, { 'if-match': `W/${found.headers.etag}` });
  await expect(412, 'PATCH', path, { isComplete: true }, { 'If-None-Match': '*' });
  await expect(204, 'PATCH', path, { isComplete: true }, { 'If-Match': `"99", ${found.headers.etag}` });
  assert.notEqual((await expect(200, 'GET', path)).headers.etag, found.headers.etag, name);
  await expect(204, 'PUT', path.toUpperCase(), { ...changed, key: changed.key.toUpperCase() });

  const wanted = {
    'text/json': 'text/json',
    'text/*': 'text/',
    [BROWSER]: 'application/json',
    'image/png': 'application/json',
  };
  for (const [accept, type] of Object.entries({ ...wanted, 'application/json;q=0.1, text/json': 'text/json' })) {
    const answer = await expect(200, 'GET', path, undefined, { accept, Accept: accept });
    assert.ok(
      answer.headers['content-type'].startsWith(type),
      `${name}: ${accept} gets ${answer.headers['content-type']}`,
    );
  }
  for (const type of ['Application/JSON; charset=utf-8', 'application/merge-patch+json']) {
    await expect(204, 'PATCH', path, { isComplete: true }, { 'content-type': type });
  }
  await expect(415, 'PATCH', path, { isComplete: true }, { 'content-type': 'text/html' });
  const foreign = { 'sec-fetch-site': 'cross-site' };
  await expect(403, 'POST', '/api/todo', { name: 'a' }, foreign);
  await expect(403, 'DELETE', path, undefined, foreign);
  await expect(200, 'GET', path, undefined, foreign);
  const { etag } = document.headers;
  await expect(304, 'GET', '/swagger/v1/swagger.json', undefined, { 'If-None-Match': `"other", ${etag}` });
}
