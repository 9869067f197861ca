import { type JsonObject, parse } from './parse.js';
import { type ObjectSchema, type PatchOf, type WritableOf, writable } from './schema.js';

export interface Resource<Schema extends ObjectSchema = ObjectSchema> {
  /** Separates its items in a table from those of other resources. */
  readonly name: string;
  readonly schema: Schema;
  /** The item in a new collection; left out, it starts empty. */
  readonly initial?: WritableOf<Schema> | undefined;
  /** Makes an item of today's schema of any that a release has stored, for example if a member has another name. */
  readonly upgrade?: (stored: JsonObject) => JsonObject;
}

/**
 * @param declaration - Its name must differ from those of other resources. In the initial item, optional members may be
 * left out.
 * @throws Error that names each wrong member of the initial item.
 */
export function resource<Schema extends ObjectSchema>(declaration: Declaration<Schema>): Resource<Schema> {
  const { initial, ...others }: Declaration<Schema> = declaration;
  if (!initial) return others;
  const parsed = parse(writable(others.schema), initial);
  if ('members' in parsed) return { ...others, initial: parsed.members as WritableOf<Schema> };
  const reasons = parsed.errors.map(({ path, detail }) => `${path}: ${detail}`);
  throw new Error(`The initial item of ${others.name} is not valid. ${reasons.join(' ')}`);
}

type Declaration<Schema extends ObjectSchema> = Omit<Resource<Schema>, 'initial'> & {
  readonly initial?: PatchOf<Schema>;
};
