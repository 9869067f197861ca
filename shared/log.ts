/** What is logged of an error. Other members are not, because errors of AWS's SDK contain replies, and so items. */
export interface ErrorEntry {
  readonly name?: string;
  readonly message: string;
  /** Only the frames: the lines above them repeat the message. */
  readonly stack?: string;
  readonly cause?: ErrorEntry;
}

/**
 * Picks what is logged of whatever was thrown, because `console` would log all members of an error. It never throws.
 *
 * @param causes - How many causes it describes at most, because they may form a circle.
 */
export function describeError(thrown: unknown, causes = 8): ErrorEntry {
  try {
    if (!(thrown instanceof Error)) return { message: shortened(thrown) };
    const { name, stack, cause } = thrown;
    const frames = stack?.match(/^ +at .*/gm)?.join('\n');
    return {
      name: shortened(name),
      message: shortened(messageOf(thrown)),
      ...(frames && { stack: shortened(frames) }),
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

function shortened(value: unknown): string {
  return String(value).slice(0, 2_000);
}
