/** The parts of one method of one path that the page is made from. */
export interface SwaggerOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly operationId: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly parameters: readonly Definition[];
  readonly responses: Readonly<Record<string, object>>;
}

/** A parameter, a response, a definition, or a member of one, as in Swagger 2.0. The parameter for a body has a schema. */
export interface Definition {
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly schema?: Definition;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly items?: Definition;
  readonly required?: boolean | readonly string[];
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly 'x-nullable'?: boolean;
  readonly 'x-example'?: unknown;
}

/** The type of a value: the text before and after the name of a definition, if there is one. */
export interface TypeText {
  readonly text: readonly [before: string, after: string];
  readonly definition?: string;
}

/** Writes the type of a value and its limits, such as "integer from 1 to 1000, default 50". */
export function typeTextOf(value: Definition): TypeText {
  if (value.schema) return typeTextOf(value.schema);
  if (value.$ref) return { text: ['', ''], definition: nameOf(value.$ref) };
  if (value.items) {
    const { text, ...of } = typeTextOf(value.items);
    return { text: [`array of ${text[0]}`, text[1]], ...of };
  }
  const { type = '', format, default: omitted } = value;
  const limits = [rangeOf(value), range('of', value.minLength, value.maxLength)];
  const characters = limits[1] && `${limits[1]} characters`;
  const values = value.enum && `one of ${value.enum.join(', ')}`;
  const nullable = value['x-nullable'] ? 'or null' : '';
  const text = [type, format && `(${format})`, limits[0], characters, values, nullable].filter(Boolean).join(' ');
  return { text: [text + (omitted === undefined ? '' : `, default ${JSON.stringify(omitted)}`), ''] };
}

/** Makes an example of a value: the documented one, otherwise one that fits its type. The value may refer to definitions. */
export function exampleOf(value: Definition, definitions: Readonly<Record<string, Definition>>): unknown {
  const { example, default: omitted, enum: values, type, items, properties, maximum = Infinity } = value;
  const minimum = value.exclusiveMinimum ? Math.min((value.minimum as number) + 1, maximum) : (value.minimum ?? 0);
  if (value.schema) return exampleOf(value.schema, definitions);
  if (value.$ref) return exampleOf(resolve(value, definitions), definitions);
  const given = example ?? omitted ?? values?.[0];
  if (given !== undefined) return given;
  if (items) return [exampleOf(items, definitions)];
  if (properties) {
    const members = Object.entries(properties).map(([name, member]) => [name, exampleOf(member, definitions)]);
    return Object.fromEntries(members);
  }
  return { integer: minimum, number: minimum, boolean: false, object: {} }[type as 'object'] ?? type ?? null;
}

/** Returns what a definition refers to, or the definition itself. */
export function resolve(value: Definition, definitions: Readonly<Record<string, Definition>>): Definition {
  return value.$ref === undefined ? value : (definitions[nameOf(value.$ref)] ?? {});
}

function nameOf(reference: string): string {
  return reference.replace('#/definitions/', '');
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Definition): string {
  if (!exclusiveMinimum) return range('from', minimum, maximum);
  return `above ${minimum}${maximum === undefined ? '' : ` and at most ${maximum}`}`;
}

function range(word: string, least?: number, most?: number): string {
  if (least !== undefined && most !== undefined) return `${word} ${least} to ${most}`;
  if (least !== undefined) return `of at least ${least}`;
  return most === undefined ? '' : `of at most ${most}`;
}
