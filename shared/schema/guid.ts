/** Says whether a text is a GUID, in letters of either case (RFC 9562, section 4). */
export function isGuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
