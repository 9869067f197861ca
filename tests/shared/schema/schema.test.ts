import { describe, expect, it } from '@jest/globals';
import { check } from '../../../shared/schema/check.js';
import { createParser, type JsonObject, memberOf } from '../../../shared/schema/parse.js';
import { resource } from '../../../shared/schema/resource.js';
import type { PropertySchema } from '../../../shared/schema/schema.js';
import { aParcel, parcel } from '../../support/service/parcels.js';

// oracle.test.ts compares which values are valid, and the members that result, with another validator. Here are the messages.

const notBlank = { expression: /\S/, description: 'a character that is not white space' };
const twoOrThree: PropertySchema = { type: 'string', minLength: 2, maxLength: 3 };
const positive: PropertySchema = { type: 'integer', minimum: 1, maximum: 5 };
const integers: PropertySchema = {
  type: 'array',
  items: { type: 'integer', nullable: true },
  minItems: 1,
  maxItems: 2,
};
const labels: PropertySchema = { type: 'array', items: { type: 'string', pattern: notBlank }, maxItems: 3 };
// @ts-expect-error a number has at most one lower limit
const both: PropertySchema = { type: 'number', minimum: 1, exclusiveMinimum: 0 };

describe('a member', () => {
  it.each<[PropertySchema, unknown, string]>([
    [{ type: 'string' }, undefined, 'Must be a string, but is missing.'],
    [twoOrThree, 'abcd', 'Must be a string of 2 to 3 characters; got "abcd".'],
    [{ type: 'string', minLength: 1 }, '', 'Must be a string of at least 1 character; got "".'],
    [twoOrThree, 'x'.repeat(100), `Must be a string of 2 to 3 characters; got "${'x'.repeat(100)}".`],
    [twoOrThree, 'x'.repeat(101), `Must be a string of 2 to 3 characters; got "${'x'.repeat(100)}…".`],
    [{ type: 'string', pattern: notBlank }, ' ', 'Must contain a character that is not white space; got " ".'],
    [
      { type: 'string', minLength: 2, pattern: notBlank },
      ' ',
      'Must be a string of at least 2 characters that contains a character that is not white space; got " ".',
    ],
    [{ type: 'string', enum: ['a', 'b"'] }, 'A', 'Must be one of "a", "b\\""; got "A".'],
    [positive, 1.5, 'Must be an integer from 1 to 5; got 1.5.'],
    [{ type: 'number' }, Infinity, 'Must be a number; got Infinity.'],
    [{ type: 'number', minimum: 0 }, -0.1, 'Must be a number of at least 0; got -0.1.'],
    [{ type: 'number', maximum: 0.5 }, 0.6, 'Must be a number of at most 0.5; got 0.6.'],
    [both, 0, 'Must be a number above 0; got 0.'],
    [{ type: 'integer', exclusiveMinimum: 0, maximum: 5 }, 6, 'Must be an integer above 0 and at most 5; got 6.'],
    [{ type: 'boolean' }, null, 'Must be true or false; got null.'],
    [{ type: 'integer', nullable: true }, true, 'Must be an integer, or null; got true.'],
    [
      { type: 'array', items: { type: 'boolean' } },
      { 0: true },
      'Must be an array, each true or false; got an object.',
    ],
    [integers, [], 'Must be an array of 1 to 2 elements, each an integer, or null, but has 0 elements.'],
    [integers, [1, 2, 3], 'Must be an array of 1 to 2 elements, each an integer, or null, but has 3 elements.'],
  ])('of %j may not be %j: %s', (property, value, detail) => {
    expect(check(property, value, '#/member')).toEqual({ pointer: '#/member', detail });
  });

  it('that is an array is named by the pointer of its first wrong element, or by its own', () => {
    const detail = 'Must contain a character that is not white space; got " ".';
    expect(check(labels, ['a', ' ', 5], '#/labels')).toEqual({ pointer: '#/labels/1', detail });
    expect(check(labels, ['a', 'b', 'c', 5], '#/labels')).toHaveProperty('pointer', '#/labels/3');
    expect(check(labels, ['a', 'b', 'c', 'd'], '#/labels')).toHaveProperty('pointer', '#/labels');
    const rule = 'an array of 1 to 2 elements without duplicates, each an integer, or null';
    const unique: PropertySchema = { ...integers, uniqueItems: true };
    expect(check(unique, [1, 1], '#/sizes')?.detail).toBe(`Must be ${rule}, but has duplicates.`);
  });

  it.each([
    ['uuid', 'GUID such as "019a0000-0000-7000-8000-000000000000"', ['019aa5f2']],
    ['date', 'date such as "2026-11-21"', ['2026-02-29', '2026-13-01', '2026-1-1', '2026-11-21T00:00:00Z']],
    [
      'date-time',
      'date and time such as "2026-11-21T09:30:00Z"',
      [
        ...['2026-11-21', '2026-11-21T09:30Z', '2026-11-21T109:30:00Z', '2026-11-21T09:30:00', '2026-11-21T24:00:00Z'],
        ...['2026-11-21T09:60:00Z', '2026-11-21T09:30:61Z', '2026-11-21T09:30:00.Z', '2026-11-21T09:30:00+0530'],
        ...['2026-11-21T09:30:00+24:00', '2026-02-30T09:30:00Z', '2026-11-21\t09:30:00Z', '2026-11-21T09:30:00Z\n'],
      ],
    ],
  ] as const)('of the format %s must be a %s, and not one of %j', (format, expected, values) => {
    for (const value of values) {
      const detail = `Must be a ${expected}; got ${JSON.stringify(value)}.`;
      expect(check({ type: 'string', format }, value, '#/day')).toEqual({ pointer: '#/day', detail });
    }
  });

  it('is found by its exact name, otherwise the last one in another letter case, and is never inherited (rule 8)', () => {
    expect(memberOf({ name: 1, NAME: 2, names: 3 }, 'name')).toBe(1);
    expect(memberOf({ NAME: 1, Name: 2 }, 'name')).toBe(2);
    expect(memberOf(Object.create({ name: 1, NAME: 2 }), 'name')).toBeUndefined();
    expect(memberOf({ names: 1, NAM: 2 }, 'name')).toBeUndefined();
    for (const name of ['toString', '__proto__']) expect(memberOf({}, name)).toBeUndefined();
  });
});

it('all members of a body are found in one search, because a body of 1 MiB may have a hundred thousand', () => {
  let searches = 0;
  const ownKeys = (sent: JsonObject) => {
    searches += 1;
    return Reflect.ownKeys(sent);
  };
  const whole = createParser(parcel).whole;
  const sent = { ...aParcel({ label: 'a' }), Label: 'b' };
  const shouted: JsonObject = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name.toUpperCase(), value]),
  );
  expect(whole(new Proxy(shouted, { ownKeys }))).toEqual(whole({ ...sent, label: 'b' }));
  expect(searches).toBe(1);
  whole(new Proxy({ ...sent }, { ownKeys }));
  expect(searches).toBe(1);
});

it('a resource has all members of its first item, if it has one, or names each wrong one', () => {
  const declare = (first?: object) => resource({ name: 'parcel', schema: parcel, ...(first && { first }) });
  expect(declare()).toEqual({ name: 'parcel', schema: parcel });
  expect(declare({ label: 'first' }).first).toEqual(aParcel({ label: 'first' }));
  const message = /^The first item of parcel is not valid. #\/label: Must .* #\/pieces: Must be an integer/;
  expect(() => declare({ label: '', pieces: 9 })).toThrow(message);
});
