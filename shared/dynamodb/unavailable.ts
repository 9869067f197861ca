/** Thrown where the service can't do its work just now, for no fault of the caller's or of its own: answered 503. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter = 2;
  /** False where the request has surely changed nothing; undefined where it may have. */
  readonly applied: false | undefined;

  constructor(message: string, { applied, cause }: { applied: false | undefined; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.applied = applied;
  }
}

/** Recognizes the error by its member, because a file that is loaded later has its own copy of the class. */
export function isUnavailable(error: unknown): error is Unavailable {
  return error instanceof Error && 'retryAfter' in error;
}
