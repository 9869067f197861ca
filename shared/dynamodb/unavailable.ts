/** Thrown if the service can't answer just now, and neither it nor the caller is at fault: answered 503. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter = 2;
  /** False if the request has surely changed nothing; undefined if it may have. */
  readonly applied: false | undefined;

  constructor(message: string, { applied, cause }: { applied: false | undefined; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.applied = applied;
  }
}

/** Checks a member, not the class, because the table's file has its own copy of the class. */
export function isUnavailable(error: unknown): error is Unavailable {
  return error instanceof Error && 'retryAfter' in error;
}
