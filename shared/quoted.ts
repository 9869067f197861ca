/**
 * Quotes what a caller sent. Only the beginning of a long text is repeated, so that no answer or log line grows with it.
 *
 * @param text - Any text.
 * @returns At most its first hundred characters, as a JSON string.
 */
export function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

const LONGEST = 100;
