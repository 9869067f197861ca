import type { PropertySchema } from '../schema/schema.js';

export type Attributes = Readonly<Record<string, Attribute>>;

/** A value with its type, as DynamoDB's HTTP API has it. */
export type Attribute =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly Attribute[] }
  | { readonly M: Attributes };

export function toAttribute(property: PropertySchema, value: unknown): Attribute {
  if (value === null) return { NULL: true };
  switch (property.type) {
    case 'string':
      return textAttribute(value as string);
    case 'integer':
    case 'number':
      return numberAttribute(value as number);
    case 'boolean':
      return { BOOL: value as boolean };
    case 'array':
      return { L: (value as readonly unknown[]).map((element) => toAttribute(property.items, element)) };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the attribute has the type that toAttribute gave it.
export function fromAttribute(property: PropertySchema, attribute: any): unknown {
  if (attribute.NULL) return null;
  switch (property.type) {
    case 'string':
      return attribute.S ?? Buffer.from(attribute.B, 'base64').toString('utf16le');
    case 'integer':
    case 'number':
      return Number(attribute.N ?? attribute.S);
    case 'boolean':
      return attribute.BOOL;
    case 'array':
      return attribute.L.map((element: unknown) => fromAttribute(property.items, element));
  }
}

/** DynamoDB's strings are UTF-8, which can't hold half a surrogate pair: a text with one is stored as UTF-16. */
function textAttribute(text: string): Attribute {
  return /\p{Surrogate}/u.test(text) ? { B: Buffer.from(text, 'utf16le').toString('base64') } : { S: text };
}

/** DynamoDB's numbers go from 1e-130 to just below 1e126; JavaScript's other numbers are stored as text. */
function numberAttribute(value: number): Attribute {
  const size = Math.abs(value);
  return size === 0 || (size >= 1e-130 && size < 1e126) ? { N: String(value) } : { S: String(value) };
}
