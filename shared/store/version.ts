import type { ItemOf, ObjectSchema, WritableOf } from '../schema/schema.js';

/** One version of an item. It is immutable: a change makes another version. */
export class Version<Schema extends ObjectSchema> {
  #json: string | undefined;

  /**
   * @param item - All members, in the order of the schema.
   * @param version - Counts from 1, so that no two versions of an item share an entity tag.
   */
  constructor(
    readonly item: ItemOf<Schema>,
    readonly version: number,
  ) {}

  /** The item's key, in lower case. */
  get key(): string {
    return this.item.key as string;
  }

  /** The item as JSON, made when it is first asked for. */
  get json(): string {
    this.#json ??= JSON.stringify(this.item);
    return this.#json;
  }

  /** @returns The next version of the item, with some of its members changed. */
  next(change: Partial<WritableOf<Schema>>): Version<Schema> {
    return new Version<Schema>({ ...this.item, ...change }, this.version + 1);
  }
}

/** Makes the first version of an item, from its key in lower case and all other members in the order of the schema. */
export function firstVersion<Schema extends ObjectSchema>(key: string, members: WritableOf<Schema>): Version<Schema> {
  return new Version<Schema>({ key, ...members } as unknown as ItemOf<Schema>, 1);
}
