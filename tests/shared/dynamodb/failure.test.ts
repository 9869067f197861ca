import { expect, it } from '@jest/globals';
import { failureOf, REFUSALS, readReply } from '../../../shared/dynamodb/failure.js';

/** Written by hand, from the sources that REFUSALS names. */
const NAMES: readonly (readonly [failure: string, names: string])[] = [
  ['condition failed', 'ConditionalCheckFailedException'],
  [
    'refused for now',
    `ProvisionedThroughputExceededException ReplicatedWriteConflictException RequestExpired RequestLimitExceeded
    ThrottlingException TransactionConflictException`,
  ],
  [
    'refused',
    `AccessDeniedException ExpiredTokenException IncompleteSignature IncompleteSignatureException InvalidSignatureException
    ItemCollectionSizeLimitExceededException LimitExceededException MalformedHttpRequestException
    MissingAuthenticationTokenException NotAuthorized OptInRequired RequestEntityTooLargeException ResourceInUseException
    ResourceNotFoundException UnknownOperationException UnrecognizedClientException`,
  ],
  ['invalid request', 'SerializationException ValidationError ValidationException'],
];

const failureIn = (status: number, content: object) => readReply(status, JSON.stringify(content)).failure;

it.each(NAMES)(
  'the refusals before anything is written are known by these names, and no others: %s',
  (failure, names) => {
    const known = [...REFUSALS].flatMap(([name, of]) => (of === failure ? name : []));
    expect(known.sort()).toEqual(names.split(/\s+/).sort());
    for (const prefix of ['', 'com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#']) {
      const __type = prefix + known[0];
      expect([400, 403, 429].map((status) => failureIn(status, { __type }))).toEqual([failure, failure, failure]);
      // These statuses say less than the name.
      for (const status of [200, 408, 500]) expect(failureIn(status, { __type })).toBe('unknown outcome');
    }
  },
);

it.each<[string, object]>([
  ['refused for now', { message: 'Signature expired: 20261125T131500Z is now earlier than 20261125T131501Z' }],
  ['refused for now', { Message: 'Signature expired: 20261125T131500Z is now earlier than 20261125T131501Z' }],
  ['refused for now', { message: 'Signature not yet current: 20261125T140000Z is still later than 20261125T131500Z' }],
  ['refused', { message: 'The request signature we calculated does not match the signature you provided.' }],
  ['refused', { message: 'Credential should be scoped to a valid region. Signature expired' }],
])('another attempt helps against a wrong signature only if it came too late: %s %j', (failure, more) => {
  expect(failureIn(400, { __type: 'com.amazon.coral.service#InvalidSignatureException', ...more })).toBe(failure);
});

it.each<[number, object, string | undefined]>([
  [200, { ConsumedCapacity: {} }, undefined],
  [200, { message: 'x' }, 'unknown outcome'],
  [200, { Message: 'x' }, 'unknown outcome'],
  [200, [], 'unknown outcome'],
  [302, {}, 'unknown outcome'],
  [408, {}, 'unknown outcome'],
  [429, { message: 'Slow down' }, 'unknown outcome'],
  [400, { __type: 'toString' }, 'unknown error'],
  [400, { __type: ['ValidationException'] }, 'unknown error'],
  [400, { __type: null }, 'unknown error'],
  [400, { code: 'ThrottlingException' }, 'unknown error'],
  [400, { message: 'ValidationException' }, 'unknown error'],
  [403, { message: 'Forbidden' }, 'unknown error'],
  [499, {}, 'unknown error'],
])('without a name that DynamoDB gives, %i %j says: %s', (status, content, failure) => {
  expect(failureIn(status, content)).toBe(failure);
});

it.each([
  [200, 'null', '200'],
  [200, '<html>Welcome, secret</html>', '200'],
  [200, '{"Item":{"item":{"S":"secret"}', '200'],
  [200, '{"Items":[{"item":{"S":"secret"}}],"message":"secret"}', '200'],
  [400, '{"__type":"LimitExceededException","message":"late","Item":"secret"}', '400 LimitExceededException: late'],
])('nothing of an item is logged: of %i %s, only "%s" is', (status, text, message) => {
  expect(readReply(status, text).error).toEqual(new Error(message));
});

const connect = { syscall: 'connect', code: 'ECONNREFUSED' };

it.each<[string, object, string]>([
  ['no address of the host is known', { syscall: 'getaddrinfo', code: 'ENOTFOUND' }, 'refused for now'],
  ['no connection is made', connect, 'refused for now'],
  ['no connection is made to any of several addresses', { errors: [connect, connect] }, 'refused for now'],
  ['no connection is made in time', { name: 'TimeoutError' }, 'refused for now'],
  ['a connection breaks', { name: 'TimeoutError', syscall: 'read', code: 'ECONNRESET' }, 'unknown outcome'],
  ['one of several breaks', { errors: [connect, { syscall: 'write' }] }, 'unknown outcome'],
  ['no reply comes in time', { name: 'AbortError' }, 'unknown outcome'],
])('an attempt without a reply may be applied if it may have been sent. When %s: %j %s', (_when, error, failure) => {
  expect(failureOf(error)).toBe(failure);
});
