import type { ObjectSchema, Shape } from '../http/schema.js';
import { isPlain } from '../json.js';

/** A to-do item, as it goes over the wire. */
export const todoItem = {
  title: 'TodoItem',
  required: ['name'],
  properties: {
    /** Names the item; assigned by the service when the item is created. */
    key: { type: 'string', format: 'uuid', example: '2f6cbfa2-98d0-4b2b-8f0e-0d6a3c1b7e55' },
    /** What there is to do, with at least one character that is not white space. */
    name: {
      type: 'string',
      // Unicode's White_Space, spelled out so that the document says the same: what \s means differs between readers.
      pattern: /[^\t-\r \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/,
      rule: 'a string with at least one character that is not white space',
      example: 'Walk the dog',
    },
    /** Whether it is done. */
    isComplete: { type: 'boolean', default: false, rule: 'true or false', example: false },
  },
} as const satisfies ObjectSchema;

/** The members of a to-do item. */
export type TodoMembers = Shape<typeof todoItem>;

/** The members that a client sets. */
export type WritableMembers = Omit<TodoMembers, 'key'>;

/** An item in a store, never changed once made: another version takes its place. */
export interface StoredItem extends TodoMembers {
  /** Counts the item's versions from 1, so that no two of them share an entity tag. */
  readonly version: number;
  /** The item as JSON, the form in which it is asked for most; made when it is first asked for. */
  readonly json: string;
  /** Whether JSON has the name as it stands, in as many bytes as it is long, also inside a string of other JSON. */
  readonly isPlain: boolean;
}

/**
 * Makes an item ready to store.
 *
 * @param key - The item's key, in lower case.
 * @param members - Its valid members.
 * @param version - Its version, from 1.
 * @returns The item, its JSON in the order of the schema.
 */
export function storedItem(key: string, { name, isComplete }: WritableMembers, version: number): StoredItem {
  return new Version(key, name, isComplete, version, isPlain(name));
}

/**
 * Makes the next version of an item.
 *
 * @param item - The item as it was.
 * @param members - Those of its members that change.
 * @returns The item as it is from now on.
 */
export function changedItem(item: StoredItem, { name, isComplete }: Partial<WritableMembers>): StoredItem {
  const plain = name === undefined || name === item.name ? item.isPlain : isPlain(name);
  return new Version(item.key, name ?? item.name, isComplete ?? item.isComplete, item.version + 1, plain);
}

class Version implements StoredItem {
  #json: string | undefined;

  constructor(
    readonly key: string,
    readonly name: string,
    readonly isComplete: boolean,
    readonly version: number,
    readonly isPlain: boolean,
  ) {}

  get json(): string {
    this.#json ??= this.#toJson();
    return this.#json;
  }

  /**
   * Most names are plain, and putting their JSON together takes a quarter of the time that JSON.stringify takes; in one
   * piece, which a template would leave to whoever reads it first, and keep the parts.
   */
  #toJson(): string {
    const { key, name, isComplete, isPlain } = this;
    return isPlain
      ? ['{"key":"', key, '","name":"', name, isComplete ? DONE_END : OPEN_END].join('')
      : JSON.stringify({ key, name, isComplete });
  }
}

const DONE_END = '","isComplete":true}';
const OPEN_END = '","isComplete":false}';

/**
 * Gives an item's entity tag (RFC 9110, section 8.8.3). It is strong: a version is never changed, and a key never
 * given twice.
 *
 * @param item - The item.
 * @returns The tag, in quotes.
 */
export function entityTag(item: Pick<StoredItem, 'version'>): string {
  return `"${item.version}"`;
}
