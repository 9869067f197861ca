import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gateways } from '../support/gateways/gateways.js';
import { anItem, CHANGE, OPERATIONS } from '../support/service/resource.js';
import { type Served, serve } from '../support/service/serve.js';
import { startService } from '../support/service/service.js';

let service: Served;

beforeAll(async () => {
  service = await serve(startService(gateways.find(({ name }) => name === 'serverless-offline')));
});

afterAll(() => service?.stop());

describe('a client that knows nothing but the served document', () => {
  it('calls all six operations', async () => {
    const call = await clientOf(`${service.url}/swagger/v1/swagger.json`);

    const created = await call(OPERATIONS.create, { item: anItem() });
    expect(created.status).toBe(201);
    const { key } = created.body;
    expect(created.body).toMatchObject(anItem());
    expect((await call(OPERATIONS.list, { limit: 1000 })).body).toContainEqual(created.body);
    const found = await call(OPERATIONS.find, { id: key });
    expect(found.body).toEqual(created.body);
    const patch = { id: key, 'If-Match': found.headers.get('etag'), item: CHANGE };
    expect((await call(OPERATIONS.patch, patch)).status).toBe(204);
    expect((await call(OPERATIONS.patch, patch)).status).toBe(412);
    expect((await call(OPERATIONS.replace, { id: key, item: { key, ...anItem('Walk the cat') } })).status).toBe(204);
    expect((await call(OPERATIONS.find, { id: key })).body).toEqual({ ...created.body, ...anItem('Walk the cat') });
    expect((await call(OPERATIONS.remove, { id: key })).status).toBe(204);
    expect((await call(OPERATIONS.find, { id: key })).status).toBe(404);
  });
});

interface Described {
  readonly operationId: string;
  readonly consumes: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
}

/** Makes a client of a document, as a generator would: what a call is given goes where the document says. */
async function clientOf(url: string) {
  const document = (await (await fetch(url)).json()) as { basePath: string; paths: Record<string, object> };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described: described as Described })),
  );
  return async (operationId: string, given: Record<string, unknown>) => {
    const operation = operations.find(({ described }) => described.operationId === operationId);
    if (!operation) throw new Error(`the document has no ${operationId}`);
    const { path, method, described } = operation;
    const sent = { path, query: new URLSearchParams(), header: new Headers(), body: undefined as string | undefined };
    for (const { name, in: where, required } of described.parameters) {
      const value = given[name];
      if (value === undefined && required) throw new Error(`${operationId} needs ${name}`);
      if (value === undefined) continue;
      if (where === 'path') sent.path = sent.path.replace(`{${name}}`, encodeURIComponent(String(value)));
      else if (where === 'body') {
        sent.body = JSON.stringify(value);
        sent.header.set('Content-Type', described.consumes[0] as string);
      } else if (where === 'query' || where === 'header') sent[where].set(name, String(value));
      else throw new Error(`${operationId} has a parameter in ${where}`);
    }
    const target = new URL(document.basePath.replace(/\/$/, '') + sent.path, url);
    target.search = String(sent.query);
    const options = { method: method.toUpperCase(), headers: sent.header, body: sent.body ?? null };
    const answer = await fetch(target, options);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
  };
}
