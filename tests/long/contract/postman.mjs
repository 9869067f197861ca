import { deepEqual } from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { documents, here, runTool, startService } from './service.mjs';

/**
 * Makes a collection from each document with Postman's converter, as docs/README.md advises, and sends all its requests. Only
 * the key of the examples is replaced, by that of an existing item.
 *
 * @returns {Promise<string>} The result in a sentence.
 * @throws {Error} if a request gets another status than expected, such as 400.
 */
export async function check() {
  mkdirSync(`${here}generated`, { recursive: true });
  const collections = Object.values(documents).map((document) => {
    const collection = `${here}generated/postman.json`;
    runTool('openapi2postmanv2', [
      '-s',
      document,
      '-o',
      collection,
      '-O',
      'parametersResolution=Example,enableOptionalParameters=false',
    ]);
    return readFileSync(collection, 'utf8');
  });
  const service = await startService();
  try {
    for (const collection of collections) {
      const items = await (await fetch(`${service.url}/api/todo`)).json();
      const text = collection.replaceAll('019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47', items.at(-1).key);
      const answers = [];
      for (const request of requestsIn(JSON.parse(text))) answers.push(await send(service.url, request));
      deepEqual(answers, ['GET 200', 'POST 201', 'GET 200', 'PUT 204', 'PATCH 204', 'DELETE 204']);
    }
  } finally {
    await service.stop();
  }
  return "collections that Postman's converter makes from both documents run as they are, without a 400";
}

function requestsIn({ item, request }) {
  return item ? item.flatMap(requestsIn) : [request];
}

async function send(service, { method, url: { path, variable, query }, header, body }) {
  const valueIn = (segment) => variable.find(({ key }) => `:${key}` === segment)?.value ?? segment;
  const enabled = (list) => list.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]);
  const sent = new URLSearchParams(enabled(query));
  const headers = Object.fromEntries(enabled(header));
  const url = `${service}/${path.map(valueIn).join('/')}?${sent}`;
  return `${method} ${(await fetch(url, { method, headers, body: body?.raw })).status}`;
}
