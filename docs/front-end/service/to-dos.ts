import createClient from 'openapi-fetch';
import { Failure, failureOf } from './failure.js';
import type { components, paths } from './openapi.js';

export type Item = components['schemas']['StoredTodoItem'];
type Changes = components['schemas']['TodoItemPatch'];

export type ToDos = ReturnType<typeof createToDos>;

/**
 * Makes the calls of a to-do list.
 *
 * @param service - The URL of the service, with its prefix and without `/api`; empty where it has this page's origin.
 * @param send - What sends a request.
 * @returns Functions that throw a {@link Failure}.
 */
export function createToDos(service: string, send: (request: Request) => Promise<Response>) {
  const client = createClient<paths>({ baseUrl: service, fetch: send });
  return {
    /**
     * Lists items in the order of their creation, from all pages of the list.
     *
     * @param isComplete - Which items; all if left out.
     */
    async list({ isComplete, signal }: { isComplete?: boolean; signal?: AbortSignal } = {}): Promise<Item[]> {
      const items: Item[][] = [];
      let after: string | undefined;
      do {
        const query = { ...(isComplete !== undefined && { isComplete }), ...(after !== undefined && { after }) };
        const answer = await read(client.GET('/api/todo', { params: { query }, signal: signal ?? null }));
        items.push(dataOf(answer));
        after = nextOf(answer.response);
      } while (after !== undefined);
      return items.flat();
    },

    /** Creates an item. Under the same key, it is created once, however often this is called within an hour. */
    async create(name: string, idempotencyKey: string): Promise<Item> {
      const header = { 'Idempotency-Key': idempotencyKey };
      return dataOf(await read(client.POST('/api/todo', { params: { header }, body: { name } })));
    },

    /** Gets an item and its entity tag; undefined if there is none. */
    async find(key: string): Promise<{ item: Item; etag: string } | undefined> {
      const answer = await read(client.GET(ITEM, { params: { path: { id: key } } }));
      if (answer.response.status === 404) return undefined;
      return { item: dataOf(answer), etag: answer.response.headers.get('ETag') ?? '*' };
    },

    /**
     * Changes some members of an item.
     *
     * @param etag - The version to change; any version if left out.
     */
    async change(key: string, changes: Changes, etag?: string): Promise<void> {
      const params = { path: { id: key }, header: etag === undefined ? {} : { 'If-Match': etag } };
      // With a condition, a request counts as `no-store`, and the browser would ask before each one whether it may send it.
      check(await read(client.PATCH(ITEM, { params, body: changes, cache: 'force-cache' })));
    },

    /** Deletes an item, if it is still there. */
    async remove(key: string): Promise<void> {
      const answer = await read(client.DELETE(ITEM, { params: { path: { id: key } } }));
      if (answer.response.status !== 404) check(answer);
    },
  };
}

const ITEM = '/api/todo/{id}';

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Waits for an answer. One that can't be read is from something before the service, such as the login page of a hotel. */
async function read<A>(answer: Promise<A>): Promise<A> {
  return answer.catch((error) => {
    if (error instanceof SyntaxError)
      throw new Failure('Something else than the service answered.', { mayBeDone: true });
    throw error;
  });
}

/** An error without a body is undefined, so only the response says whether there is one. */
function check({ error, response }: Answer<unknown>): void {
  if (!response.ok) throw failureOf(response, error);
}

function dataOf<Data>(answer: Answer<Data>): Data {
  check(answer);
  return answer.data as Data;
}

/** @returns The key that the next page starts after. The rest of the link is left alone: a proxy may have changed the path. */
function nextOf({ headers }: Response): string | undefined {
  const [, after] = /[?&]after=([^&>]+)[^>]*>; *rel="next"/.exec(headers.get('Link') ?? '') ?? [];
  return after;
}
