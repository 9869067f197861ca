/**
 * Thrown by whatever ends a request with a problem: a check, a store, an operation. The handler answers with it; what
 * else is thrown is answered with `failed`.
 */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    readonly more: More = {},
  ) {
    super(code, { cause: more.cause });
  }
}

/**
 * Compares the name, because the files of the table and of the authenticator contain other copies of the class; and the
 * rest, because another library may have an error of that name.
 */
export function isProblem(error: unknown): error is Problem {
  if (!(error instanceof Error) || error.name !== 'Problem') return false;
  const { code, more } = error as Partial<Problem>;
  return code !== undefined && Object.hasOwn(PROBLEMS, code) && more !== undefined;
}

interface More {
  /** What applies this time: a sentence before the detail of {@link PROBLEMS}. */
  readonly reason?: string;
  /** The members or parameters at fault. A pointer is a JSON Pointer in a URI fragment (RFC 6901, section 6): `#/name`. */
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[];
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log. */
  readonly cause?: unknown;
  /** Whether it stays until the operator mends something. Then the log has a 503 as an error, otherwise as a warning. */
  readonly isLasting?: boolean;
}

/** The `code` of a problem. Callers decide by it, so it never changes its meaning. */
export type ProblemCode = keyof typeof PROBLEMS;

/** A row of {@link PROBLEMS}, which explains its members. */
export interface ProblemKind {
  readonly status: keyof typeof TITLES;
  readonly from?: Source;
  readonly retryAfter?: number;
  readonly applied?: false;
  readonly meaning?: string;
  readonly detail?: string;
}

/** What in a route's declaration leads to a problem. docs/generator/responses.ts finds its routes by that. */
export type Source =
  | 'any'
  | 'write'
  | 'token'
  | 'query'
  | 'condition'
  | 'condition of a write'
  | 'idempotency key'
  | 'body'
  | 'item'
  | 'new version';

/**
 * All problems, by `code`. Programs decide by it, so never rename a released one. The service's answers and both
 * documents are made from it; API Gateway's answers and the codes in the rules are compared with it.
 *
 * - `from`: which routes have the problem, beside those that name it in `problems`.
 * - `retryAfter`: in seconds.
 * - `applied`: false if the request certainly changed nothing and is safe to send again.
 * - `meaning`: what happened, as part of a sentence in both documents.
 * - `detail`: what the caller reads, after the reason that applies this time.
 */
