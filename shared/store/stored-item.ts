import type { ItemOf, ObjectSchema, WritableOf } from '../schema/schema.js';

/** An item at one version. It never changes. */
export class StoredItem<Schema extends ObjectSchema> {
  readonly #read: () => ItemOf<Schema>;
  #item: ItemOf<Schema> | undefined;
  #json: string | undefined;

  /**
   * @param key - In lower case.
   * @param version - From 1. No two versions of an item share an entity tag.
   * @param read - Called when the item is asked for. It has all members in the order of the schema.
   */
  constructor(
    readonly key: string,
    readonly version: number,
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
    return Buffer.byteLength(JSON.stringify(this.json)) - 1;
  }

  /** @throws UnreadableItem if the change asks for the item, which can't be read. */
  next(change: Change<Schema>): StoredItem<Schema> {
    return newItem(this.key, change(this), this.version + 1);
  }
}

/**
 * Makes an item's next members, all of them, of its last version. It is called again if another write comes first. If it
 * does not ask for the item, it replaces even one that can't be read.
 */
export type Change<Schema extends ObjectSchema> = (before: StoredItem<Schema>) => WritableOf<Schema>;

/** Thrown if somebody edited a row by hand. The message contains nothing of the content. */
export class UnreadableItem extends Error {
  override readonly name = 'UnreadableItem';

  constructor(
    readonly key: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`the item ${key} can't be read from its row, because ${reason}`, options);
  }
}

/**
 * @param key - In lower case.
 * @param members - All others, in the order of the schema.
 */
export function newItem<Schema extends ObjectSchema>(
  key: string,
  members: WritableOf<Schema>,
  version = 1,
): StoredItem<Schema> {
  const item = { key, ...members } as unknown as ItemOf<Schema>;
  return new StoredItem<Schema>(key, version, () => item);
}

export function jsonOf(items: Iterable<{ readonly json: string }>): string {
  return `[${Array.from(items, ({ json }) => json).join()}]`;
}
