import { describe, expect, it } from '@jest/globals';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { createParser, type JsonObject } from '../../../shared/schema/parse.js';
import type { ObjectSchema, PropertySchema } from '../../../shared/schema/schema.js';
import { anyBody, anySchema, writtenDefinition } from '../../support/service/schemas.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 100);
const BODIES = 20;
const TIME = 60_000 + 100 * RUNS;

const ajv = addFormats.default(new Ajv({ strict: false, strictNumbers: true }));
const isDateTime = ajv.compile({ type: 'string', format: 'date-time' });
// RFC 3339's grammar (section 5.6), which ajv-formats takes loosely, and without leap seconds.
const grammar = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
ajv.addFormat('rfc3339', (text: string) => grammar.test(text) && isDateTime(text));

/** A definition of Swagger 2.0 in JSON Schema: `x-nullable` is a union with null, the key is anything. */
function asJsonSchema({ properties, ...rest }: { properties: Record<string, object> }): object {
  const translate = ({
    'x-nullable': nullable,
    items,
    format,
    default: _,
    ...facets
  }: Record<string, unknown>): object => {
    const schema = {
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
  return { ...rest, properties: Object.fromEntries(members) };
}

function compile(described: object): ValidateFunction {
  return ajv.compile(asJsonSchema(described as { properties: Record<string, object> }));
}

/** What an accepted body must give: the members that were sent, and defaults for the others. */
function expected({ properties }: ObjectSchema, body: JsonObject, isPatch: boolean) {
  const members = Object.entries<PropertySchema>(properties).flatMap(([name, property]): [string, unknown][] => {
    if (property.readOnly) return [];
    const isSent = name in body && !(isPatch && body[name] === null && property.default !== undefined);
    if (!isSent && isPatch && !(name in body)) return [];
    return [[name, isSent ? body[name] : property.default]];
  });
  return { members: Object.fromEntries(members) };
}

describe.each([
  { name: 'a whole item', isPatch: false, form: undefined },
  { name: 'a merge patch', isPatch: true, form: 'patch' },
] as const)('$name', ({ isPatch, form }) => {
  it(
    'is taken just where ajv finds that the definition in the document admits it',
    () => {
      const taken = { true: 0, false: 0 };
      const schemaAndBodies = anySchema.chain((schema) =>
        fc.record({
          schema: fc.constant(schema),
          bodies: fc.array(anyBody(schema), { minLength: BODIES, maxLength: BODIES }),
        }),
      );
      fc.assert(
        fc.property(schemaAndBodies, ({ schema, bodies }) => {
          const reader = createParser(schema);
          const admits = compile(writtenDefinition(schema, form));
          for (const body of bodies) {
            const parsed = isPatch ? reader.patch(body) : reader.whole(body);
            expect({ body, taken: 'members' in parsed }).toEqual({ body, taken: admits(body) });
            if ('members' in parsed) expect(parsed).toEqual(expected(schema, body, isPatch));
            taken[`${'members' in parsed}`] += 1;
          }
        }),
        { numRuns: RUNS },
      );
      // Neither may be rare, or the comparison would prove little.
      expect(taken.true).toBeGreaterThan((RUNS * BODIES) / 10);
      expect(taken.false).toBeGreaterThan((RUNS * BODIES) / 10);
    },
    TIME,
  );
});
