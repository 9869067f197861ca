import type { Format, PropertySchema, StringSchema } from './schema.js';

/** Gives the words behind "must be" for errors and documents, such as `an integer from 1 to 5`. */
export function describe(property: PropertySchema): string {
  return property.nullable ? `${describeType(property)}, or null` : describeType(property);
}

/** Counts in words: `1 element`, `2 elements`. */
export function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function describeType(property: PropertySchema): string {
  switch (property.type) {
    case 'string':
      return describeString(property);
    case 'integer':
      return `an integer${between(property.minimum, property.maximum)}`;
    case 'number':
      return `a number${between(property.minimum, property.maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'array': {
      const count = between(property.minItems, property.maxItems, 'element');
      return `an array${count}${property.uniqueItems ? ' without duplicates' : ''}, each ${describe(property.items)}`;
    }
  }
}

function describeString({ enum: values, format, pattern, minLength, maxLength }: StringSchema): string {
  if (values) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  const type = format ? FORMATS[format] : 'a string';
  return [type, between(minLength, maxLength, 'character'), pattern && ` with ${pattern.words}`].join('');
}

const FORMATS: Readonly<Record<Format, string>> = {
  date: 'a date such as "2026-11-21"',
  'date-time': 'a date and time such as "2026-11-21T09:30:00Z"',
  uuid: 'a GUID such as "019a0000-0000-7000-8000-000000000000"',
};

function between(least?: number, most?: number, unit?: string): string {
  const amount = (value: number) => (unit ? counted(value, unit) : String(value));
  if (least !== undefined && most !== undefined) return ` ${unit ? 'of' : 'from'} ${least} to ${amount(most)}`;
  if (least !== undefined) return ` of at least ${amount(least)}`;
  return most === undefined ? '' : ` of at most ${amount(most)}`;
}
