/** What is logged of an error. Its other members are not, because those of AWS's SDK contain replies, and so items. */
export interface ErrorEntry {
  readonly name?: string;
  readonly message: string;
  /** Only the frames: the lines above them repeat the message. */
  readonly stack?: string;
  readonly cause?: ErrorEntry;
}

/**
 * Describes whatever was thrown, because `console` would log all members of an error. It never throws.
 *
 * @param causes - How many causes it describes at most, because they may form a circle.
 */
export function describeError(thrown: unknown, causes = 8): ErrorEntry {
  try {
    if (!(thrown instanceof Error)) return { message: shortened(thrown) };
    const { name, stack, cause } = thrown;
    return {
      name: shortened(name),
      message: shortened(messageOf(thrown)),
      ...(stack && { stack: shortened(stack.split('\n').filter(isFrame).join('\n')) }),
      ...(cause !== undefined && causes > 0 && { cause: describeError(cause, causes - 1) }),
    };
  } catch {
    return { message: "something that can't be described was thrown" };
  }
}

/**
 * Replaces the message of a JSON parser, which quotes the text, and so perhaps an item or a token. An `AggregateError` may
 * have no message, for example if no address of a host can be reached; then the messages of its errors are joined.
 */
function messageOf(error: Error): string {
  if (error instanceof SyntaxError && error.message.includes('JSON')) return 'a text is not JSON';
  if (error.message || !('errors' in error)) return error.message;
  return (error.errors as readonly Error[]).map(messageOf).join(', ');
}

function isFrame(line: string): boolean {
  return /^ +at /.test(line);
}

const LONGEST_TEXT = 2_000;

function shortened(value: unknown): string {
  return String(value).slice(0, LONGEST_TEXT);
}
