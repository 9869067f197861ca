import { expect, it } from '@jest/globals';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type JsonObject, parseMembers, writable } from '../../../shared/schema/schema.js';
import { type Parcel, parcel } from '../../support/service/parcels.js';
import { openApi } from '../../support/service/service.js';
import { createRandom } from '../../support/simulation/random.js';

const isDateTime = addFormats.default(new Ajv()).compile({ type: 'string', format: 'date-time' });
// The grammar of RFC 3339 (section 5.6), without leap seconds. ajv-formats alone takes more.
const grammar = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const ajv = addFormats.default(new Ajv2020({ strict: false, strictNumbers: true }));
ajv.addFormat('date-time', (text: string) => grammar.test(text) && isDateTime(text));

const TEXTS = ['a', 'bc', ' ', '\u3000', '', '\ud800', '😀', `${'😀'.repeat(40)}`, 'x'.repeat(41)];
const DAYS = ['2026-11-21', '2024-02-29', '2026-02-29', '2026-13-01', '0001-01-01', '2026-02-30', '2026-1-1'];
const TIMES = [
  ...['T09:30:00Z', 'T09:30:00z', 't23:59:59.5+14:00', ' 00:00:00-23:59', '_09:30:00Z', 'T09:30:00.Z'],
  ...['T24:00:00Z', 'T09:30:60Z', 'T09:30Z', 'T09:30:00', 'T09:30:00+24:00', 'T09:30:00+0530', 'T09:30:00+05:60'],
];
const UUIDS = ['019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47', '019AA5F2-7C4E-7A31-9D05-3B1F6D2C8E47'];
const NUMBERS = [0, -0, 1, 5, 6, -1, 0.5, 1.5, 49.5, 50, 5e-324, 1e21, 2 ** 53, Number.POSITIVE_INFINITY];

/** Values near the rules of each member. */
const VALUES: Readonly<Record<Exclude<keyof Parcel, 'key'>, readonly unknown[]>> = {
  label: TEXTS,
  note: TEXTS,
  service: ['letter', 'express', 'Express', ''],
  sender: UUIDS,
  day: DAYS,
  due: DAYS.flatMap((day) => TIMES.map((time) => day + time)),
  pieces: NUMBERS,
  weight: NUMBERS,
  fragile: [true, false],
  tags: TEXTS,
  sizes: [...NUMBERS, null],
};

const OTHERS = [null, null, '', 'a', 0, true, [], {}, [null], ['a'], [1], { a: 1 }];

it.each(Object.entries(VALUES))('%s is valid exactly when ajv accepts it by the document', (name, values) => {
  const { next, pick } = createRandom(42);
  const below = (end: number) => Math.floor(next() * end);
  /** With one character removed, added or replaced. */
  const nearly = (text: string, at = below(text.length + 1)) =>
    text.slice(0, at) + pick(['', '0', '9', '-', ':', 'g', '\n']) + text.slice(at + below(2));
  const someValue = () => {
    if (below(6) === 0) return pick(OTHERS);
    if (/^(tags|sizes)$/.test(name)) return Array.from({ length: below(5) }, () => pick(values));
    const value = pick(values);
    return typeof value === 'string' && below(2) ? nearly(value) : value;
  };
  const { Parcel: POST, ParcelPatch: PATCH } = openApi.components.schemas;
  const seen = new Set<string>();
  for (const [method, definition] of Object.entries({ POST, PATCH })) {
    const accepts = ajv.compile(definition ?? false);
    for (let count = 0; count < 300; count += 1) {
      const body: JsonObject = { label: 'a', ...(below(9) && { [name]: someValue() }), key: pick(OTHERS) };
      const isValid = parseMembers(writable(parcel), body, method === 'PATCH').errors.length === 0;
      if (isValid !== accepts(body)) expect({ method, body, isValid }).toEqual('as by the document');
      seen.add(`${method} ${isValid}`);
    }
  }
  expect(seen.size).toBe(4);
});
