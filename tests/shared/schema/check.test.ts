import { describe, expect, it } from '@jest/globals';
import { check } from '../../../shared/schema/check.js';
import type { PropertySchema } from '../../../shared/schema/schema.js';

const notBlank = { expression: /\S/, description: 'a character that is not white space' };

describe('a member', () => {
  it.each<[string, PropertySchema, unknown[], [unknown, string][]]>([
    [
      'a string',
      { type: 'string' },
      ['', 'x', '\ud800'],
      [
        [undefined, 'Must be a string, but is missing.'],
        [null, 'Must be a string, not null.'],
        [5, 'Must be a string, not 5.'],
        [true, 'Must be a string, not true.'],
        [[], 'Must be a string, not an array.'],
        [{}, 'Must be a string, not an object.'],
      ],
    ],
    [
      'a string of some length',
      { type: 'string', minLength: 2, maxLength: 3 },
      ['ab', 'abc', '😀😀😀', '\ud800x'],
      [
        ['a', 'Must be a string of 2 to 3 characters, not "a".'],
        ['abcd', 'Must be a string of 2 to 3 characters, not "abcd".'],
        ['😀', 'Must be a string of 2 to 3 characters, not "😀".'],
      ],
    ],
    [
      'a string that is not too short',
      { type: 'string', minLength: 1 },
      ['a'],
      [['', 'Must be a string of at least 1 character, not "".']],
    ],
    [
      'a string that is not too long',
      { type: 'string', maxLength: 1 },
      ['', 'a'],
      [['x'.repeat(200), `Must be a string of at most 1 character, not "${'x'.repeat(100)}…".`]],
    ],
    [
      'a string with a pattern',
      { type: 'string', pattern: notBlank },
      ['a', ' a '],
      [[' ', 'Must be a string with a character that is not white space, not " ".']],
    ],
    [
      'one of some strings',
      { type: 'string', enum: ['a', 'b"'] },
      ['a', 'b"'],
      [
        ['c', 'Must be one of "a", "b\\"", not "c".'],
        ['A', 'Must be one of "a", "b\\"", not "A".'],
        [1, 'Must be one of "a", "b\\"", not 1.'],
      ],
    ],
    [
      'a date',
      { type: 'string', format: 'date' },
      ['2026-11-21', '2024-02-29', '0001-01-01'],
      [
        ['2026-02-29', 'Must be a date such as "2026-11-21", not "2026-02-29".'],
        ['2026-13-01', 'Must be a date such as "2026-11-21", not "2026-13-01".'],
        ['2026-1-1', 'Must be a date such as "2026-11-21", not "2026-1-1".'],
        ['+002026-11-21', 'Must be a date such as "2026-11-21", not "+002026-11-21".'],
        ['2026-11-21T00:00:00Z', 'Must be a date such as "2026-11-21", not "2026-11-21T00:00:00Z".'],
      ],
    ],
    [
      'a GUID',
      { type: 'string', format: 'uuid' },
      [
        '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47',
        '019AA5F2-7C4E-7A31-9D05-3B1F6D2C8E47',
        '00000000-0000-0000-0000-000000000000',
      ],
      [['019aa5f2', 'Must be a GUID such as "019a0000-0000-7000-8000-000000000000", not "019aa5f2".']],
    ],
    [
      'an integer',
      { type: 'integer' },
      [0, -7, 1e21, -0],
      [
        [1.5, 'Must be an integer, not 1.5.'],
        ['1', 'Must be an integer, not "1".'],
        [true, 'Must be an integer, not true.'],
        [Number.POSITIVE_INFINITY, 'Must be an integer, not Infinity.'],
      ],
    ],
    [
      'an integer of a range',
      { type: 'integer', minimum: 1, maximum: 5 },
      [1, 5],
      [
        [0, 'Must be an integer from 1 to 5, not 0.'],
        [6, 'Must be an integer from 1 to 5, not 6.'],
      ],
    ],
    [
      'a number',
      { type: 'number' },
      [0, 0.1, -1e300],
      [
        ['0.1', 'Must be a number, not "0.1".'],
        [Number.POSITIVE_INFINITY, 'Must be a number, not Infinity.'],
      ],
    ],
    [
      'a number that is not too small',
      { type: 'number', minimum: 0 },
      [0, 0.5],
      [[-0.1, 'Must be a number of at least 0, not -0.1.']],
    ],
    [
      'a number that is not too large',
      { type: 'number', maximum: 0.5 },
      [0.5, -9],
      [[0.6, 'Must be a number of at most 0.5, not 0.6.']],
    ],
    [
      'a boolean',
      { type: 'boolean' },
      [true, false],
      [
        [0, 'Must be true or false, not 0.'],
        ['true', 'Must be true or false, not "true".'],
        [null, 'Must be true or false, not null.'],
      ],
    ],
    [
      'nullable',
      { type: 'integer', nullable: true },
      [null, 1],
      [
        ['x', 'Must be an integer, or null, not "x".'],
        [undefined, 'Must be an integer, or null, but is missing.'],
      ],
    ],
    [
      'an array',
      { type: 'array', items: { type: 'boolean' } },
      [[], [true, false]],
      [
        [{ 0: true }, 'Must be an array, each true or false, not an object.'],
        ['', 'Must be an array, each true or false, not "".'],
      ],
    ],
    [
      'an array of some length without duplicates',
      { type: 'array', items: { type: 'integer', nullable: true }, minItems: 1, maxItems: 2, uniqueItems: true },
      [[1], [1, null]],
      [
        [[], 'Must be an array of 1 to 2 elements without duplicates, each an integer, or null, but has 0 elements.'],
        [
          [1, 2, 3],
          'Must be an array of 1 to 2 elements without duplicates, each an integer, or null, but has 3 elements.',
        ],
        [
          [1, 1],
          'Must be an array of 1 to 2 elements without duplicates, each an integer, or null, but has duplicates.',
        ],
      ],
    ],
  ])('that is %s takes valid values only, and says what others must be', (_name, property, right, wrong) => {
    for (const value of right) expect([value, check(property, value, '#/member')]).toEqual([value, undefined]);
    for (const [value, detail] of wrong) {
      expect([value, check(property, value, '#/member')]).toEqual([value, { pointer: '#/member', detail }]);
    }
  });

  it.each([
    '2026-11-21T09:30:00Z',
    '2026-11-21t09:30:00z',
    '2026-11-21 09:30:00Z',
    '2026-11-21T09:30:00.123456789+05:30',
    '2024-02-29T23:59:59-23:59',
  ])('that is a date and time takes %s (RFC 3339)', (value) => {
    expect(check({ type: 'string', format: 'date-time' }, value, '#/due')).toBeUndefined();
  });

  it.each([
    '2026-11-21',
    '2026-11-21T09:30Z',
    '2026-11-21T109:30:00Z',
    '2026-11-21T09:30:00',
    '2026-11-21T24:00:00Z',
    '2026-11-21T09:60:00Z',
    '2026-11-21T09:30:61Z',
    '2026-11-21T09:30:00.Z',
    '2026-11-21T09:30:00+0530',
    '2026-11-21T09:30:00+05',
    '2026-11-21T09:30:00+24:00',
    '2026-02-30T09:30:00Z',
    '2026-11-21\t09:30:00Z',
    '2026-11-21T09:30:00Z ',
    '2026-11-21T09:30:00Z\n',
    ' 2026-11-21T09:30:00Z',
  ])('that is a date and time does not take %j', (value) => {
    expect(check({ type: 'string', format: 'date-time' }, value, '#/due')?.detail).toBe(
      `Must be a date and time such as "2026-11-21T09:30:00Z", not ${JSON.stringify(value)}.`,
    );
  });
});

describe('an element of an array', () => {
  it('that is wrong is pointed at', () => {
    const labels: PropertySchema = { type: 'array', items: { type: 'string', pattern: notBlank }, maxItems: 3 };
    expect(check(labels, ['a', ' ', 5], '#/labels')).toEqual({
      pointer: '#/labels/1',
      detail: 'Must be a string with a character that is not white space, not " ".',
    });
    expect(check(labels, ['a', 'b', 'c', 5], '#/labels')).toHaveProperty('pointer', '#/labels/3');
    expect(check(labels, ['a', 'b', 'c', 'd'], '#/labels')).toHaveProperty('pointer', '#/labels');
  });
});
