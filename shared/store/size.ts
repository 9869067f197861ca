/**
 * Counts what the JSON of a value takes inside a string of other JSON, as a body does in a result. Most values need not
 * be written as JSON for that, which saves a third of a write.
 *
 * @param value - What JSON can have; of objects and arrays, all that is in them.
 * @returns Bytes in UTF-8, without the quotes around that string.
 */
export function bytesInString(value: unknown): number {
  if (typeof value === 'string') return isPlain(value) ? value.length + 4 : bytesOfJson(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) return String(value).length;
  let bytes = 1;
  for (const name in value) {
    if (!Array.isArray(value)) bytes += bytesInString(name) + 1;
    bytes += bytesInString(value[name as keyof object]) + 1;
  }
  return Math.max(bytes, 2);
}

/** Whether each character takes a byte; a long text is written as JSON more quickly than it is looked through. */
function isPlain(text: string): boolean {
  if (text.length > 200) return false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

/** Of what JSON.stringify gives, quotes and backslashes are all that must be escaped. */
function bytesOfJson(json: string): number {
  return Buffer.byteLength(json) + count(json, '"') + count(json, '\\');
}

function count(text: string, character: string): number {
  let found = 0;
  for (let index = text.indexOf(character); index >= 0; index = text.indexOf(character, index + 1)) found += 1;
  return found;
}
