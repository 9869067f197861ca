import { call, eventText } from './events.mjs';

/** The members of the items that are made. */
const MEMBERS = { name: 'Walk the dog, and do not forget the bags', isComplete: false };
const AT_A_TIME = 20;

/** Creates items, some at a time, until there are so many. */
export async function fill(handler, count) {
  const { length } = (await call(handler, 'GET', '/api/todo')).content;
  for (let missing = count - length; missing > 0; missing -= AT_A_TIME) {
    await create(handler, Math.min(missing, AT_A_TIME));
  }
}

/**
 * The operations that are timed, by name. Each is a function that makes the events for so many calls, as JSON. Creating
 * and deleting leave the number of items as it is: `post` is followed by `undo`, and `delete` creates what it deletes.
 */
export async function operationsOn(handler) {
  const keys = (await call(handler, 'GET', '/api/todo')).content.map((item) => item.key);
  let turn = 0;
  const nextPath = () => {
    turn += 7919;
    return `/api/todo/${keys[turn % keys.length]}`;
  };
  const each = (make) => (count) => Array.from({ length: count }, () => make(nextPath()));
  return {
    list: each(() => eventText('GET', '/api/todo')),
    get: each((path) => eventText('GET', path)),
    post: each(() => eventText('POST', '/api/todo', MEMBERS)),
    put: each((path) => eventText('PUT', path, { key: path.slice(-36), ...MEMBERS, isComplete: true })),
    patch: each((path) => eventText('PATCH', path, { isComplete: false })),
    delete: async (count) => (await create(handler, count)).map((key) => eventText('DELETE', `/api/todo/${key}`)),
    'unknown route': each(() => eventText('GET', '/api/nowhere/to/be/found')),
    document: each(() => eventText('GET', '/swagger/v1/swagger.json')),
    page: each(() => eventText('GET', '/swagger/ui')),
  };
}

/** Takes back what `post` has created. */
export async function undo(handler, results) {
  for (const result of results) {
    const { key } = JSON.parse(JSON.parse(result).body);
    await call(handler, 'DELETE', `/api/todo/${key}`);
  }
}

async function create(handler, count) {
  const posts = Array.from({ length: count }, () => call(handler, 'POST', '/api/todo', MEMBERS));
  return (await Promise.all(posts)).map(({ status, content }) => {
    if (status !== 201) throw new Error(`POST answers ${status}`);
    return content.key;
  });
}
