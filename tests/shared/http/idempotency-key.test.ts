import { describe, expect, it } from '@jest/globals';
import { parseIdempotencyKey } from '../../../shared/http/idempotency-key.js';
import { aRequest } from '../../support/service/request.js';

const parse = (value: string) => parseIdempotencyKey(aRequest({ headers: { 'idempotency-key': value } }));

describe('Idempotency-Key', () => {
  it('is undefined if it was not sent', () => {
    expect(parseIdempotencyKey(aRequest())).toEqual({ value: undefined });
  });

  it.each([
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"a,b;c"', 'a,b;c'],
    ['"\\"\\\\"', '"\\'],
    [`"${'x'.repeat(64)}"`, 'x'.repeat(64)],
    [`"${String.raw`\\`.repeat(64)}"`, '\\'.repeat(64)],
  ])('can be %s', (sent, value) => {
    expect(parse(sent)).toEqual({ value });
  });

  it.each([
    ['nothing', ''],
    ['nothing in quotes', '""'],
    ['more than 64 characters', 'x'.repeat(65)],
    ['more than 64 characters in quotes', `"${'x'.repeat(65)}"`],
    ['white space in quotes', '"a b"'],
    ['white space', 'a b'],
    ['two keys', 'a,b'],
    ['a quote that does not end', '"a'],
    ['a backslash before another character', String.raw`"\a"`],
    ['a character beyond ASCII', '"é"'],
    ['parameters', '"a";b=1'],
  ])('with %s is rejected, and the problem says what it takes', (_what, sent) => {
    const parsed = parse(sent);
    if (!('rejected' in parsed)) throw new Error(`${sent} was accepted`);
    expect(parsed.rejected.status).toBe(400);
    expect(JSON.parse(parsed.rejected.body as string).detail).toMatch(
      'Idempotency-Key is malformed: send 1 to 64 visible characters in quotes',
    );
  });
});
