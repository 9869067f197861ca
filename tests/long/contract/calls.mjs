import fc from 'fast-check';

/** A string that the document allows as a name, and one that it does not. */
const name = fc.oneof(
  { arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map((text) => `x${text}`), weight: 4 },
  { arbitrary: fc.constantFrom('', ' ', '\u3000\t'), weight: 1 },
);

/** Members of a body, now and then of the wrong type. */
const members = fc.record(
  {
    name: fc.oneof({ arbitrary: name, weight: 6 }, fc.constantFrom(null, 5, [])),
    isComplete: fc.oneof({ arbitrary: fc.boolean(), weight: 6 }, fc.constantFrom(null, 'yes', 0)),
  },
  { requiredKeys: [] },
);

const tag = fc.constantFrom('"1"', '"2"', 'W/"1"', '"1", "3"', '*', '1');
const headers = fc
  .record(
    {
      Accept: fc.constantFrom('application/json', '*/*', 'image/png, application/json;q=0.5'),
      'If-Match': tag,
      'If-None-Match': tag,
      'Sec-Fetch-Site': fc.constantFrom('cross-site', 'same-origin', 'none'),
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ ...fields, ...(fields.Accept === undefined && { Accept: 'application/json' }) }));

/** Prism takes only these types for JSON. The project's own tests send and accept the others. */
const mediaType = fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain');
const query = fc.record(
  {
    limit: fc.constantFrom('1', '2', '1000', '0', '1001', 'many'),
    after: fc.constantFrom('019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47', 'nowhere'),
  },
  { requiredKeys: [] },
);

/** Chooses one of the items there are, or one that there is not. */
const item = fc
  .nat()
  .map((index) => (keys) => keys[index % (keys.length + 1)] ?? '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47');

const list = fc.record({ query, headers }).map(({ query: sent, headers: fields }) => () => {
  const text = new URLSearchParams(sent).toString();
  return { method: 'GET', path: `/api/todo${text && `?${text}`}`, headers: only(fields, 'Accept') };
});

const create = fc.record({ members, headers, mediaType }).map((sent) => () => ({
  method: 'POST',
  path: '/api/todo',
  headers: { ...only(sent.headers, 'Accept', 'Sec-Fetch-Site'), 'Content-Type': sent.mediaType },
  body: JSON.stringify(sent.members),
}));

const find = fc.record({ item, headers }).map(({ item: choose, headers: fields }) => (keys) => ({
  method: 'GET',
  path: `/api/todo/${choose(keys)}`,
  headers: only(fields, 'Accept', 'If-Match', 'If-None-Match'),
  forbiddenInText: hasUnquotedTag(fields),
}));

const replace = fc.record({ item, members, headers, mediaType, isSame: fc.nat(9) }).map((sent) => (keys) => {
  const key = sent.item(keys);
  const hasKey = sent.isSame > 0;
  return change('PUT', key, sent, { ...(hasKey && { key }), ...sent.members });
});

const patch = fc.record({ item, members, headers, mediaType }).map((sent) => (keys) => {
  return change('PATCH', sent.item(keys), sent);
});

const remove = fc.record({ item, headers }).map(({ item: choose, headers: fields }) => (keys) => ({
  method: 'DELETE',
  path: `/api/todo/${choose(keys)}`,
  headers: fields,
  forbiddenInText: hasUnquotedTag(fields),
}));

/**
 * A call of one of the operations: a function of the keys that there are. What it sends may be wrong, in a way that the
 * document says in its schemas, or (`forbiddenInText`) only in its text.
 */
export const calls = fc.oneof(list, create, create, find, replace, patch, remove);

function change(method, key, { headers: fields, mediaType: type, members: sent }, body = sent) {
  const call = { method, path: `/api/todo/${key}`, headers: { ...fields, 'Content-Type': type } };
  return { ...call, body: JSON.stringify(body), forbiddenInText: hasUnquotedTag(fields) };
}

function hasUnquotedTag(fields) {
  return fields['If-Match'] === '1' || fields['If-None-Match'] === '1';
}

function only(fields, ...names) {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => names.includes(field)));
}
