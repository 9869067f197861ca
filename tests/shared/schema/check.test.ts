import { describe, expect, it } from '@jest/globals';
import { check } from '../../../shared/schema/check.js';
import type { PropertySchema } from '../../../shared/schema/schema.js';

const notBlank = { expression: /\S/, description: 'a character that is not white space' };
const positive: PropertySchema = { type: 'integer', minimum: 1, maximum: 5 };
const flags: PropertySchema = { type: 'array', items: { type: 'boolean' } };
const unique: PropertySchema = {
  type: 'array',
  items: { type: 'integer', nullable: true },
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
};
// @ts-expect-error a number has at most one lower limit
const both: PropertySchema = { type: 'number', minimum: 1, exclusiveMinimum: 0 };
const dateTime: PropertySchema = { type: 'string', format: 'date-time' };

// oracle.test.ts compares which values are valid with another validator. Here are the values at the limits, and the messages.

describe('a member', () => {
  it.each<[PropertySchema, unknown[]]>([
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '😀😀😀', '\ud800x']],
    [{ type: 'string', format: 'date' }, ['2026-11-21', '2024-02-29', '0001-01-01']],
    [{ type: 'integer' }, [0, -7, 1e21, -0]],
    [positive, [1, 5]],
    [{ type: 'number', exclusiveMinimum: 0 }, [5e-324, 1e300]],
    [{ type: 'integer', nullable: true }, [null, 1]],
    [unique, [[1], [1, null]]],
    [dateTime, ['2026-11-21T09:30:00Z', '2026-11-21t09:30:00z', '2026-11-21 09:30:00Z', '2024-02-29T23:59:59-23:59']],
    [dateTime, ['2026-11-21T09:30:00.123456789+05:30']],
  ])('of %j may be each of %j', (property, values) => {
    for (const value of values) expect([value, check(property, value, '#/member')]).toEqual([value, undefined]);
  });

  it.each<[PropertySchema, unknown, string]>([
    [{ type: 'string' }, undefined, 'Must be a string, but is missing.'],
    [{ type: 'string' }, null, 'Must be a string; got null.'],
    [{ type: 'string' }, 5, 'Must be a string; got 5.'],
    [{ type: 'string' }, {}, 'Must be a string; got an object.'],
    [{ type: 'string', minLength: 2, maxLength: 3 }, 'abcd', 'Must be a string of 2 to 3 characters; got "abcd".'],
    [{ type: 'string', minLength: 2, maxLength: 3 }, '😀', 'Must be a string of 2 to 3 characters; got "😀".'],
    [{ type: 'string', minLength: 1 }, '', 'Must be a string of at least 1 character; got "".'],
    [
      { type: 'string', maxLength: 9 },
      'x'.repeat(100),
      `Must be a string of at most 9 characters; got "${'x'.repeat(100)}".`,
    ],
    [
      { type: 'string', maxLength: 9 },
      'x'.repeat(101),
      `Must be a string of at most 9 characters; got "${'x'.repeat(100)}…".`,
    ],
    [{ type: 'string', pattern: notBlank }, ' ', 'Must contain a character that is not white space; got " ".'],
    [{ type: 'string', enum: ['a', 'b"'] }, 'A', 'Must be one of "a", "b\\""; got "A".'],
    [
      { type: 'string', format: 'uuid' },
      '019aa5f2',
      'Must be a GUID such as "019a0000-0000-7000-8000-000000000000"; got "019aa5f2".',
    ],
    [{ type: 'integer' }, 1.5, 'Must be an integer; got 1.5.'],
    [positive, 0, 'Must be an integer from 1 to 5; got 0.'],
    [{ type: 'number' }, Infinity, 'Must be a number; got Infinity.'],
    [{ type: 'number', minimum: 0 }, -0.1, 'Must be a number of at least 0; got -0.1.'],
    [{ type: 'number', maximum: 0.5 }, 0.6, 'Must be a number of at most 0.5; got 0.6.'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'Must be a number above 0; got 0.'],
    [both, 0, 'Must be a number above 0; got 0.'],
    [{ type: 'integer', exclusiveMinimum: 0, maximum: 5 }, 6, 'Must be an integer above 0 and at most 5; got 6.'],
    [{ type: 'boolean' }, 'true', 'Must be true or false; got "true".'],
    [{ type: 'integer', nullable: true }, 'x', 'Must be an integer, or null; got "x".'],
    [flags, { 0: true }, 'Must be an array, each true or false; got an object.'],
  ])('of %j may not be %j: %s', (property, value, detail) => {
    expect(check(property, value, '#/member')).toEqual({ pointer: '#/member', detail });
  });

  it.each([
    [[], '0 elements'],
    [[1, 2, 3], '3 elements'],
    [[1, 1], 'duplicates'],
  ])('that is an array without duplicates may not be %j, and the error says what it has', (value, has) => {
    const rule = 'an array of 1 to 2 elements without duplicates, each an integer, or null';
    expect(check(unique, value, '#/member')?.detail).toBe(`Must be ${rule}, but has ${has}.`);
  });

  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '+002026-11-21', '2026-11-21T00:00:00Z'])(
    'that is a date may not be %j',
    (value) => {
      const detail = `Must be a date such as "2026-11-21"; got "${value}".`;
      expect(check({ type: 'string', format: 'date' }, value, '#/day')?.detail).toBe(detail);
    },
  );

  it.each([
    ...['2026-11-21', '2026-11-21T09:30Z', '2026-11-21T109:30:00Z', '2026-11-21T09:30:00', '2026-11-21T24:00:00Z'],
    ...['2026-11-21T09:60:00Z', '2026-11-21T09:30:61Z', '2026-11-21T09:30:00.Z', '2026-11-21T09:30:00+0530'],
    ...['2026-11-21T09:30:00+24:00', '2026-02-30T09:30:00Z', '2026-11-21\t09:30:00Z', '2026-11-21T09:30:00Z\n'],
  ])('that is a date and time (RFC 3339) may not be %j', (value) => {
    const detail = `Must be a date and time such as "2026-11-21T09:30:00Z"; got ${JSON.stringify(value)}.`;
    expect(check(dateTime, value, '#/due')?.detail).toBe(detail);
  });
});

it('a wrong element of an array is named by its pointer', () => {
  const labels: PropertySchema = { type: 'array', items: { type: 'string', pattern: notBlank }, maxItems: 3 };
  expect(check(labels, ['a', ' ', 5], '#/labels')).toEqual({
    pointer: '#/labels/1',
    detail: 'Must contain a character that is not white space; got " ".',
  });
  expect(check(labels, ['a', 'b', 'c', 5], '#/labels')).toHaveProperty('pointer', '#/labels/3');
  expect(check(labels, ['a', 'b', 'c', 'd'], '#/labels')).toHaveProperty('pointer', '#/labels');
});
