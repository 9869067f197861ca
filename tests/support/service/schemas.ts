import fc from 'fast-check';
import { check } from '../../../shared/schema/check.js';
import type { ObjectSchema, PropertySchema, ScalarSchema } from '../../../shared/schema/schema.js';

/** A property as tests read it. */
export type AnyProperty = PropertySchema;

const patterns = [
  { expression: /\S/, description: 'a character that is not white space' },
  { expression: /^(?:[a-c]|😀)*$/, description: 'nothing but a, b, c and 😀' },
  { expression: /x|\d$/, description: 'an x, or a digit at the end' },
  { expression: /[^\t-\r \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/, description: 'a character' },
];

const texts = ['a', 'b', 'express', 'Express', '', ' '];

const bounds = (least: number, most: number) => fc.tuple(fc.integer({ min: least, max: most }), fc.nat(3));

const strings = fc.oneof(
  fc.constant({}),
  bounds(0, 3).map(([minLength, more]) => ({ minLength, maxLength: minLength + more })),
  fc.nat(3).map((minLength) => ({ minLength })),
  fc.nat(3).map((maxLength) => ({ maxLength })),
  fc.constantFrom(...patterns).map((pattern) => ({ pattern })),
  fc.tuple(fc.constantFrom(...patterns), fc.nat(2)).map(([pattern, minLength]) => ({ pattern, minLength })),
  fc.subarray(texts, { minLength: 1 }).map((values) => ({ enum: values })),
  fc.constantFrom('date' as const, 'date-time' as const, 'uuid' as const).map((format) => ({ format })),
);

const numbers = fc.oneof(
  fc.constant({}),
  bounds(-3, 3).map(([minimum, more]) => ({ minimum, maximum: minimum + more })),
  fc.constantFrom(-1, 0, 0.5).map((minimum) => ({ minimum })),
  fc.constantFrom(-1, 0, 0.5).map((maximum) => ({ maximum })),
);

const nullable = fc.constantFrom({}, {}, { nullable: true as const });

const scalar: fc.Arbitrary<ScalarSchema> = fc.oneof(
  fc.tuple(strings, nullable).map(([facets, more]) => ({ type: 'string' as const, ...facets, ...more })),
  fc
    .tuple(fc.constantFrom('integer' as const, 'number' as const), numbers, nullable)
    .map(([type, facets, more]) => ({ type, ...facets, ...more })),
  nullable.map((more) => ({ type: 'boolean' as const, ...more })),
);

const array: fc.Arbitrary<PropertySchema> = fc
  .tuple(
    scalar,
    fc.oneof(
      fc.constant({}),
      bounds(0, 2).map(([minItems, more]) => ({ minItems, maxItems: minItems + more })),
      fc.nat(2).map((maxItems) => ({ maxItems })),
    ),
    fc.constantFrom({}, { uniqueItems: true }),
    nullable,
  )
  .map(([items, count, unique, more]) => ({ type: 'array' as const, items, ...count, ...unique, ...more }));

const property = fc
  .oneof({ weight: 3, arbitrary: scalar as fc.Arbitrary<PropertySchema> }, { weight: 1, arbitrary: array })
  .chain((schema) =>
    fc
      .option(anyValue(schema))
      .map(
        (value) =>
          (value === null || check(schema, value, '') ? schema : { ...schema, default: value }) as PropertySchema,
      ),
  );

/** Any schema: some members of any types, behind the key. Defaults are valid, which the generator of the documents sees to. */
export const anySchema: fc.Arbitrary<ObjectSchema> = fc
  .array(property, { minLength: 1, maxLength: 4 })
  .map((properties) => ({
    title: 'Any',
    properties: {
      key: { type: 'string', format: 'uuid', readOnly: true },
      ...Object.fromEntries(properties.map((schema, index) => [`member${index}`, schema])),
    },
  }));

/**
 * Makes bodies for a schema, most of them nearly right.
 *
 * @param schema - The schema.
 * @returns Bodies, each member of the schema in them or not, and one that the schema doesn't have.
 */
export function anyBody({ properties }: ObjectSchema): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries<PropertySchema>(properties)
    .filter(([, { readOnly }]) => !readOnly)
    .map(([name, schema]) => [name, anyValue(schema)] as const);
  return fc.record(
    { ...Object.fromEntries(members), key: fc.jsonValue(), other: fc.jsonValue() },
    { requiredKeys: [] },
  );
}

const wrong = fc.oneof(fc.constantFrom(null, null, '', 0, true, [], {}, [null]), fc.jsonValue({ maxDepth: 1 }));

function anyValue(schema: PropertySchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: likely(schema) }, { weight: 1, arbitrary: wrong });
}

/** A value of the type, near to the bounds of what the schema admits. */
function likely(schema: PropertySchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      if (schema.enum) return fc.constantFrom(...schema.enum, ...texts);
      return schema.format ? formatted[schema.format] : text;
    case 'integer':
      return fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -4, max: 7 }) }, number);
    case 'number':
      return fc.oneof(fc.integer({ min: -4, max: 7 }), number);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(anyValue(schema.items), { maxLength: 4 });
  }
}

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'x', '7', ' ', '\u3000', '😀', '\ud800', '\udc00'),
  maxLength: 5,
});

const number = fc.oneof(
  fc.constantFrom(0.5, -0.5, 2.5, 1e21, -1e300, 5e-324, -0, Number.POSITIVE_INFINITY, 2 ** 53),
  fc.double({ noNaN: true }),
);

const two = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));

const date = fc
  .tuple(fc.constantFrom('2024', '2026', '1900', '2000', '0001', '9999'), two(13), two(32))
  .map((parts) => parts.join('-'));

const dateTime = fc
  .tuple(
    date,
    fc.constantFrom('T', 't', ' ', '\t', '_', ''),
    fc.tuple(two(24), two(60), two(61)).map((parts) => parts.join(':')),
    fc.constantFrom('', '', '.5', '.123456789', '.', ',5'),
    fc.constantFrom('Z', 'z', '+00:00', '-23:59', '+05:30', '+0530', '+05', '+24:00', '+05:60', ''),
  )
  .map((parts) => parts.join(''));

/** One character is taken away, put in, or put in the place of another. */
function mutated(values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(values, fc.nat(40), fc.nat(1), fc.constantFrom('', '0', '9', '-', ':', ' ', 'a', 'g', '\n'));
  return fc.oneof(
    { weight: 3, arbitrary: values },
    {
      weight: 1,
      arbitrary: change.map(([value, at, taken, put]) => value.slice(0, at) + put + value.slice(at + taken)),
    },
  );
}

const valid = {
  date: fc.constantFrom('2026-11-21', '2024-02-29'),
  'date-time': fc.constantFrom('2026-11-21T09:30:00Z', '2024-02-29t23:59:59.9-11:30'),
  uuid: fc.uuid().chain((value) => fc.constantFrom(value, value.toUpperCase())),
};

const formatted = {
  date: fc.oneof(valid.date, mutated(date)),
  'date-time': fc.oneof(valid['date-time'], mutated(dateTime)),
  uuid: mutated(valid.uuid),
};
