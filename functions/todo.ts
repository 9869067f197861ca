import { v4 } from 'uuid';
import { whenReady } from '../shared/http/response.js';
import { route } from '../shared/http/route.js';
import { createReader, memberOf } from '../shared/http/schema.js';
import * as answer from '../shared/todo/answer.js';
import { readCondition, unmet } from '../shared/todo/condition.js';
import { storedItem, todoItem, type WritableMembers } from '../shared/todo/item.js';
import { listed, unknownPlace } from '../shared/todo/listed.js';
import { openPlace } from '../shared/todo/place.js';
import { store } from './store.js';

const read = createReader<WritableMembers>(todoItem);

const UNAVAILABLE = { headers: ['Retry-After'] } as const;

/**
 * Lists to-do items: all that fit into one response, or as many as are asked for. Where some are left, a Link header
 * leads to them. Items that are there throughout are listed just once, whatever is written meanwhile.
 *
 * @param limit - The most items to answer with.
 * @param after - Where to go on, from the Link header of the answer before.
 * @response 400 - A query parameter is wrong.
 * @response 503 - The collection can't be reached just now.
 */
export const listItems = route({
  method: 'GET',
  template: '/api/todo',
  query: { limit: { type: 'integer', minimum: 1, maximum: 1_000 }, after: { type: 'string' } },
  produces: answer.MEDIA_TYPES,
  answers: { 200: { content: [todoItem], headers: ['Link'] }, 400: {}, 503: UNAVAILABLE },
  run({ request, query: { limit, after } }) {
    return whenReady(store.list({ limit, after: after && openPlace(after) }), (listing) =>
      listing ? listed(request, listing, limit) : unknownPlace(request),
    );
  },
});

/**
 * Finds one to-do item.
 *
 * @param id - The key that the item was given when it was created.
 * @header If-Match - Entity tags of the versions that the item may be at.
 * @header If-None-Match - Entity tags of the versions that the caller has already.
 * @response 304 - The item is still the version that If-None-Match names.
 * @response 404 - No item has this key.
 * @response 412 - The item is not the version that If-Match names.
 * @response 503 - The collection can't be reached just now.
 */
export const findItem = route({
  method: 'GET',
  template: '/api/todo/{id}',
  conditions: ['If-Match', 'If-None-Match'],
  produces: answer.MEDIA_TYPES,
  answers: {
    200: { content: todoItem, headers: ['ETag'] },
    304: { headers: ['ETag'] },
    404: {},
    412: {},
    503: UNAVAILABLE,
  },
  run({ request, parameters }) {
    return whenReady(store.find(parameters.id), (item) => {
      if (!item) return answer.absent(request);
      const field = unmet(item.version, readCondition(request));
      if (field === 'If-Match') return answer.stale(request);
      if (field === 'If-None-Match') return answer.notModified(item);
      return answer.found(request, item);
    });
  },
});

/**
 * Creates a to-do item under a new key.
 *
 * @param item - The item to create. A key in it is ignored.
 * @response 400 - The body is missing or no valid item.
 * @response 403 - A page of another origin sent the request.
 * @response 413 - The item is larger than one may be.
 * @response 415 - The body is not JSON.
 * @response 503 - The collection can't be reached just now.
 * @response 507 - The list has no room left for the item.
 */
export const createItem = route({
  method: 'POST',
  template: '/api/todo',
  body: { schema: todoItem },
  produces: answer.MEDIA_TYPES,
  answers: {
    201: { content: todoItem, headers: ['ETag', 'Location'] },
    400: {},
    403: {},
    413: {},
    415: {},
    503: UNAVAILABLE,
    507: {},
  },
  run({ request, body }) {
    const reading = read.whole(body);
    if ('errors' in reading) return answer.invalid(request, reading.errors);
    return whenReady(store.create(storedItem(newKey(), reading.members, 1)), (item) =>
      typeof item === 'string' ? answer.misfit(request, item) : answer.created(request, item),
    );
  },
});

