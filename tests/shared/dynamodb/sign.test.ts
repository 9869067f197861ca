import { expect, it } from '@jest/globals';
import aws4 from 'aws4';
import fc from 'fast-check';
import type { Credentials } from '../../../shared/dynamodb/access.js';
import { createSign } from '../../../shared/dynamodb/sign.js';

const characters = Array.from('ABCXYZabcxyz0189+/=');
const secret = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 200 });

const signers = fc.record({
  host: fc.constantFrom(
    ...['dynamodb.eu-central-1.amazonaws.com', 'dynamodb.cn-north-1.amazonaws.com.cn', 'localhost:8000'],
    ...['127.0.0.1:49152', '[::1]:8000', 'vpce-1a2b.dynamodb.us-east-1.vpce.amazonaws.com:8443'],
  ),
  region: fc.constantFrom('eu-central-1', 'cn-north-1', 'cn-northwest-1', 'us-gov-west-1', 'eusc-de-east-1', 'local'),
  credentials: fc.record(
    { accessKeyId: secret, secretAccessKey: secret, sessionToken: secret },
    { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
  ),
});

const requests = fc.record({
  operation: fc.constantFrom('GetItem', 'PutItem', 'Query'),
  body: fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.json()),
  // Until the end of 2099, at most days away from each other, so that some are on the same day.
  now: fc.integer({ min: 4_102_000_000_000, max: 4_102_444_799_999 }),
});

it('requests are signed as aws4 does, whatever they have, whoever signs them, wherever they go and whenever', () => {
  const areSame = fc.property(signers, fc.array(requests, { maxLength: 4 }), ({ credentials, ...to }, all) => {
    const sign = createSign({ ...to, credentials: credentials as Credentials });
    for (const { operation, body, now } of all) {
      const headers = {
        Host: to.host,
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Date': `${new Date(now).toISOString().slice(0, 19).replace(/\W/g, '')}Z`,
        'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      };
      const request = { service: 'dynamodb', region: to.region, method: 'POST', path: '/', headers, body };
      const expected = Object.entries(aws4.sign(request, credentials).headers as Record<string, string | number>);
      const lowered = expected.map(([name, value]) => [name.toLowerCase(), String(value)]);
      expect(sign(operation, body, now)).toEqual(Object.fromEntries(lowered));
    }
  });
  fc.assert(areSame, { numRuns: 2_000 });
});

it('a request is signed with the time at which it is sent', () => {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const { 'x-amz-date': date = '' } = createSign({ host: 'localhost', region: 'local', credentials })('GetItem', '{}');
  const sent = Date.parse(date.replace(/(....)(..)(..T..)(..)(..)Z/, '$1-$2-$3:$4:$5Z'));
  expect(Math.abs(sent - Date.now())).toBeLessThan(60_000);
});
