/** Thrown if the service can't answer at the moment, and neither it nor the caller is at fault: 503. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter = 2;
  /** False if the request certainly changed nothing; undefined if it may have. */
  readonly applied: false | undefined;

  constructor(message: string, { applied, cause }: { applied: false | undefined; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.applied = applied;
  }
}

/** Compares the name, not the class, because the table's file has its own copy of the class. */
export function isUnavailable(error: unknown): error is Unavailable {
  return error instanceof Error && error.name === 'Unavailable';
}
