/** The `code` of a problem. Programs decide by it, so a released code never changes its name or its meaning. */
export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemKind {
  readonly status: keyof typeof TITLES;
  /** What a route declares that leads to it: a name of `DECLARES` in shared/routing/route.ts. Absent if nothing does. */
  readonly from?: string;
  /** What happened, as a clause. The documents say it, and the caller reads it unless a reason says more. */
  readonly meaning?: string;
  /** What the caller can do, as sentences. */
  readonly cure?: string;
  /** Of a 429 or 503: false if the request certainly changed nothing, so that it is safe to send it again. */
  readonly applied?: false;
  /** In seconds. */
  readonly retryAfter?: number;
}

/** All problems. Those of API Gateway stand in `serverless/rest.yml`, too. */
export const PROBLEMS = {
  'invalid-query': { status: 400, from: 'query', meaning: 'a query parameter is not valid', cure: 'See errors.' },
  'invalid-body': {
    status: 400,
    from: 'body',
    meaning: 'the body is missing or not valid',
    cure: 'Send a JSON object.',
  },
  'invalid-members': { status: 400, from: 'body', cure: 'See errors.' },
  'malformed-condition': {
    status: 400,
    from: 'condition',
    meaning: 'If-Match or If-None-Match is neither * nor a list of quoted entity tags',
    cure: 'Separate several tags with commas, or send * to match any version.',
  },
  'malformed-idempotency-key': {
    status: 400,
    from: 'Idempotency-Key',
    meaning: 'Idempotency-Key is not a quoted string or a token of 1 to 64 visible characters',
    cure: 'Send one in quotes, preferably a new UUID for each new request.',
  },
  'unknown-event': { status: 400, cure: 'It takes events from REST APIs, and from HTTP APIs with payload 2.0.' },
  'no-token': {
    status: 401,
    from: 'token',
    meaning: 'no token was sent',
    cure: 'Send it as Authorization: Bearer TOKEN.',
  },
  'invalid-token': { status: 401, from: 'token', meaning: 'the token is not valid', cure: 'Send a new one.' },
  'cross-site-write': {
    status: 403,
    from: 'write',
    meaning: 'the request comes from a page of another origin, which may not write',
    cure: 'The operator of this service can allow the origin of the page.',
  },
  'insufficient-scope': {
    status: 403,
    from: 'token',
    meaning: 'the token lacks the scope that the method needs',
    cure: 'Ask the identity provider for a token with this scope.',
  },
  'no-list': {
    status: 403,
    from: 'token',
    meaning: 'the token has no claim that names a list',
    cure: 'An administrator of the identity provider can set this claim.',
  },
  'not-found': {
    status: 404,
    from: 'item',
    meaning: 'no item has this key',
    cure: 'List the items to see their keys.',
  },
  'no-route': { status: 404, meaning: 'no route matches this path' },
  'unknown-method': { status: 404, meaning: 'no route matches this method and path' },
  'method-not-supported': { status: 404 },
  'if-match-failed': {
    status: 412,
    from: 'condition',
    meaning: 'If-Match does not name the current version',
    cure: 'The item or list may have changed since you got its ETag, or a proxy may have changed the tag, as some do when they compress. Get the new ETag, and send it without W/ in front or an ending such as -gzip.',
  },
  'if-none-match-failed': {
    status: 412,
    from: 'write with a condition',
    meaning: 'If-None-Match names the current version',
    cure: 'To write to any version, leave the field out.',
  },
  'body-too-large': {
    status: 413,
    from: 'body',
    meaning: 'the body is larger than 1 MiB',
    cure: 'Send a smaller one.',
  },
  'item-too-large': {
    status: 413,
    from: 'new version',
    meaning: 'the item is too large to be stored (in a table, its JSON is limited to 400,000 bytes)',
    cure: 'Send a smaller one.',
  },
  'not-json': {
    status: 415,
    from: 'body',
    meaning: 'the Content-Type is not application/json, text/json or a type that ends in +json',
    cure: 'Send it as application/json, text/json, or a type that ends in +json.',
  },
  'unsupported-coding': {
    status: 415,
    from: 'body',
    meaning: 'the body has a Content-Encoding, such as gzip, and cannot be read',
    cure: 'Send it as it is, without Content-Encoding.',
  },
  'idempotency-key-reused': {
    status: 422,
    from: 'Idempotency-Key',
    meaning: 'the Idempotency-Key was used for other members within the last hour',
    cure: 'Send this request with a new key.',
  },
  throttled: {
    status: 429,
    applied: false,
    meaning: 'the rate limit of the stage is exceeded, and nothing was changed',
    cure: 'Try again in a second.',
  },
  failed: { status: 500, from: 'any', meaning: 'the service failed; its log has the reason under the requestId' },
  busy: {
    status: 503,
    applied: false,
    meaning: 'the service is busy with another request, and nothing was changed',
    cure: 'Try again in a second.',
  },
  'busy-or-failed': {
    status: 503,
    meaning: 'the service is busy or has failed',
    cure: 'Try again in a second. Before you repeat a write, check whether it was applied.',
  },
  unavailable: {
    status: 503,
    from: 'any',
    meaning: 'the items cannot be reached at the moment, and nothing was changed (applied is false)',
    cure: 'Try again.',
    applied: false,
    retryAfter: 2,
  },
  'keys-unavailable': {
    status: 503,
    from: 'token',
    meaning: 'the keys that tokens are verified with cannot be fetched at the moment, and nothing was changed',
    cure: 'Try again.',
    applied: false,
    retryAfter: 5,
  },
  'maybe-applied': {
    status: 503,
    from: 'write',
    meaning: 'the change may have been made (applied is absent)',
    cure: 'Before you send the request again, check whether the change was made.',
    retryAfter: 2,
  },
  full: {
    status: 507,
    from: 'new version',
    meaning: 'the list has no room for the item',
    cure: 'Delete other items first, or send a smaller one.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** RFC 9110, section 15; RFC 6585, section 4; RFC 4918, section 11.5. */
export const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};
