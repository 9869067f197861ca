import type { Reference, Schema } from './description.js';

/** How a format spells what both have. */
export interface Dialect {
  /** The pointer to a definition. */
  pointer(reference: Reference): string;
  /** A schema that null satisfies, too. */
  nullable(schema: object): object;
  /** The keyword for a value that could be real. */
  example(value: unknown): object;
}

/**
 * Writes a schema.
 *
 * @param schema - The schema, in neither format.
 * @param dialect - How the format spells it.
 * @returns The schema in that format.
 */
export function writeSchema(schema: Schema, dialect: Dialect): object {
  const { reference, nullable, example, items, properties, ...keywords } = schema;
  if (reference) return { $ref: dialect.pointer(reference) };
  const written = {
    ...keywords,
    ...(example !== undefined && dialect.example(example)),
    ...(items && { items: writeSchema(items, dialect) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, writeSchema(property, dialect)]),
      ),
    }),
  };
  return nullable ? dialect.nullable(written) : written;
}
