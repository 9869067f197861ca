import { quoted } from './quoted.js';
import type { ArraySchema, Format, NumberSchema, PropertySchema, StringSchema } from './schema.js';

export interface MemberError {
  /** A JSON Pointer in a URI fragment (RFC 6901, section 6), for example `#/name`. */
  readonly pointer: string;
  readonly detail: string;
}

/**
 * @param value - Any parsed JSON; undefined if the member is missing.
 * @param pointer - A JSON Pointer in a URI fragment.
 * @returns The first error; undefined if the value is valid.
 */
export function check(property: PropertySchema, value: unknown, pointer: string): MemberError | undefined {
  if (value === null && property.nullable) return undefined;
  if (property.type === 'array' && Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const error = check(property.items, element, `${pointer}/${index}`);
      if (error) return error;
    }
  }
  if (isValid(property, value)) return undefined;
  return { pointer, detail: `Must ${demandOf(property, value)}${deviationOf(property, value)}.` };
}

/** Checks the JSON type only. */
export function hasType(property: PropertySchema, value: unknown): boolean {
  if (value === null) return property.nullable === true;
  if (property.type === 'array') {
    return Array.isArray(value) && value.every((element) => hasType(property.items, element));
  }
  return typeof value === (property.type === 'integer' ? 'number' : property.type);
}

/** In letters of either case (RFC 9562, section 4). */
export function isGuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

function isValid(property: PropertySchema, value: unknown): boolean {
  switch (property.type) {
    case 'string':
      return typeof value === 'string' && isValidString(property, value);
    case 'integer':
      return Number.isInteger(value) && isInRange(property, value as number);
    case 'number':
      return Number.isFinite(value) && isInRange(property, value as number);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && isValidArray(property, value);
  }
}

function isValidString({ enum: values, format, pattern, minLength, maxLength }: StringSchema, value: string): boolean {
  if (values && !values.includes(value)) return false;
  if (format && !isFormatted[format](value)) return false;
  if (pattern && !pattern.expression.test(value)) return false;
  if (minLength === undefined && maxLength === undefined) return true;
  return isBetween(Array.from(value).length, minLength, maxLength);
}

function isValidArray({ minItems, maxItems, uniqueItems }: ArraySchema, value: readonly unknown[]): boolean {
  if (!isBetween(value.length, minItems, maxItems)) return false;
  return !uniqueItems || new Set(value).size === value.length;
}

function isInRange({ minimum, exclusiveMinimum = -Infinity, maximum }: NumberSchema, value: number): boolean {
  return value > exclusiveMinimum && isBetween(value, minimum, maximum);
}

function isBetween(value: number, minimum = -Infinity, maximum = Infinity): boolean {
  return value >= minimum && value <= maximum;
}

const isFormatted: Readonly<Record<Format, (value: string) => boolean>> = {
  date: isDate,
  'date-time': (value) => {
    const [, date = '', time = ''] = /^(.{10})[Tt ](.+)$/.exec(value) ?? [];
    return isDate(date) && /^([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(time);
  },
  uuid: isGuid,
};

function isDate(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00Z`).toJSON()?.startsWith(value) === true;
}

/** Names only the pattern if the value fails nothing else. */
function demandOf(property: PropertySchema, value: unknown): string {
  if (property.type === 'string' && property.pattern) {
    const { pattern, ...others } = property;
    if (isValid(others, value)) return `contain ${pattern.description}`;
  }
  return `be ${expectationOf(property)}`;
}

function deviationOf(property: PropertySchema, value: unknown): string {
  if (value === undefined) return ', but is missing';
  if (property.type === 'array' && Array.isArray(value)) {
    const isCountRight = isBetween(value.length, property.minItems, property.maxItems);
    return `, but has ${isCountRight ? 'duplicates' : counted(value.length, 'element')}`;
  }
  return `; got ${typeof value === 'string' ? quoted(value) : typeof value === 'number' ? value : typeName(value)}`;
}

function expectationOf(property: PropertySchema): string {
  return property.nullable ? `${typeIn(property)}, or null` : typeIn(property);
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function typeIn(property: PropertySchema): string {
  switch (property.type) {
    case 'string':
      return stringOf(property);
    case 'integer':
      return `an integer${rangeOf(property)}`;
    case 'number':
      return `a number${rangeOf(property)}`;
    case 'boolean':
      return 'true or false';
    case 'array': {
      const count = between(property.minItems, property.maxItems, 'element');
      return `an array${count}${property.uniqueItems ? ' without duplicates' : ''}, each ${expectationOf(property.items)}`;
    }
  }
}

function stringOf({ enum: values, format, pattern, minLength, maxLength }: StringSchema): string {
  if (values) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  const type = format ? FORMATS[format] : 'a string';
  return [type, between(minLength, maxLength, 'character'), pattern && ` that contains ${pattern.description}`].join(
    '',
  );
}

const FORMATS: Readonly<Record<Format, string>> = {
  date: 'a date such as "2026-11-21"',
  'date-time': 'a date and time such as "2026-11-21T09:30:00Z"',
  uuid: 'a GUID such as "019a0000-0000-7000-8000-000000000000"',
};

function rangeOf({ minimum, exclusiveMinimum, maximum }: NumberSchema): string {
  if (exclusiveMinimum === undefined) return between(minimum, maximum);
  return ` above ${exclusiveMinimum}${maximum === undefined ? '' : ` and at most ${maximum}`}`;
}

function between(from?: number, to?: number, unit?: string): string {
  const amount = (value: number) => (unit ? counted(value, unit) : String(value));
  if (from !== undefined && to !== undefined) return ` ${unit ? 'of' : 'from'} ${from} to ${amount(to)}`;
  if (from !== undefined) return ` of at least ${amount(from)}`;
  return to === undefined ? '' : ` of at most ${amount(to)}`;
}

/** Names the JSON type of a value as a sentence would: `an array`, or `null`. */
export function typeName(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
