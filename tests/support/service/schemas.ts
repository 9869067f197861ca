import fc from 'fast-check';
import { describeService, type OpenApi } from '../../../docs/generator/describe.js';
import { route } from '../../../shared/routing/route.js';
import { check } from '../../../shared/schema/check.js';
import type { ObjectSchema, PropertySchema, ScalarSchema } from '../../../shared/schema/schema.js';

const patterns = [
  { expression: /\S/, description: 'a character that is not white space' },
  { expression: /^(?:[a-c]|😀)*$/, description: 'nothing but a, b, c and 😀' },
  { expression: /x|\d$/, description: 'an x, or a digit at the end' },
  { expression: /[^\t-\r \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/, description: 'a character' },
];

const texts = ['a', 'b', 'express', 'Express', '', ' '];

/** Both bounds under their names, one of them, or none. The lower one is never above the upper one. */
const bounds = <Lower extends string, Upper extends string>(lower: Lower, upper: Upper, values: fc.Arbitrary<number>) =>
  fc.tuple(values, values, fc.subarray([lower, upper])).map(([one, other, names]) => {
    const both = { [lower]: Math.min(one, other), [upper]: Math.max(one, other) };
    return Object.fromEntries(names.map((name) => [name, both[name]])) as { readonly [Name in Lower | Upper]?: number };
  });

const strings = fc.oneof(
  bounds('minLength', 'maxLength', fc.nat(5)),
  fc.tuple(fc.constantFrom(...patterns), fc.nat(2)).map(([pattern, minLength]) => ({ pattern, minLength })),
  fc.subarray(texts, { minLength: 1 }).map((values) => ({ enum: values })),
  fc.constantFrom('date' as const, 'date-time' as const, 'uuid' as const).map((format) => ({ format })),
);

const limits = fc.oneof(fc.integer({ min: -3, max: 6 }), fc.constant(0.5));
const numbers = fc.oneof(bounds('minimum', 'maximum', limits), bounds('exclusiveMinimum', 'maximum', limits));

const nullable = fc.constantFrom({}, {}, { nullable: true as const });

const scalar: fc.Arbitrary<ScalarSchema> = fc.oneof(
  fc.tuple(strings, nullable).map(([facets, more]) => ({ type: 'string' as const, ...facets, ...more })),
  fc
    .tuple(fc.constantFrom('integer' as const, 'number' as const), numbers, nullable)
    .map(([type, facets, more]) => ({ type, ...facets, ...more })),
  nullable.map((more) => ({ type: 'boolean' as const, ...more })),
);

const array: fc.Arbitrary<PropertySchema> = fc
  .tuple(scalar, bounds('minItems', 'maxItems', fc.nat(4)), fc.constantFrom({}, { uniqueItems: true }), nullable)
  .map(([items, count, unique, more]) => ({ type: 'array' as const, items, ...count, ...unique, ...more }));

/** Any property, without a default or with a valid one. */
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

/** A value of the schema's type, near its bounds. */
function likely(schema: PropertySchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      if (schema.enum) return fc.constantFrom(...schema.enum, ...texts);
      return schema.format ? fc.oneof(formatted[schema.format], mutated(formatted[schema.format])) : text;
    case 'integer':
      return fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -4, max: 7 }) }, number);
    case 'number':
      return fc.oneof(fc.integer({ min: -4, max: 7 }), number);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(anyValue(schema.items), { maxLength: 5 });
  }
}

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'x', '7', ' ', '\u3000', '😀', '\ud800', '\udc00'),
  maxLength: 6,
});

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

/** Describes a service that takes items of a schema, in the format of OpenAPI 3.1. */
export function describeItems(schema: ObjectSchema): OpenApi {
  const at = { template: '/{id}', answers: {}, run } as const;
  const exported = {
    schema,
    create: route({ ...at, template: '/', method: 'POST', body: { schema } }),
    replace: route({ ...at, method: 'PUT', body: { schema } }),
    patch: route({ ...at, method: 'PATCH', body: { schema, patch: true } }),
  };
  const comment = { location: 'schema', summary: 'A sentence.', tags: new Map() };
  const members = Object.keys(schema.properties).map((name) => `schema.properties.${name}`);
  const comments = new Map(['schema', ...members].map((name) => [name, comment]));
  const tagged = (...names: string[]) => ({
    ...comment,
    tags: new Map(names.map((name) => [`param ${name}`, { location: name, text: 'A text.' }])),
  });
  comments.set('create', tagged('item')).set('replace', tagged('id', 'item')).set('patch', tagged('id', 'item'));
  return describeService({ version: 'v1', title: 'A service', description: 'A service.' }, [{ exported, comments }]);
}

function run(): never {
  throw new Error('the operation is only described');
}
