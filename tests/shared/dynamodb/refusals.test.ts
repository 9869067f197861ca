import { expect, it } from '@jest/globals';
import { attemptOf, REFUSALS } from '../../../shared/dynamodb/reply.js';

/** Written by hand. `PutItem`: its errors in the API Reference; `guide`: "Error handling with DynamoDB"; `common`: "Common Error Types". */
const NAMES: readonly (readonly [name: string, kind: keyof typeof REFUSALS, status: number, source: string])[] = [
  ['ConditionalCheckFailedException', 'condition failed', 400, 'PutItem, guide'],
  ['ProvisionedThroughputExceededException', 'refused for now', 400, 'PutItem, guide'],
  ['ReplicatedWriteConflictException', 'refused for now', 400, 'PutItem, guide'],
  ['RequestLimitExceeded', 'refused for now', 400, 'PutItem, guide'],
  ['ThrottlingException', 'refused for now', 400, 'PutItem, guide, common'],
  ['TransactionConflictException', 'refused for now', 400, 'PutItem'],
  ['AccessDeniedException', 'refused', 400, 'guide, common'],
  ['ExpiredTokenException', 'refused', 403, 'common'],
  ['IncompleteSignature', 'refused', 403, 'common'],
  ['IncompleteSignatureException', 'refused', 400, 'guide'],
  ['InvalidSignatureException', 'refused', 400, 'the protocol'],
  ['ItemCollectionSizeLimitExceededException', 'refused', 400, 'PutItem, guide'],
  ['LimitExceededException', 'refused', 400, 'guide'],
  ['MalformedHttpRequestException', 'refused', 400, 'common'],
  ['MissingAuthenticationTokenException', 'refused', 400, 'guide'],
  ['NotAuthorized', 'refused', 401, 'common'],
  ['OptInRequired', 'refused', 403, 'common'],
  ['RequestEntityTooLargeException', 'refused', 413, 'common'],
  ['RequestExpired', 'signature expired', 400, 'common'],
  ['ResourceInUseException', 'refused', 400, 'guide'],
  ['ResourceNotFoundException', 'refused', 400, 'PutItem, guide'],
  ['UnknownOperationException', 'refused', 404, 'common'],
  ['UnrecognizedClientException', 'refused', 403, 'guide, common'],
  ['SerializationException', 'invalid request', 400, 'the protocol'],
  ['ValidationError', 'invalid request', 400, 'common'],
  ['ValidationException', 'invalid request', 400, 'guide'],
];

const kindOf = async (status: number, content: object) =>
  (await attemptOf(Promise.resolve({ status, text: JSON.stringify(content), disconnect() {} }), () => true)).kind;

it.each(NAMES)('%s is known to come before anything is written: %s', async (name, kind, status) => {
  for (const prefix of ['', 'com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#']) {
    const content = { __type: prefix + name };
    expect([await kindOf(status, content), await kindOf(429, content)]).toEqual([kind, kind]);
    // These statuses say less than the name.
    expect([await kindOf(408, content), await kindOf(500, content)]).toEqual(['unknown outcome', 'unknown outcome']);
  }
});

it.each<[string, object]>([
  ['signature expired', { message: 'Signature expired: 20261125T131500Z is now earlier than 20261125T131501Z' }],
  ['signature expired', { Message: 'Signature expired: 20261125T131500Z is now earlier than 20261125T131501Z' }],
  [
    'signature expired',
    { message: 'Signature not yet current: 20261125T140000Z is still later than 20261125T131500Z' },
  ],
  ['refused', { message: 'The request signature we calculated does not match the signature you provided.' }],
  ['refused', { message: 'Credential should be scoped to a valid region. Signature expired' }],
  ['refused', { message: 7 }],
])(
  'a signature is the reason for a refusal that may be over soon only if it came too late: %s %j',
  async (kind, more) => {
    expect(await kindOf(400, { __type: 'com.amazon.coral.service#InvalidSignatureException', ...more })).toBe(kind);
  },
);

it.each(['__type', 'message', 'Message'])('whether a write was done is not known after 200 with %s', async (name) => {
  expect(await kindOf(200, { [name]: 'x' })).toBe('unknown outcome');
});

it('a write was done after 200 with members that are not known', async () => {
  expect([await kindOf(200, {}), await kindOf(200, { ConsumedCapacity: {} })]).toEqual(['succeeded', 'succeeded']);
});

it('no other error is known to come before anything is written', () => {
  const known = Object.entries(REFUSALS).flatMap(([kind, names]) => names.map((name) => `${kind}: ${name}`));
  expect(known.sort()).toEqual(NAMES.map(([name, kind]) => `${kind}: ${name}`).sort());
});

it.each([
  [400, { __type: 'RequestAbortedException' }],
  [400, { __type: 'RequestTimeoutException' }],
  [400, { __type: 'toString' }],
  [400, { message: 'ValidationException' }],
  [403, { message: 'Forbidden' }],
  [404, { __type: null }],
  [499, {}],
])(
  'whether a write was done is not known after %i %j, which another attempt would not change',
  async (status, content) => {
    expect(await kindOf(status, content)).toBe('unknown error');
  },
);

it.each([408, 429])(
  'whether a write was done is not known after %i without a known name, and another attempt may help',
  async (status) => {
    for (const content of [{}, { __type: 'RequestTimeoutException' }, { message: 'Slow down' }])
      expect(await kindOf(status, content)).toBe('unknown outcome');
  },
);
