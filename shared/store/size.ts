/**
 * Counts what JSON takes inside a string of other JSON, as a body does in a result.
 *
 * @param json - What JSON.stringify gave, so that all that must be escaped is quotes and backslashes.
 * @returns Bytes in UTF-8, without the quotes around the string.
 */
export function bytesInString(json: string): number {
  return Buffer.byteLength(json) + count(json, '"') + count(json, '\\');
}

function count(text: string, character: string): number {
  let found = 0;
  for (let index = text.indexOf(character); index >= 0; index = text.indexOf(character, index + 1)) found += 1;
  return found;
}
