import { randomUUID } from 'node:crypto';
import type { ItemOf, ObjectSchema, PropertySchema } from '../schema/schema.js';
import { type Attribute, type Attributes, fromAttribute, toAttribute } from './attribute.js';
import { FIRST_KEY } from './key.js';
import { Version } from './version.js';

/** What the table has under a key: an item, or the tombstone of one that was removed. */
export interface Row<Schema extends ObjectSchema> {
  readonly key: string;
  readonly version: number;
  /** Names the write that made the row, so that a request that did not get the reply can tell whether it was its own. */
  readonly writeId: string;
  readonly item: ItemOf<Schema> | undefined;
  /** When DynamoDB may delete a tombstone, in seconds since 1970; undefined if it is kept for ever. */
  readonly expires?: number | undefined;
}

export function primaryKey(partition: string, key: string): Attributes {
  return { resource: { S: partition }, key: { S: key } };
}

export class RowFormat<Schema extends ObjectSchema> {
  readonly #members: readonly Member[];

  constructor(schema: Schema) {
    this.#members = Object.entries<PropertySchema>(schema.properties)
      .filter(([name]) => name !== 'key')
      .map(([name, property]) => {
        const { formerly = name, backfill = property.default ?? null } = property;
        return { name, property, formerly, backfill };
      });
  }

  /** @returns All attributes of a row. The item's members are in a map, so that their names can't collide with the row's. */
  attributesOf(partition: string, { key, version, writeId, item, expires }: Row<Schema>): Attributes {
    return {
      ...primaryKey(partition, key),
      version: { N: String(version) },
      writeId: { S: writeId },
      ...(item && { item: { M: this.#membersOf(item) } }),
      ...(expires !== undefined && { expires: { N: String(expires) } }),
    };
  }

  /** @returns The row. A member that it has under neither name, because it was declared later, gets its backfill. */
  // biome-ignore lint/suspicious/noExplicitAny: the attributes have the types that attributesOf gave them.
  parse(attributes: Readonly<Record<string, any>>): Row<Schema> {
    const { key, version, writeId } = attributes;
    return { key: key.S, version: Number(version.N), writeId: writeId.S, item: this.parseItem(attributes) };
  }

  // biome-ignore lint/suspicious/noExplicitAny: the attributes have the types that attributesOf gave them.
  parseItem({ key, item }: Readonly<Record<string, any>>): ItemOf<Schema> | undefined {
    if (!item) return undefined;
    const members: Record<string, unknown> = { key: key.S };
    for (const { name, property, formerly, backfill } of this.#members) {
      const attribute = item.M[name] ?? item.M[formerly];
      members[name] = attribute ? fromAttribute(property, attribute) : backfill;
    }
    return members as ItemOf<Schema>;
  }

  #membersOf(item: ItemOf<Schema>): Attributes {
    const attributes: Record<string, Attribute> = {};
    for (const { name, property } of this.#members) {
      attributes[name] = toAttribute(property, item[name as keyof ItemOf<Schema>]);
    }
    return attributes;
  }
}

interface Member {
  readonly name: string;
  readonly property: PropertySchema;
  readonly formerly: string;
  readonly backfill: unknown;
}

export function rowOf<Schema extends ObjectSchema>({ key, version, item }: Version<Schema>): Row<Schema> {
  return { key, version, writeId: randomUUID(), item };
}

/**
 * Makes the tombstone that takes the place of an item's last version. It stays for two hours: for one hour, a retry with
 * the same `Idempotency-Key` puts the item again, and attempts may come late. The first item's tombstone stays for ever,
 * because without a row the item would be back.
 */
export function tombstoneOf<Schema extends ObjectSchema>({ key, version }: Version<Schema>): Row<Schema> {
  const expires = key === FIRST_KEY ? undefined : Math.floor(Date.now() / 1_000) + 7_200;
  return { key, version: version + 1, writeId: randomUUID(), item: undefined, expires };
}

export function versionIn<Schema extends ObjectSchema>(row: Row<Schema> | undefined): Version<Schema> | undefined {
  return row?.item && new Version<Schema>(row.item, row.version);
}
