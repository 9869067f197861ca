/** What the service answered. */
export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
  /** The content as UTF-8. */
  readonly text: string;
  /** The content parsed; a test that looks into it fails where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it member by member, and fail on what isn't there.
  readonly json: any;
}

/**
 * Puts an answer together.
 *
 * @param status - The status.
 * @param headers - By name in any letter case.
 * @param content - The bytes of the content.
 * @returns The answer, its content parsed where it is JSON.
 */
export function answerOf(status: number, headers: Readonly<Record<string, string>>, content: Buffer): Answer {
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const text = content.toString();
  const isJson = /json|text\/plain/.test(lowered['content-type'] ?? '') && text !== '';
  return { status, headers: lowered, content, text, json: isJson ? JSON.parse(text) : undefined };
}
