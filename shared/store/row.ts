import type { ItemOf, ObjectSchema, PropertySchema } from '../schema/schema.js';
import { Version } from './version.js';

/** What a key of the table has: an item, or the tombstone of one that was removed. */
export interface Row<Schema extends ObjectSchema> {
  readonly key: string;
  readonly version: number;
  /** Names the write that made the row, so that a caller who lost the reply can tell whether it was its own. */
  readonly writeId: string;
  /** Undefined in a tombstone. */
  readonly item: ItemOf<Schema> | undefined;
  /** When DynamoDB may delete a tombstone, in seconds since 1970; undefined where it is kept for ever. */
  readonly expires?: number | undefined;
}

/** DynamoDB's attributes by name. */
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

/** Turns rows of a resource into attributes, and back. */
export class RowFormat<Schema extends ObjectSchema> {
  readonly #resource: string;
  readonly #members: readonly (readonly [string, PropertySchema])[];

  /**
   * @param resource - The resource's name, the partition key of all its rows.
   * @param schema - The schema of its items.
   */
  constructor(resource: string, schema: Schema) {
    this.#resource = resource;
    this.#members = Object.entries<PropertySchema>(schema.properties).filter(([name]) => name !== 'key');
  }

  /** @returns The primary key of a row. */
  keyOf(key: string): Attributes {
    return { resource: { S: this.#resource }, key: { S: key } };
  }

  /** @returns All attributes of a row. The members of the item are in a map, so that no name of theirs can collide. */
  attributesOf({ key, version, writeId, item, expires }: Row<Schema>): Attributes {
    return {
      ...this.keyOf(key),
      version: { N: String(version) },
      writeId: { S: writeId },
      ...(item && { item: { M: this.#membersOf(item) } }),
      ...(expires !== undefined && { expires: { N: String(expires) } }),
    };
  }

  /** @returns The row. A member that it lacks, as one that was declared later, has its default. */
  // biome-ignore lint/suspicious/noExplicitAny: the attributes have the types that attributesOf gave them.
  rowOf(attributes: Readonly<Record<string, any>>): Row<Schema> {
    const { key, version, writeId } = attributes;
    return { key: key.S, version: Number(version.N), writeId: writeId.S, item: this.itemOf(attributes) };
  }

  /** @returns The item, undefined for a tombstone. */
  // biome-ignore lint/suspicious/noExplicitAny: the attributes have the types that attributesOf gave them.
  itemOf({ key, item }: Readonly<Record<string, any>>): ItemOf<Schema> | undefined {
    if (!item) return undefined;
    const members: Record<string, unknown> = { key: key.S };
    for (const [name, property] of this.#members) {
      const attribute = item.M[name];
      members[name] = attribute === undefined ? property.default : fromAttribute(property, attribute);
    }
    return members as ItemOf<Schema>;
  }

  #membersOf(item: ItemOf<Schema>): Attributes {
    const attributes: Record<string, Attribute> = {};
    for (const [name, property] of this.#members) {
      attributes[name] = toAttribute(property, item[name as keyof ItemOf<Schema>]);
    }
    return attributes;
  }
}

/** Takes the item out of a row; undefined where there is no row, or a tombstone. */
export function versionIn<Schema extends ObjectSchema>(row: Row<Schema> | undefined): Version<Schema> | undefined {
  return row?.item && new Version<Schema>(row.item, row.version);
}

function toAttribute(property: PropertySchema, value: unknown): Attribute {
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
function fromAttribute(property: PropertySchema, attribute: any): unknown {
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

/** DynamoDB's strings are UTF-8, which half a surrogate pair has no place in: a text with one is stored as UTF-16. */
function textAttribute(text: string): Attribute {
  return /\p{Surrogate}/u.test(text) ? { B: Buffer.from(text, 'utf16le').toString('base64') } : { S: text };
}

/** DynamoDB's numbers go from 1e-130 to just below 1e126; what JavaScript has beyond that is stored as text. */
function numberAttribute(value: number): Attribute {
  const size = Math.abs(value);
  return size === 0 || (size >= 1e-130 && size < 1e126) ? { N: String(value) } : { S: String(value) };
}
