import { expect, it } from '@jest/globals';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { createParser, type JsonObject } from '../../../shared/schema/parse.js';
import type { ObjectSchema, PropertySchema } from '../../../shared/schema/schema.js';
import { anyBody, anySchema, describeItems } from './schemas.js';

const RUNS = 40;
const BODIES = 20;

const formats = addFormats.default(new Ajv());
const isDateTime = formats.compile({ type: 'string', format: 'date-time' });
// RFC 3339's grammar (section 5.6), which ajv-formats checks loosely; without leap seconds.
const grammar = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const ajv = addFormats.default(new Ajv2020({ strict: false, strictNumbers: true }));
ajv.addFormat('date-time', (text: string) => grammar.test(text) && isDateTime(text));

/** The outcome of parsing a valid body: the members that were sent, and defaults for the others. */
function expected({ properties }: ObjectSchema, body: JsonObject, isPatch: boolean) {
  const writable = Object.entries<PropertySchema>(properties).filter(([, { readOnly }]) => !readOnly);
  const members = writable.filter(([name]) => !isPatch || name in body);
  const isReplaced = (name: string) => (isPatch ? body[name] === null : !(name in body));
  return members.map(([name, { default: value = body[name] }]) => [name, isReplaced(name) ? value : body[name]]);
}

const schemaAndBodies = anySchema.chain((schema) =>
  fc.tuple(fc.constant(schema), fc.array(anyBody(schema), { minLength: BODIES, maxLength: BODIES })),
);

it.each([
  ['a whole item', 'whole', 'Any'],
  ['a merge patch', 'patch', 'AnyPatch'],
] as const)(
  '%s is valid exactly when ajv accepts it by the definition in the OpenAPI 3.1 document',
  (_name, kind, definition) => {
    let accepted = 0;
    fc.assert(
      fc.property(schemaAndBodies, ([schema, bodies]) => {
        const parse = createParser(schema)[kind];
        const admits = ajv.compile(describeItems(schema).components.schemas[definition] ?? false);
        for (const body of bodies) {
          const parsed = parse(body);
          expect({ body, isValid: 'members' in parsed }).toEqual({ body, isValid: admits(body) });
          if (!('members' in parsed)) continue;
          expect(Object.entries(parsed.members)).toEqual(expected(schema, body, kind === 'patch'));
          accepted += 1;
        }
      }),
      { numRuns: RUNS },
    );
    // If nearly all of them were valid, or nearly none, the comparison would prove little. A fifth is usual, a tenth once in a hundred runs.
    expect(accepted / (RUNS * BODIES)).toBeGreaterThan(0.03);
    expect(accepted / (RUNS * BODIES)).toBeLessThan(0.9);
  },
);