export const PROBLEMS = {
  'invalid-query': {
    status: 400,
    from: 'query',
    meaning: 'a query parameter is not valid',
    detail: 'The query is not valid; see errors.',
  },
  'invalid-body': {
    status: 400,
    from: 'body',
    meaning: 'the body is missing or not valid',
    detail: 'Send a JSON object.',
  },
  'invalid-members': { status: 400, from: 'body', detail: 'The body is not a valid item; see errors.' },
  'malformed-condition': {
    status: 400,
    from: 'condition',
    meaning: 'If-Match or If-None-Match is neither * nor a list of quoted entity tags',
    detail: 'Separate several tags with commas, or send * to match any version.',
  },
  'malformed-idempotency-key': {
    status: 400,
    from: 'idempotency key',
    meaning: 'Idempotency-Key is not a quoted string or a token of 1 to 64 visible characters',
    detail:
      'Idempotency-Key is malformed: send 1 to 64 visible characters in quotes, preferably a new UUID for each new request.',
  },
  'unknown-event': { status: 400, detail: 'It takes events from REST APIs, and from HTTP APIs with payload 2.0.' },
  'no-token': {
    status: 401,
    from: 'token',
    meaning: 'no token was sent',
    detail: 'Send it as Authorization: Bearer TOKEN.',
  },
  'invalid-token': { status: 401, from: 'token', meaning: 'the token is not valid', detail: 'Send a new one.' },
  'cross-site-write': {
    status: 403,
    from: 'write',
    meaning: 'the request comes from a page of another origin, which may not write',
    detail:
      'A page of another origin sent this request. Only pages of this service, and of origins that its operator has allowed, may write.',
  },
  'insufficient-scope': {
    status: 403,
    from: 'token',
    meaning: 'the token lacks the scope that the method needs',
    detail: 'Ask the identity provider for a token that has it.',
  },
  'no-list': {
    status: 403,
    from: 'token',
    meaning: 'the token has no claim that says whose list it is about',
    detail: 'An administrator of the identity provider can add it.',
  },
  'not-found': {
    status: 404,
    from: 'item',
    meaning: 'no item has this key',
    detail: 'No item has this key. List the items to see their keys.',
  },
  'no-route': { status: 404, detail: 'No route matches this path.' },
  'unknown-method': { status: 404, detail: 'No route matches this method and path.' },
  'method-not-supported': { status: 404 },
  'if-match-failed': {
    status: 412,
    from: 'condition',
    meaning: 'If-Match does not name the current version',
    detail:
      'It has changed since you fetched it, or something in between has changed the tag, as proxies do when they compress. Get it again, and send the request with its new ETag, without W/ in front and without an ending such as -gzip.',
  },
  'if-none-match-failed': {
    status: 412,
    from: 'condition of a write',
    meaning: 'If-None-Match names it',
    detail: 'If-None-Match excludes the current version of the item. Leave the field out to write to any version.',
  },
  'body-too-large': {
    status: 413,
    from: 'body',
    meaning: 'the body is larger than 1 MiB',
    detail: 'The body is larger than 1 MiB. Send a smaller one.',
  },
  'item-too-large': {
    status: 413,
    from: 'new version',
    meaning: 'the item is too large to be stored (in a table, its JSON may have 400,000 bytes)',
    detail: 'The item is too large to be stored. Send a smaller one.',
  },
  'not-json': {
    status: 415,
    from: 'body',
    meaning: 'the Content-Type is not application/json, text/json or a type that ends in +json',
    detail: 'Send it as application/json, text/json, or a type that ends in +json.',
  },
  'unsupported-coding': {
    status: 415,
    from: 'body',
    meaning: 'the body has a Content-Encoding, such as gzip, and cannot be read',
    detail: 'Send it as it is, without Content-Encoding.',
  },
  'idempotency-key-reused': {
    status: 422,
    from: 'idempotency key',
    meaning: 'the Idempotency-Key was used for other members within the last hour',
    detail: 'This Idempotency-Key was used for other members within the last hour. Send this request with a new key.',
  },
  throttled: {
    status: 429,
    applied: false,
    detail: 'The rate limit of the stage is exceeded, and nothing was changed. Try again in a second.',
  },
  failed: { status: 500, from: 'any', meaning: 'the service failed; its log has the reason under the requestId' },
  busy: {
    status: 503,
    applied: false,
    detail: 'The service is busy with another request, and nothing was changed. Try again in a second.',
  },
  'busy-or-failed': {
    status: 503,
    detail:
      'The service is busy or has failed. Try again in a second. Before you repeat a write, check whether it was applied.',
  },
  unavailable: {
    status: 503,
    from: 'any',
    retryAfter: 2,
    applied: false,
    meaning: 'the collection cannot be reached at the moment, and nothing was changed (applied is false)',
    detail: 'The collection cannot be reached at the moment, and nothing was changed. Try again.',
  },
  'keys-unavailable': {
    status: 503,
    from: 'token',
    retryAfter: 5,
    applied: false,
    meaning: 'the keys that tokens are verified with cannot be fetched at the moment, and nothing was changed',
    detail:
      'The keys that tokens are verified with cannot be fetched at the moment, and nothing was changed. Try again.',
  },
  'maybe-applied': {
    status: 503,
    from: 'write',
    retryAfter: 2,
    meaning: 'the change may have been made (applied is absent): check before you send it again',
    detail:
      'The collection cannot be reached at the moment. The change may have been made: check before you send it again.',
  },
  full: {
    status: 507,
    from: 'new version',
    meaning: 'the list has no room for the item: delete others first, or send a smaller one',
    detail: 'The list has no room for the item. Delete others first, or send a smaller one.',
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
