import { expect, it } from '@jest/globals';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { definitionsOf } from '../../../docs/generator/schemas.js';
import { createParser } from '../../../shared/schema/parse.js';
import type { ObjectSchema, PropertySchema } from '../../../shared/schema/schema.js';

const formats = addFormats.default(new Ajv());
const isDateTime = formats.compile({ type: 'string', format: 'date-time' });
// RFC 3339's grammar (section 5.6), which ajv-formats checks loosely; without leap seconds.
const grammar = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const ajv = addFormats.default(new Ajv2020({ strict: false, strictNumbers: true }));
ajv.addFormat('date-time', (text: string) => grammar.test(text) && isDateTime(text));

const letters = fc.string({
  unit: fc.constantFrom('a', 'b', 'x', '7', ' ', '\u3000', '😀', '\ud800', '\udc00'),
  maxLength: 6,
});
const numbers = fc.oneof(
  fc.integer({ min: -4, max: 7 }),
  fc.constantFrom(0.5, -0.5, 2.5, 1e21, -1e300, 5e-324, -0, Number.POSITIVE_INFINITY, 2 ** 53),
);
const days = fc.stringMatching(/^(2024|2026|1900|2000|0001|9999)-(02-(28|29|30)|[01]\d-[0-3]\d)$/);
const times = fc.stringMatching(
  /^2024-02-(28|29|30)[Tt _]([01]\d|2[34]):[0-6]\d:(00|59|60)([.,]\d{1,9}|)([Zz]|[+-]([01]\d|2[34]):?[0-6]\d)$/,
);
const guids = fc.stringMatching(/^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12})$/);

/** The same texts, and some with one character removed, added or replaced. */
function nearly(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const characters = fc.constantFrom('', '0', '9', '-', ':', ' ', 'a', 'g', '\n');
  const changed = fc
    .tuple(texts, fc.nat(40), fc.nat(1), characters)
    .map(([text, at, taken, put]) => text.slice(0, at) + put + text.slice(at + taken));
  return fc.oneof(texts, changed);
}

const notBlank = { expression: /\S/, description: 'a character that is not white space' };
const fewLetters = { expression: /^(?:[a-c]|😀)*$/, description: 'nothing but a, b, c and 😀' };

/** Each keyword at least once, with values near its bounds. */
const MEMBERS: readonly [PropertySchema, fc.Arbitrary<unknown>][] = [
  [{ type: 'string', minLength: 2, maxLength: 4 }, letters],
  [{ type: 'string', maxLength: 3, nullable: true, default: 'a' }, letters],
  [{ type: 'string', pattern: notBlank }, letters],
  [{ type: 'string', pattern: fewLetters, minLength: 2 }, letters],
  [{ type: 'string', enum: ['a', 'express', ''], nullable: true }, fc.constantFrom('a', 'express', '', 'Express')],
  [{ type: 'string', format: 'date' }, nearly(days)],
  [{ type: 'string', format: 'date-time', nullable: true, default: null }, nearly(times)],
  [{ type: 'string', format: 'uuid' }, nearly(guids)],
  [{ type: 'integer', minimum: -1, maximum: 3, default: 1 }, numbers],
  [{ type: 'integer', exclusiveMinimum: 0 }, numbers],
  [{ type: 'number', minimum: 0.5 }, numbers],
  [{ type: 'number', exclusiveMinimum: -2, maximum: 0.5, nullable: true }, numbers],
  [{ type: 'boolean', default: false }, fc.boolean()],
  [
    { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 3 },
    fc.array(letters, { maxLength: 4 }),
  ],
  [
    { type: 'array', items: { type: 'integer', maximum: 2, nullable: true }, uniqueItems: true, default: [] },
    fc.array(fc.option(numbers), { maxLength: 3 }),
  ],
];

const others = fc.oneof(fc.constantFrom(null, null, '', 0, true, [], {}, [null]), fc.jsonValue({ maxDepth: 1 }));

it.each(MEMBERS)(
  'a body with %j is valid exactly when ajv accepts it by the OpenAPI 3.1 document',
  (member, values) => {
    const key = { type: 'string', format: 'uuid' } as const;
    const schema: ObjectSchema = { title: 'Any', properties: { key, member } };
    const comment = { location: 'schema', summary: 'A sentence.', tags: new Map() };
    const comments = new Map(['', '.properties.key', '.properties.member'].map((path) => [`schema${path}`, comment]));
    const definitions = definitionsOf(schema, 'schema', comments);
    const parser = createParser(schema);
    const kinds = [
      { parse: parser.whole, admits: ajv.compile(definitions.Any ?? false), replaced: undefined },
      { parse: parser.patch, admits: ajv.compile(definitions.AnyPatch ?? false), replaced: null },
    ];
    const value = fc.oneof({ weight: 6, arbitrary: values }, { weight: 1, arbitrary: others });
    const bodies = fc.record({ member: value, key: fc.jsonValue(), other: fc.jsonValue() }, { requiredKeys: [] });
    const seen = new Set<boolean>();
    const agree = fc.property(fc.constantFrom(...kinds), bodies, ({ parse, admits, replaced }, body) => {
      const parsed = parse(body);
      const isValid = 'members' in parsed;
      expect({ body, isValid }).toEqual({ body, isValid: admits(body) });
      seen.add(isValid);
      if (!isValid) return;
      // The members that were sent, and defaults for the others.
      const sent = 'member' in body ? body.member : undefined;
      const stored = sent === replaced && member.default !== undefined ? member.default : sent;
      expect(parsed.members).toEqual(stored === undefined ? {} : { member: stored });
    });
    fc.assert(agree, { numRuns: 200 });
    expect(seen.size).toBe(2);
  },
);
