import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** What the document says of a member, as far as a value depends on it. */
export interface MemberSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly items?: MemberSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** The service sets it. */
  readonly readOnly?: boolean;
}

/**
 * Finds another value that a member takes: a boolean turned round, a number within its limits, a text with a character more.
 *
 * @returns The value, or undefined if none was found.
 */
export function anotherValue(schema: MemberSchema, value: unknown): unknown {
  return valuesNear(schema, value).find(
    (candidate) => takes(schema, candidate) && !isDeepStrictEqual(candidate, value),
  );
}

/**
 * Finds a text that a member takes, and to which a character can be added.
 *
 * @param texts - The best one first.
 */
export function ownText(schema: MemberSchema, texts: readonly string[]): string | undefined {
  if (typeOf(schema) !== 'string' || schema.readOnly || schema.enum || schema.format) return undefined;
  return texts.find((text) => takes(schema, text) && takes(schema, `${text}.`));
}

const typeOf = ({ type }: MemberSchema) => [type].flat()[0];

const TEXTS: Readonly<Record<string, string>> = {
  date: '2001-02-03',
  'date-time': '2001-02-03T04:05:06Z',
  uuid: randomUUID(),
};

function valuesNear(schema: MemberSchema, value: unknown): readonly unknown[] {
  if (schema.enum) return schema.enum;
  switch (typeOf(schema)) {
    case 'boolean':
      return [!value];
    case 'integer':
    case 'number': {
      const number = Number(value);
      return [number + 1, number - 1, number / 2, schema.minimum];
    }
    case 'string': {
      if (schema.format) return [TEXTS[schema.format]];
      const signs = typeof value === 'string' ? Array.from(value) : ['Smoke test'];
      return [[...signs, '.'], signs.slice(0, -1)].map((text) => text.join(''));
    }
    case 'array': {
      const values = Array.isArray(value) ? value : [];
      return [values.slice(0, -1), [...values, anotherValue(schema.items ?? {}, values.at(-1))]];
    }
    default:
      return [];
  }
}

function takes(schema: MemberSchema, value: unknown): boolean {
  if (typeof value === 'string') return takesText(schema, value);
  if (typeof value === 'number') return takesNumber(schema, value);
  if (Array.isArray(value)) return takesValues(schema, value);
  return value !== undefined;
}

function takesText({ pattern, minLength = 0, maxLength = Infinity }: MemberSchema, text: string): boolean {
  const { length } = Array.from(text);
  if (length < minLength || length > maxLength) return false;
  try {
    return pattern === undefined || new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

function takesNumber(schema: MemberSchema, value: number): boolean {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = schema;
  if (typeOf(schema) === 'integer' && !Number.isInteger(value)) return false;
  return value >= minimum && value > exclusiveMinimum && value <= maximum;
}

function takesValues(schema: MemberSchema, values: readonly unknown[]): boolean {
  const { items = {}, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  if (values.length < minItems || values.length > maxItems) return false;
  if (uniqueItems && new Set(values).size < values.length) return false;
  return values.every((value) => value === null || takes(items, value));
}
