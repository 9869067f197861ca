/** A piece of a token with so many characters is hidden, because an answer may have cut off the beginning or the end. */
const PIECE = 16;

/**
 * Hides a token in a text, whole or in pieces.
 *
 * @returns The text, with `(token)` for each.
 */
export function hideToken(token: string | undefined, text: string): string {
  if (!token) return text;
  const size = Math.min(PIECE, token.length);
  const pieces = new Set(Array.from({ length: token.length - size + 1 }, (_, at) => token.slice(at, at + size)));
  let shown = '';
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (pieces.has(text.slice(end, end + size))) end += 1;
    if (end === at) {
      shown += text[at];
      at += 1;
    } else {
      shown += '(token)';
      at = end + size - 1;
    }
  }
  return shown;
}
