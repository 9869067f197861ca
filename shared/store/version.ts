import type { ItemOf, ObjectSchema, PatchOf, WritableOf } from '../schema/schema.js';

/** One version of an item. It is immutable: a change makes another version. */
export class Version<Schema extends ObjectSchema> {
  readonly #item: ItemOf<Schema> | UnreadableItem;
  #json: string | undefined;
  #bytes: number | undefined;

  /**
   * @param key - The item's key in lower case.
   * @param number - Versions count from 1: no two of an item share an entity tag.
   * @param item - The item with all members, in the order of the schema; or why it can't be read.
   */
  constructor(
    readonly key: string,
    readonly number: number,
    item: ItemOf<Schema> | UnreadableItem,
  ) {
    this.#item = item;
  }

  get isReadable(): boolean {
    return !(this.#item instanceof UnreadableItem);
  }

  /** @throws UnreadableItem if somebody has edited its row; and so do all members that need the item. */
  get item(): ItemOf<Schema> {
    if (this.#item instanceof UnreadableItem) throw this.#item;
    return this.#item;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.item);
    return this.#json;
  }

  /** The bytes that the item takes in a list inside a result, with a comma; counted when they are first asked for. */
  get bytes(): number {
    this.#bytes ??= bytesInString(this.json) + 1;
    return this.#bytes;
  }

  next(change: Partial<WritableOf<Schema>>): Version<Schema> {
    return new Version<Schema>(this.key, this.number + 1, { ...this.item, ...change });
  }

  /** Makes the next version of all other members, in the order of the schema, whether or not this one can be read. */
  replacedBy(members: PatchOf<Schema>): Version<Schema> {
    return new Version<Schema>(this.key, this.number + 1, itemOf(this.key, members));
  }
}

/** Thrown if what a table keeps is no item: its row was edited by hand. The message has nothing of the content. */
export class UnreadableItem extends Error {
  override readonly name = 'UnreadableItem';

  constructor(key: string, reason: string) {
    super(`the item ${key} can't be read from its row, because ${reason}`);
  }
}

/** Makes the first version of an item, from its key in lower case and all other members in the order of the schema. */
export function firstVersion<Schema extends ObjectSchema>(key: string, members: WritableOf<Schema>): Version<Schema> {
  return new Version<Schema>(key, 1, itemOf(key, members));
}

function itemOf<Schema extends ObjectSchema>(key: string, members: object): ItemOf<Schema> {
  return Object.assign({ key }, members) as unknown as ItemOf<Schema>;
}

/**
 * Writes the JSON of a page of a list. It appends to a text instead of joining an array: with that, a long list and the JSON of
 * its result take a seventh less time.
 *
 * @param versions - The versions on the page, in order.
 */
export function jsonOf(versions: Iterable<{ readonly json: string }>): string {
  let json = '';
  for (const version of versions) json += json === '' ? version.json : `,${version.json}`;
  return `[${json}]`;
}

/** Counts the bytes that JSON takes inside a string of other JSON, as a body does in a result: without the quotes around it. */
export function bytesInString(json: string): number {
  return Buffer.byteLength(JSON.stringify(json)) - 2;
}
