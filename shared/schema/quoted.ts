/**
 * Quotes what a caller sent, as a JSON string. Of a long text only the first hundred characters are repeated, so that
 * no answer or log line grows with it.
 */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

const MAX_QUOTED = 100;
