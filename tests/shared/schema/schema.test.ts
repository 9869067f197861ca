import { describe, expect, it } from '@jest/globals';
import * as v from 'valibot';
import { check } from '../../../shared/schema/check.js';
import { date, dateTime, rule, text } from '../../../shared/schema/formats.js';
import { createParser, type JsonObject, memberOf } from '../../../shared/schema/parse.js';
import { resource } from '../../../shared/schema/resource.js';
import { aParcel, parcel } from '../../support/service/parcels.js';

// oracle.test.ts compares which values are valid with another validator. Here are the messages, and the members that result.

const notBlank = v.pipe(v.string(), v.regex(/\S/, 'Must contain a character that is not white space'));
const positive = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5));
const finite = v.pipe(v.number(), v.finite());
const integers = v.pipe(v.array(v.nullable(v.pipe(v.number(), v.integer()))), v.minLength(1), v.maxLength(2));
const unique = rule((values: number[]) => new Set(values).size === values.length, 'Must have no duplicates', {});

describe('a member', () => {
  it.each<[declared: string, v.GenericSchema, unknown, detail: string]>([
    ['a text', v.string(), undefined, 'Must be a string, but is missing.'],
    ['a text that is not blank', notBlank, ' ', 'Must contain a character that is not white space; got " ".'],
    ['a text that is not blank', notBlank, 5, 'Must be a string; got 5.'],
    ['a short text', text({ max: 3 }), 'abcd', 'Must be a string of at most 3 characters; got "abcd".'],
    [
      'a short text',
      text({ max: 3 }),
      'x'.repeat(999),
      `Must be a string of at most 3 characters; got "${'x'.repeat(100)}…".`,
    ],
    ['one of some', v.picklist(['a', 'b"']), 'A', 'Must be one of "a", "b\\""; got "A".'],
    [
      'a GUID',
      v.optional(v.pipe(v.string(), v.uuid())),
      '019aa5f2',
      'Must be a GUID such as "019a0000-0000-7000-8000-000000000000"; got "019aa5f2".',
    ],
    ['a day', date(), '2026-02-29', 'Must be a date such as "2026-11-21"; got "2026-02-29".'],
    ['a day', v.optional(date()), null, 'Must be a date such as "2026-11-21"; got null.'],
    [
      'a time',
      dateTime(),
      '2026-11-21T09:30Z',
      'Must be a date and time such as "2026-11-21T09:30:00Z"; got "2026-11-21T09:30Z".',
    ],
    ['an integer with limits', positive, 1.5, 'Must be an integer from 1 to 5; got 1.5.'],
    ['an integer with limits', v.optional(positive, 1), 'a', 'Must be an integer from 1 to 5; got "a".'],
    ['a number', finite, Number.POSITIVE_INFINITY, 'Must be a number; got Infinity.'],
    ['a number', v.pipe(finite, v.minValue(0)), -0.1, 'Must be a number of at least 0; got -0.1.'],
    ['a number', v.pipe(finite, v.gtValue(0), v.ltValue(5)), 0, 'Must be a number above 0 and below 5; got 0.'],
    ['a flag', v.boolean(), null, 'Must be true or false; got null.'],
    ['a flag', v.boolean(), [true], 'Must be true or false; got an array.'],
    ['one with null', v.nullable(finite), true, 'Must be a number, or null; got true.'],
    ['an array', v.array(v.boolean()), { 0: true }, 'Must be an array, each true or false; got an object.'],
    [
      'an array with limits',
      integers,
      [],
      'Must be an array with a length from 1 to 2, each an integer, or null, but has 0.',
    ],
    [
      'an array with limits',
      integers,
      [1, 2, 3],
      'Must be an array with a length from 1 to 2, each an integer, or null, but has 3.',
    ],
    ['an array without duplicates', v.pipe(v.array(finite), unique), [1, 1], 'Must have no duplicates, but has 2.'],
  ])('declared as %s is refused with what it must be: %#', (_declared, schema, value, detail) => {
    expect(check(schema, value, '#/member')).toEqual({ error: { pointer: '#/member', detail } });
  });

  it('that is an array is named by the pointer of its first wrong element', () => {
    const labels = v.optional(v.pipe(v.array(v.nullable(notBlank)), v.maxLength(3)));
    const faultOf = (value: unknown) => check(labels, value, '#/labels');
    const error = { pointer: '#/labels/1', detail: 'Must contain a character that is not white space; got " ".' };
    expect(faultOf(['a', ' ', 5])).toEqual({ error });
    const other = { pointer: '#/labels/3', detail: 'Must be a string, or null; got 5.' };
    expect(faultOf(['a', 'b', 'c', 5])).toEqual({ error: other });
  });

  it('is found by its exact name, otherwise the last one in another letter case, and is never inherited', () => {
    expect(memberOf({ name: 1, NAME: 2, names: 3 }, 'name')).toBe(1);
    expect(memberOf({ NAME: 2, name: 1 }, 'name')).toBe(1);
    expect(memberOf({ NAME: 1, Name: 2 }, 'name')).toBe(2);
    expect(memberOf(Object.create({ name: 1, NAME: 2 }), 'name')).toBeUndefined();
    expect(memberOf({ names: 1, NAM: 2 }, 'name')).toBeUndefined();
    for (const name of ['toString', '__proto__']) expect(memberOf({}, name)).toBeUndefined();
  });
});

describe('the members of a body', () => {
  const { whole, patch } = createParser(parcel);
  const day = '2026-11-21';

  it('have defaults and the order of the schema, and no others', () => {
    const parsed = whole({ FRAGILE: true, day, label: 'a', key: 1, other: 2 });
    const expected = { members: aParcel({ label: 'a', day, fragile: true }) };
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(expected));
  });

  it('of a patch are those that were sent; null is the default, or takes the member away (RFC 7396)', () => {
    expect(patch({ other: 1 })).toEqual({ members: {} });
    expect(patch({ PIECES: null, note: null, day: null })).toStrictEqual({
      members: { note: null, day: undefined, pieces: 1 },
    });
    expect(patch({ label: null })).toMatchObject({ errors: [{ pointer: '#/label' }] });
  });

  it('that are wrong have one error each, however long an array is', () => {
    const wrong = Array.from({ length: 100_000 }, () => '');
    expect(whole({ tags: wrong, sizes: wrong, fragile: 1 })).toMatchObject({
      errors: ['#/label', '#/fragile', '#/tags/0', '#/sizes/0'].map((pointer) => ({ pointer })),
    });
  });

  it('are found in one search, because a body of 1 MiB may have a hundred thousand', () => {
    let searches = 0;
    const ownKeys = (sent: JsonObject) => {
      searches += 1;
      return Reflect.ownKeys(sent);
    };
    expect(whole(new Proxy<JsonObject>({ LABEL: 'a', Pieces: 2 }, { ownKeys }))).toHaveProperty('members.pieces', 2);
    expect(searches).toBe(1);
  });
});

it('a resource has all members of its initial item, if it has one, or names each wrong one', () => {
  const declare = (initial?: object) => resource({ name: 'parcel', schema: parcel, ...(initial && { initial }) });
  expect(declare()).toEqual({ name: 'parcel', schema: parcel });
  expect(declare({ label: 'first' }).initial).toEqual(aParcel({ label: 'first' }));
  const message = /^The initial item of parcel is not valid. #\/label: Must .* #\/pieces: Must be an integer/;
  expect(() => declare({ label: '', pieces: 9 })).toThrow(message);
});
