import { expect, it } from '@jest/globals';
import * as v from 'valibot';
import { date, dateTime, integer, text } from '../../../shared/schema/formats.js';
import { type JsonObject, membersIn, parseMembers, writable } from '../../../shared/schema/schema.js';
import { aParcel, parcel } from '../../support/service/parcels.js';

// oracle.test.ts compares with another validator which values are valid. This file tests messages, and the members that result.

const notBlank = v.pipe(v.string(), v.regex(/\S/, 'Must contain a character that is not white space'));
const number = v.pipe(v.number(), v.finite(), v.minValue(-1), v.maxValue(5), v.gtValue(-1), v.ltValue(5));
const array = v.pipe(v.array(v.nullable(notBlank)), v.minLength(1), v.maxLength(2));
const cut = `${'x'.repeat(100)}…`;

it.each<[detail: string, v.GenericSchema, unknown, path?: string]>([
  ['Must be a string, but is missing.', v.string(), undefined],
  ['Must contain a character that is not white space; got " ".', notBlank, ' '],
  [`Must be a string that matches /^a/; got "${cut}".`, v.pipe(v.string(), v.regex(/^a/)), 'x'.repeat(999)],
  ['Must be a UUID such as "019a0000-0000-7000-8000-000000000000"; got "a".', v.pipe(v.string(), v.uuid()), 'a'],
  ['Must be one of ("a" | "b"); got an array.', v.picklist(['a', 'b']), ['a']],
  ['Must be a string of at most 3 characters; got "abcd".', text({ max: 3 }), 'abcd'],
  ['Must be a date such as "2026-11-21"; got "2026-02-29".', date(), '2026-02-29'],
  ['Must be a date such as "2026-11-21"; got null.', v.optional(date()), null],
  ['Must be a date and time such as "2026-11-21T09:30:00Z"; got an object.', dateTime(), {}],
  ['Must be true or false; got "yes".', v.boolean(), 'yes'],
  ['Must be an integer from 1 to 5; got 1.5.', integer({ min: 1, max: 5 }), 1.5],
  ['Must be an integer from 1 to 5; got 6.', integer({ min: 1, max: 5 }), 6],
  ['Must be an integer; got 0.5.', v.pipe(v.number(), v.integer()), 0.5],
  ['Must be a number; got true.', number, true],
  ['Must be a finite number; got a number out of range.', number, JSON.parse('1e999')],
  ['Must be at least -1; got -2.', number, -2],
  ['Must be at most 5; got 6.', number, 6],
  ['Must be above -1; got -1.', number, -1],
  ['Must be below 5; got 5.', number, 5],
  ['Must be an array; got "a".', array, 'a'],
  ['Must be an array with a length of at least 1; got a length of 0.', array, []],
  ['Must be an array with a length of at most 2; got a length of 3.', array, ['a', 'a', 'a']],
  ['Must be a string; got an array.', array, ['a', ['b'], ' '], '/1'],
  ['Must contain a character that is not white space; got " ".', array, ['a', null, ' '], '/2'],
])('a wrong value is refused: %s', (detail, schema, value, path = '') => {
  expect(parseMembers({ member: schema }, { member: value }).errors).toEqual([{ path: `member${path}`, detail }]);
});

const day = '2026-11-21';
const entries = writable(parcel);

it('members have defaults and the order of the schema, and unknown ones are left out', () => {
  const { members } = parseMembers(entries, { fragile: true, day, label: 'a', key: 1, other: 2 });
  expect(JSON.stringify(members)).toBe(JSON.stringify(aParcel({ label: 'a', day, fragile: true })));
});

it('a patch contains the members that were sent, and null resets a member or removes it (RFC 7396)', () => {
  const patch = (values: JsonObject) => parseMembers(entries, values, true);
  expect(patch({ other: 1 })).toEqual({ members: {}, errors: [] });
  const reset = { note: null, day: undefined, pieces: 1 };
  expect(patch({ pieces: null, note: null, day: null })).toStrictEqual({ members: reset, errors: [] });
  expect(patch({ label: null }).errors).toEqual([{ path: 'label', detail: 'Must be a string; got null.' }]);
});

it('each wrong member has one error, however long an array is', () => {
  const wrong = Array.from({ length: 100_000 }, () => 'too long a tag');
  const errors = ['label', 'fragile', 'tags/0', 'sizes/0'].map((path) => ({ path }));
  expect(parseMembers(entries, { tags: wrong, sizes: wrong, fragile: 1 })).toMatchObject({ errors });
});

it('members are found by exact name, otherwise the last one in another letter case, none inherited', () => {
  const find = (object: JsonObject, ...names: string[]) => Object.values(membersIn(object, names));
  expect(find({ firstName: 1, FIRSTNAME: 2, firstNames: 3, B: 4 }, 'firstName', 'b')).toEqual([1, 4]);
  expect(find({ FIRSTNAME: 2, firstName: 1 }, 'firstName')).toEqual([1]);
  expect(find({ FIRSTNAME: 1, firstname: 2, first: 3 }, 'firstName')).toEqual([2]);
  expect(find(Object.create({ name: 1 }), 'name', 'toString', '__proto__')).toEqual([]);
});
