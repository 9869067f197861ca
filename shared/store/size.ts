/** Counts the bytes that JSON takes inside a string of other JSON, as a body does in a result, without the quotes around it. */
export function bytesInString(json: string): number {
  return Buffer.byteLength(JSON.stringify(json)) - 2;
}
