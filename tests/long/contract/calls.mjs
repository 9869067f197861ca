import fc from 'fast-check';

const LIST = '/api/todo';
const UNKNOWN = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';

/** The members of a body, sometimes blank or of the wrong type. */
const members = fc.record(
  {
    name: fc.oneof(
      { arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map((text) => `x${text}`), weight: 5 },
      fc.constantFrom('', ' ', '\u3000\t', null, 5, []),
    ),
    isComplete: fc.oneof({ arbitrary: fc.boolean(), weight: 6 }, fc.constantFrom(null, 'yes', 0)),
  },
  { requiredKeys: [] },
);

const tag = fc.constantFrom('"1"', '"2"', 'W/"1"', '"1", "3"', '*', '1');
const headers = fc.record(
  {
    Accept: fc.constantFrom('application/json', '*/*', 'image/png, application/json;q=0.5'),
    'If-Match': tag,
    'If-None-Match': tag,
    'Sec-Fetch-Site': fc.constantFrom('cross-site', 'same-origin', 'none'),
  },
  { requiredKeys: ['Accept'] },
);

const query = fc.record(
  {
    limit: fc.constantFrom('1', '2', '1000', '0', '1001', 'many'),
    after: fc.constantFrom(UNKNOWN, 'nowhere'),
  },
  { requiredKeys: [] },
);

/** Prism takes only application/json for JSON. The project's own tests send the other types. */
const mediaType = fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain');

/**
 * Calls of the operations: functions of the keys of the items. A call may be wrong in a way that the document forbids in its
 * schemas, or (`forbiddenInText`) only in its text.
 */
export const calls = fc
  .record({
    operation: fc.constantFrom('list', 'create', 'create', 'find', 'replace', 'patch', 'remove'),
    index: fc.nat(),
    isKeySent: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
    query,
    members,
    headers,
    mediaType,
  })
  .map((sent) => (keys) => {
    const key = keys[sent.index % (keys.length + 1)] ?? UNKNOWN;
    const [method, path, body] = {
      list: ['GET', `${LIST}?${new URLSearchParams(sent.query)}`],
      create: ['POST', LIST, sent.members],
      find: ['GET', `${LIST}/${key}`],
      replace: ['PUT', `${LIST}/${key}`, { ...(sent.isKeySent && { key }), ...sent.members }],
      patch: ['PATCH', `${LIST}/${key}`, sent.members],
      remove: ['DELETE', `${LIST}/${key}`],
    }[sent.operation];
    const { 'If-Match': match, 'If-None-Match': noneMatch } = sent.headers;
    return {
      method,
      path,
      headers: { ...sent.headers, ...(body && { 'Content-Type': sent.mediaType }) },
      ...(body && { body: JSON.stringify(body) }),
      forbiddenInText: !['list', 'create'].includes(sent.operation) && (match === '1' || noneMatch === '1'),
    };
  });
