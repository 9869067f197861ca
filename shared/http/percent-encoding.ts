/** Decodes a segment of a path (RFC 3986, section 2.1). Escapes that are not UTF-8 stay as they are. */
export function decodeSegment(segment: string): string {
  return segment.includes('%') ? segment.replace(ESCAPED_CHARACTER, decodeURIComponent) : segment;
}

/** One escaped character in well-formed UTF-8 (RFC 3629, section 4), so that decoding never throws. */
const ESCAPED_CHARACTER =
  /%[0-7][\da-f]|(?!%c[01]|%e0%[89]|%ed%[ab]|%f0%8|%f4%[9ab])(?:%[cd][\da-f]|%e[\da-f]%[89ab][\da-f]|%f[0-4](?:%[89ab][\da-f]){2})%[89ab][\da-f]/gi;
