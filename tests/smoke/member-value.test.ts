import { describe, expect, it } from '@jest/globals';
import { anotherValue, type MemberSchema, ownText } from '../../serverless/smoke/member-value.js';

describe('another value that a member takes is', () => {
  it.each<[what: string, schema: MemberSchema, value: unknown, other: unknown]>([
    ['a boolean turned round', { type: 'boolean' }, false, true],
    ['a number that is one more', { type: 'number' }, 1.5, 2.5],
    ['an integer that is one less, at the highest', { type: 'integer', minimum: 1, maximum: 5 }, 5, 4],
    ['half of a number', { type: 'number', exclusiveMinimum: 0, maximum: 0.5 }, 0.5, 0.25],
    ['the lowest number for null', { type: ['integer', 'null'], minimum: 10 }, null, 10],
    ['no integer, where there is one alone', { type: 'integer', minimum: 1, maximum: 1 }, 1, undefined],
    ['a text with a character more', { type: 'string', maxLength: 4 }, 'abc', 'abc.'],
    ['a text with a character less, at the longest', { type: 'string', maxLength: 3 }, 'ab😀', 'ab'],
    ['a text for null', { type: ['string', 'null'], minLength: 2 }, null, 'Smoke test.'],
    ['a text that fits the pattern', { type: 'string', pattern: '^[a-z]+$' }, 'abc', 'ab'],
    ['no text, where none fits', { type: 'string', pattern: '^abc$' }, 'abc', undefined],
    ['no text, where the pattern cannot be read', { type: 'string', pattern: '(' }, 'abc', undefined],
    ['no text, where each is too short', { type: 'string', minLength: 3, maxLength: 3 }, 'abc', undefined],
    ['another one of an enumeration', { type: 'string', enum: ['letter', 'express'] }, 'letter', 'express'],
    ['another day', { type: 'string', format: 'date' }, '2026-11-23', '2001-02-03'],
    ['no text of a format that is not known', { type: 'string', format: 'email' }, 'a@b', undefined],
    ['a list with an item less', { type: 'array', items: { type: 'number' } }, [1, null], [1]],
    [
      'a list with an item more, at the shortest',
      { type: 'array', items: { type: 'number' }, minItems: 1 },
      [1],
      [1, 2],
    ],
    ['a list with an item, for null', { type: ['array', 'null'], items: { type: 'string' } }, null, []],
    ['a list with an item, for none', { type: 'array', items: { type: 'boolean' } }, [], [true]],
    ['no list, where the items are not known', { type: 'array' }, [], undefined],
    [
      'no list, where each would have an item twice',
      { type: 'array', items: { type: 'boolean' }, minItems: 2, uniqueItems: true },
      [true, false],
      undefined,
    ],
    ['no list, where each is too long', { type: 'array', items: { type: 'boolean' }, maxItems: 0 }, [], undefined],
    ['nothing of an unknown type', { type: 'object' }, {}, undefined],
    ['nothing without a schema', {}, 1, undefined],
  ])('%s', (_what, schema, value, other) => {
    expect(anotherValue(schema, value)).toEqual(other);
  });
});

describe('the text of the command’s own item', () => {
  const texts = ['Smoke test 4f1c', '4f1c'];

  it('is the first one that leaves room for a character', () => {
    expect(ownText({ type: 'string' }, texts)).toBe('Smoke test 4f1c');
    expect(ownText({ type: ['string', 'null'], maxLength: 15 }, texts)).toBe('4f1c');
    expect(ownText({ type: 'string', maxLength: 4 }, texts)).toBeUndefined();
  });

  it.each<[MemberSchema]>([
    [{ type: 'integer' }],
    [{ type: 'string', readOnly: true }],
    [{ type: 'string', enum: ['4f1c'] }],
    [{ type: 'string', format: 'date' }],
    [{ type: 'string', pattern: '^[a-z]$' }],
  ])('is in no member like %j', (schema) => {
    expect(ownText(schema, texts)).toBeUndefined();
  });
});
