/**
 * Reads the entity tags of `If-Match` or `If-None-Match` (RFC 9110, section 8.8.3).
 *
 * @param list - The header's value.
 * @param comparison - `strong` leaves out weak tags, which match nothing then; `weak` takes them for what they quote.
 * @returns What the tags quote. Text that is no tag is skipped.
 */
export function readTags(list: string, comparison: 'strong' | 'weak'): string[] {
  const tags = Array.from(list.matchAll(/(W\/)?"([^"]*)"/g));
  return tags.filter(([, weak]) => comparison === 'weak' || !weak).map(([, , opaque]) => opaque as string);
}
