import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SwaggerClient from 'swagger-client';
import { type OfflineService, startOffline } from './support/offline.js';

let service: OfflineService;

beforeAll(async () => {
  service = await startOffline();
}, 60_000);

afterAll(() => service?.stop());

describe('a client generated from the served document', () => {
  it('calls all six operations', async () => {
    const client = await SwaggerClient(`${service.url}/swagger/v1/swagger.json`);
    const { ApiTodoGet, ApiTodoPost, ApiTodoByIdGet, ApiTodoByIdPut, ApiTodoByIdPatch, ApiTodoByIdDelete } =
      client.apis.Todo;

    const created = await ApiTodoPost({ item: { name: 'Walk the dog' } });
    expect(created.status).toBe(201);
    const { key } = created.body;
    expect((await ApiTodoGet()).body).toContainEqual({ key, name: 'Walk the dog', isComplete: false });
    const found = await ApiTodoByIdGet({ id: key });
    expect(found.body).toEqual(created.body);
    const patch = { id: key, 'If-Match': found.headers.etag, item: { isComplete: true } };
    expect((await ApiTodoByIdPatch(patch)).status).toBe(204);
    await expect(ApiTodoByIdPatch(patch)).rejects.toMatchObject({ status: 412 });
    expect((await ApiTodoByIdPut({ id: key, item: { key, name: 'Walk the cat' } })).status).toBe(204);
    expect((await ApiTodoByIdGet({ id: key })).body).toEqual({ key, name: 'Walk the cat', isComplete: false });
    expect((await ApiTodoByIdDelete({ id: key })).status).toBe(204);
    await expect(ApiTodoByIdGet({ id: key })).rejects.toMatchObject({ status: 404 });
  });
});
