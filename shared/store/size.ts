/**
 * Counts what the JSON of a value takes inside a string of other JSON, as a body does in a result. Plain texts need not
 * be written as JSON for that, which saves a third of a write.
 *
 * @param value - What JSON can have; of objects and arrays, all that is in them.
 * @returns Bytes in UTF-8, without the quotes around that string.
 */
export function bytesInString(value: unknown): number {
  if (typeof value === 'string') return NOT_PLAIN.test(value) ? bytesWritten(value) : value.length + 4;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let bytes = 1;
  for (const name in value) {
    if (!Array.isArray(value)) bytes += bytesInString(name) + 1;
    bytes += bytesInString(value[name as keyof object]) + 1;
  }
  return Math.max(bytes, 2);
}

/** A character that is escaped in JSON, or takes more than a byte. */
const NOT_PLAIN = /[^ !#-[\]-~]/;

/** Of what JSON.stringify gives, quotes and backslashes are all that must be escaped. */
function bytesWritten(text: string): number {
  const json = JSON.stringify(text);
  return Buffer.byteLength(json) + count(json, '"') + count(json, '\\');
}

function count(text: string, character: string): number {
  let found = 0;
  for (let index = text.indexOf(character); index >= 0; index = text.indexOf(character, index + 1)) found += 1;
  return found;
}
