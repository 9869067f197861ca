import type { ObjectSchema } from '../../shared/schema/schema.js';
import { describeService } from '../../shared/swagger/describe.js';
import type { Description, Reference } from '../../shared/swagger/description.js';
import { writeSwagger } from '../../shared/swagger/swagger2.js';

const COMMENT = { place: 'schema', summary: 'A sentence.', tags: new Map() };

/**
 * Writes one definition of a schema as the Swagger 2.0 document would.
 *
 * @param schema - The schema.
 * @param form - As clients send it where undefined, or as a merge patch.
 * @returns The definition.
 */
export function writtenDefinition(schema: ObjectSchema, form: Reference['form']): Definition {
  const places = Object.keys(schema.properties).map((name) => `schema.properties.${name}`);
  const comments = new Map(['schema', ...places].map((place) => [place, COMMENT]));
  const { definitions } = describeService(INFO, [{ constant: 'schema', declaration: schema, comments }]);
  const { definitions: written } = writeSwagger({ info: INFO, operations: referringTo(schema), definitions }) as {
    definitions: Record<string, Definition>;
  };
  return written[`${schema.title}${form === 'patch' ? 'Patch' : ''}`] as Definition;
}

interface Definition {
  readonly required?: readonly string[];
  readonly properties: Record<string, object>;
}

const INFO = { version: 'v1', title: 'A service', description: 'A service.' };

/** Only definitions that something refers to are written. */
function referringTo({ title }: ObjectSchema): Description['operations'] {
  return ([{ title }, { title, form: 'patch' }] as Reference[]).map((reference, index) => ({
    path: `/${index}`,
    method: 'put',
    tag: 'Tag',
    summary: 'A sentence.',
    id: `Id${index}`,
    parameters: [],
    body: { name: 'item', description: 'An item.', mediaTypes: ['application/json'], schema: { reference } },
    responses: [],
  }));
}
