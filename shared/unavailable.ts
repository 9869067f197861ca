/** Thrown where the service can't do its work just now, for no fault of the caller's or of its own: answered 503. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter = 2;
  /** False where the request has surely changed nothing. */
  applied: false | undefined;
}

/** Recognizes the error by its member, because a file that is loaded later has its own copy of the class. */
export function isUnavailable(error: unknown): error is Unavailable {
  return error instanceof Error && 'retryAfter' in error;
}
