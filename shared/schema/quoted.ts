/**
 * Quotes what a caller sent, as a JSON string. Keeps only the first hundred characters, so that answers and log entries
 * stay short.
 */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

const MAX_QUOTED = 100;
