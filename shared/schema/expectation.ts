import type { Format, NumberSchema, PropertySchema, StringSchema } from './schema.js';

/** Says what a value must be, such as `an integer from 1 to 5`. */
export function expectationOf(property: PropertySchema): string {
  return property.nullable ? `${typeOf(property)}, or null` : typeOf(property);
}

/** Writes a count with its unit: `1 element`, `2 elements`. */
export function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function typeOf(property: PropertySchema): string {
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
