import type { ItemOf, ObjectSchema, WritableOf } from '../schema/schema.js';

/** One version of an item. It is immutable. */
export class Version<Schema extends ObjectSchema> {
  readonly #read: () => ItemOf<Schema>;
  #item: ItemOf<Schema> | undefined;
  #json: string | undefined;
  #bytes: number | undefined;

  /**
   * @param key - In lower case.
   * @param number - From 1. No two versions of an item share an entity tag.
   * @param read - Called when the item is asked for. All members in the order of the schema.
   */
  constructor(
    readonly key: string,
    readonly number: number,
    read: () => ItemOf<Schema>,
  ) {
    this.#read = read;
  }

  /** @throws UnreadableItem if somebody edited its row by hand. So do `json` and `bytes`. */
  get item(): ItemOf<Schema> {
    this.#item ??= this.#read();
    return this.#item;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.item);
    return this.#json;
  }

  /** The bytes that the item takes in a list inside a result: a string without its two quotes, and a comma. */
  get bytes(): number {
    this.#bytes ??= Buffer.byteLength(JSON.stringify(this.json)) - 1;
    return this.#bytes;
  }

  /** @throws UnreadableItem if the change asks for the item, which can't be read. */
  next(change: Change<Schema>): Version<Schema> {
    const item = itemOf<Schema>(this.key, change(this));
    return new Version<Schema>(this.key, this.number + 1, () => item);
  }
}

/**
 * Makes an item's next members, all of them, of its last version. It is called again if another write comes first. If it
 * does not ask for the item, it replaces even one that can't be read.
 */
export type Change<Schema extends ObjectSchema> = (before: Version<Schema>) => WritableOf<Schema>;

/** Thrown if somebody edited a row by hand. The message contains nothing of the content. */
export class UnreadableItem extends Error {
  override readonly name = 'UnreadableItem';

  constructor(key: string, reason: string) {
    super(`the item ${key} can't be read from its row, because ${reason}`);
  }
}

/**
 * @param key - In lower case.
 * @param members - All others, in the order of the schema.
 */
export function firstVersion<Schema extends ObjectSchema>(key: string, members: WritableOf<Schema>): Version<Schema> {
  const item = itemOf<Schema>(key, members);
  return new Version<Schema>(key, 1, () => item);
}

function itemOf<Schema extends ObjectSchema>(key: string, members: WritableOf<Schema>): ItemOf<Schema> {
  return { key, ...members } as unknown as ItemOf<Schema>;
}

/** Appending to a text takes a seventh less time than joining an array, for a long list and the JSON of its result. */
export function jsonOf(versions: Iterable<{ readonly json: string }>): string {
  let json = '';
  for (const version of versions) json += json === '' ? version.json : `,${version.json}`;
  return `[${json}]`;
}
