/** What the log has of an error. No other member, because the errors of a client have its replies, with items. */
export interface ErrorEntry {
  readonly name?: string;
  readonly message: string;
  /** The frames alone. */
  readonly stack?: string;
  readonly cause?: ErrorEntry;
}

/**
 * Describes whatever was thrown, for `console`, which would write all members of an error. It never throws.
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
 * A parser's error quotes the text, which may have an item or a token. An `AggregateError` may have no message, for
 * example if no address of a host can be reached: then it is the messages of its errors.
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
