import { expect, it } from '@jest/globals';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { createParser, type JsonObject } from '../../../shared/schema/parse.js';
import type { ObjectSchema, PropertySchema } from '../../../shared/schema/schema.js';
import { anyBody, anySchema, writtenDefinition } from '../../support/service/schemas.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 40);
const BODIES = 20;

const ajv = addFormats.default(new Ajv({ strict: false, strictNumbers: true }));
const isDateTime = ajv.compile({ type: 'string', format: 'date-time' });
// RFC 3339's grammar (section 5.6), which ajv-formats checks loosely; without leap seconds.
const grammar = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
ajv.addFormat('rfc3339', (text: string) => grammar.test(text) && isDateTime(text));

/** Compiles a definition of Swagger 2.0: in JSON Schema, `x-nullable` is a union with null. The key may be anything. */
function compile({ properties, ...rest }: ReturnType<typeof writtenDefinition>): ValidateFunction {
  const translate = ({ 'x-nullable': nullable, items, format, default: _, ...facets }: Record<string, unknown>) => {
    const schema: object = {
      ...facets,
      ...(items !== undefined && { items: translate(items as Record<string, unknown>) }),
      ...(format !== undefined && { format: format === 'date-time' ? 'rfc3339' : format }),
    };
    return nullable ? { anyOf: [schema, { type: 'null' }] } : schema;
  };
  const members = Object.entries(properties).map(([name, property]) => [
    name,
    name === 'key' ? {} : translate(property as Record<string, unknown>),
  ]);
  return ajv.compile({ ...rest, properties: Object.fromEntries(members) });
}

/** The outcome of parsing a valid body: the members that were sent, and defaults for the others. */
function expected({ properties }: ObjectSchema, body: JsonObject, isPatch: boolean) {
  const members = Object.entries<PropertySchema>(properties).flatMap(([name, property]): [string, unknown][] => {
    if (property.readOnly) return [];
    const isSent = name in body && !(isPatch && body[name] === null && property.default !== undefined);
    if (!isSent && isPatch && !(name in body)) return [];
    return [[name, isSent ? body[name] : property.default]];
  });
  return { members: Object.fromEntries(members) };
}

const schemaAndBodies = anySchema.chain((schema) =>
  fc.record({
    schema: fc.constant(schema),
    bodies: fc.array(anyBody(schema), { minLength: BODIES, maxLength: BODIES }),
  }),
);

it.each([
  ['a whole item', 'whole', undefined],
  ['a merge patch', 'patch', 'patch'],
] as const)(
  '%s is valid exactly when ajv accepts it by the definition in the document',
  (_name, kind, form) => {
    let accepted = 0;
    fc.assert(
      fc.property(schemaAndBodies, ({ schema, bodies }) => {
        const parse = createParser(schema)[kind];
        const admits = compile(writtenDefinition(schema, form));
        for (const body of bodies) {
          const parsed = parse(body);
          expect({ body, isValid: 'members' in parsed }).toEqual({ body, isValid: admits(body) });
          if (!('members' in parsed)) continue;
          expect(parsed).toEqual(expected(schema, body, kind === 'patch'));
          accepted += 1;
        }
      }),
      { numRuns: RUNS },
    );
    // If nearly all of them were valid, or nearly none, the comparison would prove little.
    expect(accepted / (RUNS * BODIES)).toBeGreaterThan(0.1);
    expect(accepted / (RUNS * BODIES)).toBeLessThan(0.9);
  },
  60_000 + 100 * RUNS,
);
