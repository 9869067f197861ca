/** A request as the operations see it, whichever gateway it came through. */
export interface Request {
  /** As sent: HTTP methods are case-sensitive (RFC 9110, section 9.1). */
  readonly method: string;
  /** The decoded segments of the path behind the prefix, without the slash that may end it. */
  readonly segments: readonly string[];
  /** What the caller's own URL has in front of the path: a stage, a base path, or nothing. Ends in no slash. */
  readonly prefix: string;
  /** The gateway's name for this request, for callers to quote; empty when it gave none. */
  readonly id: string;
  /** The content as the gateway handed it over, undefined when there is none. */
  readonly body: string | undefined;
  /** Whether the gateway encoded the content in base64. */
  readonly isBase64Encoded: boolean;
  /**
   * Reads a header field.
   *
   * @param name - In lower case.
   * @returns Its value, those of a repeated field joined by commas (RFC 9110, section 5.3); undefined when not sent.
   */
  header(name: string): string | undefined;
  /**
   * Reads a query parameter.
   *
   * @param name - In the letter case that the route declares: query parameters are case-sensitive.
   * @returns Its decoded value, the last one where it is repeated; undefined when not sent.
   */
  query(name: string): string | undefined;
}

/**
 * Splits a path into its segments and decodes each one once, so that `%2F` never separates.
 *
 * @param path - One slash in front and one at its end are dropped (specification, Endpoints, rule 7).
 * @param encoded - Whether the path still holds its percent-encoding. A malformed escape is kept as it stands.
 * @returns The segments; none for `/`. A doubled slash makes an empty one, which matches no template.
 */
export function segmentsOf(path: string, encoded: boolean): string[] {
  const segments: string[] = [];
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  for (let start = path.startsWith('/') ? 1 : 0; start <= end && end > 0; ) {
    const slash = path.indexOf('/', start);
    const stop = slash < 0 ? end : Math.min(slash, end);
    segments.push(path.slice(start, stop));
    start = stop + 1;
  }
  return encoded && path.includes('%') ? segments.map(decode) : segments;
}

function decode(segment: string): string {
  return tryDecode(segment) ?? segment.replace(ESCAPED_CHARACTER, (text) => tryDecode(text) ?? text);
}

/** The escapes of one character in UTF-8. */
const ESCAPED_CHARACTER =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](%[89ab][\da-f]){2}|%f[\da-f](%[89ab][\da-f]){3}/gi;

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
