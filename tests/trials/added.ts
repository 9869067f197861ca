// The code and the requests that additions.ts puts into the files of a copy, and what it finds their places by.

/** The last requests in docs/requests.http begin with this. */
export const LAST_REQUESTS = '### Get the description in OpenAPI';

/** A member of to-dos, behind which another one is added. */
export const IS_COMPLETE = "    isComplete: { type: 'boolean', default: false, example: false },";

/** What to-dos' last operation begins with. */
export const DELETE_ITEM = `/**
 * Deletes a to-do item.`;

/** An operation on the list. */
export const DELETE_DONE = `/**
 * Deletes the to-do items that are done.
 */
export const deleteDone = route({
  method: 'DELETE',
  template: COLLECTION,
  resource: todos,
  answers: { 204: {} },
  async run({ items }) {
    const { json } = await items.list({ matches: ({ isComplete }) => isComplete });
    const done: { key: string }[] = JSON.parse(json);
    await Promise.all(done.map(({ key }) => items.remove(key, undefined)));
    return { status: 204, headers: API_HEADERS };
  },
});
`;

/** Which items are listed, and the same with one more parameter. */
export const MATCHES =
  'matches: query.isComplete === undefined ? undefined : (item) => item.isComplete === query.isComplete,';
export const MATCHES_DUE =
  'matches: ({ isComplete, due }) => (query.isComplete ?? isComplete) === isComplete && (query.due ?? due) === due,';

/** An action on an item. */
export const COMPLETE = `/**
 * Marks a to-do item as done.
 *
 * @param id - The key of the item.
 */
export const completeItem = route({
  method: 'POST',
  template: \`\${ITEM}/complete\`,
  resource: todos,
  conditional: true,
  answers: { 204: { headers: ['ETag'] }, 404: {}, 412: {}, 413: {}, 507: {} },
  run: async ({ request, parameters, precondition, items }) =>
    answer.patched(request, await items.update(parameters.id, { isComplete: true }, precondition)),
});
`;

/** Writes a request of each operation of a resource. */
export function requestsOf(list: string): string {
  const item = `${list}/{{key}}`;
  return [
    `Create a list: 201\nPOST {{url}}${list}\nContent-Type: application/json\n\n{ "name": "At home" }`,
    `List the lists: 200\nGET {{url}}${list}`,
    `Find the list: 200\nGET {{url}}${item}`,
    `Replace the list: 204\nPUT {{url}}${item}\nContent-Type: application/json\n\n{ "key": "{{key}}", "name": "In town" }`,
    `Change the list: 204\nPATCH {{url}}${item}\nContent-Type: application/json\n\n{ "name": "At work" }`,
    `Delete the list: 204\nDELETE {{url}}${item}`,
  ]
    .map((request) => `### ${request}\n\n`)
    .join('');
}