/**
 * Replaces a to-do item whole.
 *
 * @param id - The key that the item was given when it was created.
 * @param item - The item to take its place, with the same key. A member left out takes its default.
 * @header If-Match - Entity tags of the versions that the item may be at.
 * @header If-None-Match - Entity tags of the versions that the item may not be at.
 * @response 400 - The body is missing or no valid item, or its key is not the one in the path.
 * @response 403 - A page of another origin sent the request.
 * @response 404 - No item has this key.
 * @response 412 - The item is not at a version that If-Match or If-None-Match admits.
 * @response 413 - The item is larger than one may be.
 * @response 415 - The body is not JSON.
 * @response 503 - The collection can't be reached just now.
 * @response 507 - The list has no room left for the item.
 */
export const replaceItem = route({
  method: 'PUT',
  template: '/api/todo/{id}',
  conditions: ['If-Match', 'If-None-Match'],
  body: { schema: todoItem },
  answers: { 204: {}, 400: {}, 403: {}, 404: {}, 412: {}, 413: {}, 415: {}, 503: UNAVAILABLE, 507: {} },
  run({ request, parameters, body }) {
    const reading = read.whole(body);
    if ('errors' in reading) return answer.invalid(request, reading.errors);
    if (!isSameKey(memberOf(body, 'key'), parameters.id)) return answer.keyDiffers(request);
    const updating = store.update(parameters.id, reading.members, readCondition(request));
    return whenReady(updating, (outcome) => answer.updated(request, outcome));
  },
});

/**
 * Changes some members of a to-do item, by JSON Merge Patch: those left out stay as they are, and null puts a default
 * back.
 *
 * @param id - The key that the item was given when it was created.
 * @param item - The members to change. A key among them is ignored.
 * @header If-Match - Entity tags of the versions that the item may be at.
 * @header If-None-Match - Entity tags of the versions that the item may not be at.
 * @response 400 - The body is missing or no valid change to an item.
 * @response 403 - A page of another origin sent the request.
 * @response 404 - No item has this key.
 * @response 412 - The item is not at a version that If-Match or If-None-Match admits.
 * @response 413 - The item is larger than one may be.
 * @response 415 - The body is not JSON.
 * @response 503 - The collection can't be reached just now.
 * @response 507 - The list has no room left for the item.
 */
export const patchItem = route({
  method: 'PATCH',
  template: '/api/todo/{id}',
  conditions: ['If-Match', 'If-None-Match'],
  body: { schema: todoItem, patch: true },
  answers: { 204: {}, 400: {}, 403: {}, 404: {}, 412: {}, 413: {}, 415: {}, 503: UNAVAILABLE, 507: {} },
  run({ request, parameters, body }) {
    const reading = read.patch(body);
    if ('errors' in reading) return answer.invalid(request, reading.errors);
    const updating = store.update(parameters.id, reading.members, readCondition(request));
    return whenReady(updating, (outcome) => answer.updated(request, outcome));
  },
});

/**
 * Deletes a to-do item.
 *
 * @param id - The key that the item was given when it was created.
 * @header If-Match - Entity tags of the versions that the item may be at.
 * @header If-None-Match - Entity tags of the versions that the item may not be at.
 * @response 403 - A page of another origin sent the request.
 * @response 404 - No item has this key.
 * @response 412 - The item is not at a version that If-Match or If-None-Match admits.
 * @response 503 - The collection can't be reached just now.
 */
export const deleteItem = route({
  method: 'DELETE',
  template: '/api/todo/{id}',
  conditions: ['If-Match', 'If-None-Match'],
  answers: { 204: {}, 403: {}, 404: {}, 412: {}, 503: UNAVAILABLE },
  run({ request, parameters }) {
    const removing = store.remove(parameters.id, readCondition(request));
    return whenReady(removing, (outcome) => answer.removed(request, outcome));
  },
});

/** In one piece: Node.js puts it together from twenty, and leaves that to whoever looks at it first. */
function newKey(): string {
  return v4().toLowerCase();
}

function isSameKey(sent: unknown, key: string): boolean {
  return sent === key || (typeof sent === 'string' && sent.toLowerCase() === key.toLowerCase());
}
