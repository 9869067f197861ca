/**
 * Makes a Swagger 2.0 document one that a validator of JSON Schema understands: the format has no null of its own, and
 * what `x-nullable` marks may be null, too.
 *
 * @param document - The document.
 * @returns A copy that says so in JSON Schema.
 */
export function withNulls<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document, withNull));
}

function withNull(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('x-nullable' in value)) return value;
  const { 'x-nullable': _nullable, ...schema } = value;
  return { anyOf: [schema, { type: 'null' }] };
}
