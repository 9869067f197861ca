import { type Definition, type Definitions, resolve } from './swagger-document.js';

/** The documented example, otherwise a value that fits type, format and length. */
export function exampleOf(value: Definition, definitions: Definitions): unknown {
  const { example, default: omitted, enum: values, type, items, properties, maximum = Infinity } = value;
  const minimum = value.exclusiveMinimum ? Math.min((value.minimum as number) + 1, maximum) : (value.minimum ?? 0);
  if (value.$ref) return exampleOf(resolve(value, definitions), definitions);
  const given = [example, omitted, values?.[0]].find((candidate) => candidate !== undefined);
  if (given !== undefined) return given;
  if (items) return [exampleOf(items, definitions)];
  if (properties) {
    const members = Object.entries(properties).map(([name, member]) => [name, exampleOf(member, definitions)]);
    return Object.fromEntries(members);
  }
  const byType = { integer: minimum, number: minimum, boolean: false, object: {}, string: textOf(value) };
  return byType[type as 'object'] ?? null;
}

const OF_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T09:30:00Z',
  uuid: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47',
};

function textOf({ format = '', minLength = 0, maxLength }: Definition): string {
  return OF_FORMAT[format] ?? 'string'.padEnd(minLength, '-').slice(0, maxLength);
}

/**
 * A POST leaves out the members that the service assigns. A generated document requires each of the others, or has a
 * default for it.
 */
export function exampleBodyOf(schema: Definition, method: string, definitions: Definitions): unknown {
  const { properties = {}, required = [], ...keywords } = resolve(schema, definitions);
  const isSent = ([name, member]: [string, Definition]) =>
    method !== 'post' || (required as readonly string[]).includes(name) || member.default !== undefined;
  const sent = Object.fromEntries(Object.entries(properties).filter(isSent));
  return exampleOf({ ...keywords, properties: sent }, definitions);
}

export function indented(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
