import { expect, it } from '@jest/globals';
import { attemptOf, REFUSALS } from '../../../shared/dynamodb/reply.js';

/** Written by hand, from the sources that REFUSALS names. */
const NAMES: readonly (readonly [kind: keyof typeof REFUSALS, names: string])[] = [
  ['condition failed', 'ConditionalCheckFailedException'],
  [
    'refused for now',
    `ProvisionedThroughputExceededException ReplicatedWriteConflictException RequestLimitExceeded ThrottlingException
    TransactionConflictException`,
  ],
  ['signature expired', 'RequestExpired'],
  [
    'refused',
    `AccessDeniedException ExpiredTokenException IncompleteSignature IncompleteSignatureException InvalidSignatureException
    ItemCollectionSizeLimitExceededException LimitExceededException MalformedHttpRequestException
    MissingAuthenticationTokenException NotAuthorized OptInRequired RequestEntityTooLargeException ResourceInUseException
    ResourceNotFoundException UnknownOperationException UnrecognizedClientException`,
  ],
  ['invalid request', 'SerializationException ValidationError ValidationException'],
];

const attempt = (status: number, text: string) => attemptOf(Promise.resolve({ status, text }));
const kindOf = async (status: number, content: object) => (await attempt(status, JSON.stringify(content))).kind;

it.each(NAMES)('a refusal before anything is written is known by its name, as %s', async (kind, names) => {
  for (const name of names.split(/\s+/)) {
    for (const prefix of ['', 'com.amazonaws.dynamodb.v20120810#', 'com.amazon.coral.service#']) {
      const content = { __type: prefix + name };
      const kinds = [await kindOf(400, content), await kindOf(403, content), await kindOf(429, content)];
      expect([name, kinds]).toEqual([name, [kind, kind, kind]]);
      // These statuses say less than the name.
      expect([await kindOf(408, content), await kindOf(500, content)]).toEqual(['unknown outcome', 'unknown outcome']);
    }
  }
});

it('no other error is known to come before anything is written', () => {
  for (const [kind, names] of NAMES) expect([...REFUSALS[kind]].sort()).toEqual(names.split(/\s+/).sort());
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

it.each([
  [200, 'null'],
  [200, '[]'],
  [200, '<html>Welcome to the hotel</html>'],
  [302, '{}'],
  [500, '{"__type":"ValidationException"}'],
  [503, `<html>${'x'.repeat(5_000)}`],
])('a reply that is not one of DynamoDB leaves the outcome open, and is logged: %i %s', async (status, text) => {
  const error = new Error(`${status} ${text.slice(0, 1_000)}`);
  expect(await attempt(status, text)).toEqual({ kind: 'unknown outcome', output: {}, error });
});

it('no item is logged', async () => {
  for (const text of ['{"Item":{"item":{"S":"secret"}', '{"Items":[{"item":{"S":"secret"}}],"message":"x"}'])
    expect(await attempt(200, text)).toMatchObject({ kind: 'unknown outcome', error: { message: '200 with an item' } });
});
