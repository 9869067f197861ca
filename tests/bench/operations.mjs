import { call, eventText } from './events.mjs';

/** The members of the items that are made. */
export const MEMBERS = { name: 'Walk the dog, and do not forget the bags', isComplete: false };

/** Creates items, some at a time, until there are so many. */
export async function fill(handler, count, members) {
  let missing = count - (await call(handler, 'GET', '/api/todo')).content.length;
  for (; missing > 0; missing -= AT_A_TIME) {
    const posts = Array.from({ length: Math.min(missing, AT_A_TIME) }, () =>
      call(handler, 'POST', '/api/todo', members),
    );
    for (const { status } of await Promise.all(posts)) if (status !== 201) throw new Error(`POST answers ${status}`);
  }
}

const AT_A_TIME = 20;

/**
 * The operations that are timed, by name: `texts` makes the events for so many calls, as JSON, and `after` sees the
 * results. `delete` takes what `post` has made, so that each run as often leaves the number of items as it is; where
 * `post` runs without it, `undo` does that.
 *
 * @param {Function} handler - It has some items already.
 * @param {object} members - Those of each item but its key.
 */
export async function operationsOn(handler, members) {
  const keys = (await call(handler, 'GET', '/api/todo')).content.map((item) => item.key);
  let created = [];
  let turn = 0;
  const nextKey = () => {
    turn += 7919;
    return keys[turn % keys.length];
  };
  const put = (key) => eventText('PUT', `/api/todo/${key}`, { key, ...members, isComplete: true });
  const list = () => eventText('GET', '/api/todo');
  const each = (make) => ({ texts: (count) => Array.from({ length: count }, make) });

  return {
    list: each(list),
    'put, then list': { texts: (count) => Array.from({ length: count }, () => [put(nextKey()), list()]).flat() },
    get: each(() => eventText('GET', `/api/todo/${nextKey()}`)),
    put: each(() => put(nextKey())),
    patch: each(() => eventText('PATCH', `/api/todo/${nextKey()}`, { isComplete: false })),
    post: {
      ...each(() => eventText('POST', '/api/todo', members)),
      after: (results) => {
        created = keysOf(results);
      },
      async undo(results) {
        for (const key of keysOf(results)) await call(handler, 'DELETE', `/api/todo/${key}`);
      },
    },
    delete: { texts: () => created.map((key) => eventText('DELETE', `/api/todo/${key}`)) },
    'unknown route': each(() => eventText('GET', '/api/nowhere/to/be/found')),
    document: each(() => eventText('GET', '/swagger/v1/swagger.json')),
  };
}

function keysOf(results) {
  return results.map(({ body }) => JSON.parse(body).key);
}
