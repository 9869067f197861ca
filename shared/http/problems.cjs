/**
 * All problems, by kind. The service's answers, API Gateway's own answers, both description documents and the README's
 * table follow from this table. It is a CommonJS module because the deployment's configuration reads it, too.
 *
 * - `by`: which routes answer it: those that declare a `query`, a `body`, `conditional` header fields or `idempotent`, those
 *   that `write` (any method except GET), or every `route`. `operation`: only routes whose `answers` declare the status.
 *   Without `by`, no route answers it.
 * - `meaning`: what has happened, as a part of a sentence.
 * - `detail`: what the caller is told, after the reason that is special this time.
 * - `applied`: false if the request has surely changed nothing and may be sent again (rule 20).
 */
module.exports.PROBLEMS = /** @type {const} */ ({
  'invalid query': {
    status: 400,
    by: 'query',
    meaning: 'a query parameter is not valid',
    detail: 'The query is not valid; see errors.',
  },
  'invalid body': {
    status: 400,
    by: 'body',
    meaning: 'the body is missing or is not valid',
    detail: 'Send a JSON object.',
  },
  'invalid members': { status: 400, by: 'body', detail: 'The body is not a valid item; see errors.' },
  'malformed condition': {
    status: 400,
    by: 'conditional',
    meaning: 'If-Match or If-None-Match is neither * nor a list of quoted entity tags',
    detail: 'Separate several by commas, or send * for any.',
  },
  'malformed Idempotency-Key': {
    status: 400,
    by: 'idempotent',
    meaning: 'Idempotency-Key is neither a quoted string nor a token, of 1 to 64 visible characters',
    detail:
      'Idempotency-Key is malformed: send 1 to 64 visible characters in quotes, preferably a new UUID for each new request.',
  },
  'unknown event': { status: 400, detail: 'It answers REST APIs, HTTP APIs and function URLs.' },
  'cross-site write': {
    status: 403,
    by: 'write',
    meaning: 'the request comes from a page of another origin, which may not write unless CORS_ORIGINS names it',
    detail:
      'A page of another origin sent this request. Only pages of the service itself, and of origins in CORS_ORIGINS, may write.',
  },
  'not signed': {
    status: 403,
    detail: 'The call is not signed. Sign it with AWS Signature Version 4, for the service execute-api.',
  },
  'not found': {
    status: 404,
    by: 'operation',
    meaning: 'no item has this key',
    detail: 'No item has this key. List the items to see their keys.',
  },
  'no route': { status: 404, meaning: 'nothing is at this path', detail: 'No route matches this path.' },
  'unknown method': { status: 404, detail: 'No route matches this method and path.' },
  'method not supported': {
    status: 404,
    meaning: 'the path does not support the method; Allow lists those that it supports',
  },
  'If-Match failed': {
    status: 412,
    by: 'conditional',
    meaning: 'the item does not have a version that If-Match names',
    detail: 'The item has changed since you fetched it. Get it, and send the request with its new ETag.',
  },
  'If-None-Match failed': {
    status: 412,
    by: 'conditional write',
    meaning: 'has one that If-None-Match names',
    detail:
      'The item is there, in a version that If-None-Match excludes. Leave that field out to write to any version.',
  },
  'body too large': {
    status: 413,
    by: 'body',
    meaning: 'the body is larger than 1 MiB',
    detail: 'The body is larger than 1 MiB. Send a smaller one.',
  },
  'too large': {
    status: 413,
    by: 'body',
    meaning: 'the item is too large for a row of the table (400 KB)',
    detail: 'The item is too large to be stored. Send a smaller one.',
  },
  'request too large': { status: 413, detail: 'The request is larger than the gateway takes.' },
  'not JSON': {
    status: 415,
    by: 'body',
    meaning: 'the body is not sent as JSON: application/json, text/json, or a type that ends in +json',
    detail: 'Send it as application/json, text/json, or a type that ends in +json.',
  },
  'Idempotency-Key reused': {
    status: 422,
    by: 'idempotent',
    meaning: 'the Idempotency-Key was sent with other members within the last hour',
    detail:
      'This Idempotency-Key was sent with other members within the last hour. Send the request with a key of its own.',
  },
  throttled: {
    status: 429,
    applied: false,
    meaning: 'more requests come than the stage admits, and nothing was changed (applied is false)',
    detail: 'There are more requests than the stage admits, and nothing was changed. Try again in a second.',
  },
  failed: { status: 500, by: 'route', meaning: 'the service has failed. Its log has the reason, under the requestId' },
  busy: {
    status: 503,
    applied: false,
    meaning: 'the service is busy with another request',
    detail: 'The service is busy with another request, and nothing was changed. Try again in a second.',
  },
  'busy or failed': {
    status: 503,
    detail: 'The service is busy, or has failed. Try again in a second, but look first whether a write was applied.',
  },
  unavailable: {
    status: 503,
    by: 'route',
    applied: false,
    meaning: 'the items cannot be reached just now, and nothing was changed (applied is false)',
    detail: 'The collection cannot be reached just now, and nothing was changed. Try again.',
  },
  'maybe applied': {
    status: 503,
    by: 'write',
    meaning: 'the change may have been made (applied is left out): look before you send it again',
    detail: 'The collection cannot be reached just now. The change may have been made: look before you send it again.',
  },
  'timed out': {
    status: 504,
    meaning: 'the service did not answer in time: a write may have been applied',
    detail: 'The service did not answer in time. A write may have been applied: look before you send it again.',
  },
  full: {
    status: 507,
    by: 'operation',
    meaning: 'the list has no room left for the item: delete others first, or send a smaller one',
    detail: 'The list has no room left for the item. Send a smaller one, or delete others first.',
  },
});

/** The names of the statuses (RFC 9110, section 15; RFC 6585, section 4; RFC 4918, section 11.5). */
module.exports.TITLES = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
};
