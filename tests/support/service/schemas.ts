import fc from 'fast-check';
import { definitionsOf } from '../../../docs/generator/definition.js';
import { describeService, type OpenApi } from '../../../docs/generator/describe.js';
import { check } from '../../../shared/schema/check.js';
import type { ObjectSchema, PropertySchema } from '../../../shared/schema/schema.js';

const notBlank = { expression: /\S/, description: 'a character that is not white space' };
const fewLetters = { expression: /^(?:[a-c]|😀)*$/, description: 'nothing but a, b, c and 😀' };
const name = { expression: /x|\d$/, description: 'an x, or a digit at the end' };

/** Each keyword at least once. */
const properties: readonly PropertySchema[] = [
  { type: 'string', minLength: 2, maxLength: 4 },
  { type: 'string', minLength: 1 },
  { type: 'string', maxLength: 3 },
  { type: 'string', pattern: notBlank },
  { type: 'string', pattern: fewLetters, minLength: 2 },
  { type: 'string', pattern: name },
  { type: 'string', enum: ['a', 'express', ''] },
  { type: 'string', format: 'date' },
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'uuid' },
  { type: 'integer', minimum: -1, maximum: 3 },
  { type: 'integer', exclusiveMinimum: 0 },
  { type: 'number', minimum: 0.5 },
  { type: 'number', exclusiveMinimum: -2, maximum: 0.5 },
  { type: 'boolean' },
  { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 3 },
  { type: 'array', items: { type: 'integer', maximum: 2, nullable: true }, uniqueItems: true },
];

/** Any of them, null or not, without a default or with a valid one. */
const property = fc
  .tuple(fc.constantFrom(...properties), fc.constantFrom({}, {}, { nullable: true as const }))
  .map(([schema, more]) => ({ ...schema, ...more }))
  .chain((schema) =>
    fc
      .option(anyValue(schema))
      .map((value) => (value === null || check(schema, value, '') ? schema : { ...schema, default: value })),
  ) as fc.Arbitrary<PropertySchema>;

/** Any schema: the key, then some members of any types. */
export const anySchema: fc.Arbitrary<ObjectSchema> = fc
  .array(property, { minLength: 1, maxLength: 4 })
  .map((properties) => ({
    title: 'Any',
    properties: {
      key: { type: 'string', format: 'uuid', readOnly: true },
      ...Object.fromEntries(properties.map((schema, index) => [`member${index}`, schema])),
    },
  }));

/** Bodies for a schema, most of them nearly valid. Members may be missing, and an unknown one may be there. */
export function anyBody({ properties: { key, ...members } }: ObjectSchema): fc.Arbitrary<Record<string, unknown>> {
  const sent = Object.entries<PropertySchema>(members).map(([name, schema]) => [name, anyValue(schema)]);
  return fc.record({ ...Object.fromEntries(sent), key: fc.jsonValue(), other: fc.jsonValue() }, { requiredKeys: [] });
}

const wrong = fc.oneof(fc.constantFrom(null, null, '', 0, true, [], {}, [null]), fc.jsonValue({ maxDepth: 1 }));

/** A value of the schema's type, near its bounds, or now and then any other. */
function anyValue(schema: PropertySchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: likely(schema) }, { weight: 1, arbitrary: wrong });
}

function likely(schema: PropertySchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      if (schema.enum) return fc.constantFrom(...schema.enum, 'Express', 'b');
      if (schema.format) return fc.oneof(formatted[schema.format], mutated(formatted[schema.format]));
      return fc.string({
        unit: fc.constantFrom('a', 'b', 'x', '7', ' ', '\u3000', '😀', '\ud800', '\udc00'),
        maxLength: 6,
      });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(anyValue(schema.items), { maxLength: 5 });
    default:
      return fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -4, max: 7 }) }, number);
  }
}

const number = fc.oneof(
  fc.constantFrom(0.5, -0.5, 2.5, 1e21, -1e300, 5e-324, -0, Number.POSITIVE_INFINITY, 2 ** 53),
  fc.double({ noNaN: true }),
);

const formatted = {
  date: fc.stringMatching(/^(2024|2026|1900|2000|0001|9999)-(02-(28|29|30)|[01]\d-[0-3]\d)$/),
  'date-time': fc.stringMatching(
    /^2024-02-(28|29|30)[Tt _]([01]\d|2[34]):[0-6]\d:(00|59|60)([.,]\d{1,9}|)([Zz]|[+-]([01]\d|2[34]):?[0-6]\d)$/,
  ),
  uuid: fc.stringMatching(/^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12})$/),
};

/** The same values with one character removed, added or replaced. */
function mutated(values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const characters = fc.constantFrom('', '0', '9', '-', ':', ' ', 'a', 'g', '\n');
  return fc
    .tuple(values, fc.nat(40), fc.nat(1), characters)
    .map(([value, at, taken, put]) => value.slice(0, at) + put + value.slice(at + taken));
}

/** Describes a service that takes items of a schema, in the format of OpenAPI 3.1, without its operations. */
export function describeItems(schema: ObjectSchema): OpenApi {
  const comment = { location: 'schema', summary: 'A sentence.', tags: new Map() };
  const members = Object.keys(schema.properties).map((name) => `schema.properties.${name}`);
  const comments = new Map(['schema', ...members].map((name) => [name, comment]));
  const empty = describeService({ version: 'v1', title: 'A service', description: 'A service.' }, []);
  return { ...empty, components: { schemas: definitionsOf(schema, 'schema', comments) } };
}
