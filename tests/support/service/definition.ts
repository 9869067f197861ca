import { describeService } from '../../../docs/generator/describe.js';
import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import { route } from '../../../shared/routing/route.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';

const COMMENT = { location: 'schema', summary: 'A sentence.', tags: new Map() };

/**
 * Writes one definition of a schema as the Swagger 2.0 document would.
 *
 * @param schema - The schema.
 * @param form - As clients send it where undefined, or as a merge patch.
 * @returns The definition.
 */
export function writtenDefinition(schema: ObjectSchema, form: 'patch' | undefined): Definition {
  const body = form ? ({ schema, patch: true } as const) : { schema };
  // Only definitions that an operation refers to are written.
  const exported = { schema, send: route({ method: form ? 'PATCH' : 'POST', template: '/', body, answers: {}, run }) };
  const members = Object.keys(schema.properties).map((name) => `schema.properties.${name}`);
  const comments = new Map(['schema', ...members].map((name) => [name, COMMENT]));
  comments.set('send', { ...COMMENT, tags: new Map([['param item', { location: 'item', text: 'An item.' }]]) });
  const document = toSwagger2(describeService(INFO, [{ exported, comments }]));
  const { definitions } = document as { definitions: Record<string, Definition> };
  return definitions[`${schema.title}${form === 'patch' ? 'Patch' : ''}`] as Definition;
}

interface Definition {
  readonly required?: readonly string[];
  readonly properties: Record<string, object>;
}

const INFO = { version: 'v1', title: 'A service', description: 'A service.' };

function run(): never {
  throw new Error('the operation is only described');
}
