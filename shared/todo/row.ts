import { type StoredItem, storedItem } from './item.js';

/** An item as the table has it: DynamoDB's attributes, each with its type. */
export type Row = Readonly<Record<string, Attribute>>;

type Attribute = { readonly S: string } | { readonly N: string } | { readonly B: string } | { readonly BOOL: boolean };

/**
 * Makes the attributes of some members.
 *
 * @param members - The members of an item that are known.
 * @returns Their attributes, under the same names.
 */
export function rowOf({ key, name, isComplete, version }: Partial<StoredItem>): Row {
  return {
    ...(key !== undefined && { key: { S: key } }),
    ...(name !== undefined && { name: textOf(name) }),
    ...(isComplete !== undefined && { isComplete: { BOOL: isComplete } }),
    ...(version !== undefined && { version: { N: String(version) } }),
  };
}

/**
 * Reads a row.
 *
 * @param row - The attributes, undefined where there is no row.
 * @returns The item; undefined also for the row of one that is no more, which has no version.
 */
// biome-ignore lint/suspicious/noExplicitAny: the types of attributes are those that rowOf gave them.
export function itemOf(row: Readonly<Record<string, any>> | undefined): StoredItem | undefined {
  if (!row?.version) return undefined;
  const { key, name, isComplete, version } = row;
  const text = name.S ?? Buffer.from(name.B, 'base64').toString('utf16le');
  return storedItem(key.S, { name: text, isComplete: isComplete.BOOL }, Number(version.N));
}

/**
 * Says whether a name leaves the row within DynamoDB's limit of 400 KB (the sizes of attributes' names and values).
 *
 * @param name - The name.
 * @returns Whether it can be stored.
 */
export function isStorable(name: string): boolean {
  return (isText(name) ? Buffer.byteLength(name) : name.length * 2) <= LARGEST_NAME;
}

/** In bytes: 400 KB but for at most 82 of the other attributes and of all their names. */
const LARGEST_NAME = 400 * 1_024 - 100;

/** DynamoDB's strings are UTF-8, which half a surrogate pair has no place in: a name with one is stored as UTF-16. */
function textOf(name: string): Attribute {
  return isText(name) ? { S: name } : { B: Buffer.from(name, 'utf16le').toString('base64') };
}

function isText(name: string): boolean {
  return !/\p{Surrogate}/u.test(name);
}
