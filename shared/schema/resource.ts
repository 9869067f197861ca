import { createParser } from './parse.js';
import type { ObjectSchema, PatchOf, WritableOf } from './schema.js';

export interface Resource<Schema extends ObjectSchema = ObjectSchema> {
  /** Separates its items in a table from those of other resources. */
  readonly name: string;
  readonly schema: Schema;
  /** The item in a new collection; left out, it starts empty. */
  readonly first?: WritableOf<Schema> | undefined;
}

/**
 * @param declaration - Its name must differ from those of other resources. In the first item, members with a default
 * may be left out.
 * @throws Error that names each wrong member of the first item.
 */
export function resource<Schema extends ObjectSchema>(declaration: Declaration<Schema>): Resource<Schema> {
  const { name, schema, first }: Declaration<Schema> = declaration;
  if (!first) return { name, schema };
  const parsed = createParser(schema).whole(first);
  if ('members' in parsed) return { name, schema, first: parsed.members };
  const reasons = parsed.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`);
  throw new Error(`The first item of ${name} is not valid. ${reasons.join(' ')}`);
}

type Declaration<Schema extends ObjectSchema> = Omit<Resource<Schema>, 'first'> & {
  readonly first?: PatchOf<Schema>;
};
