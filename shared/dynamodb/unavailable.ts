/** Neither the service nor the caller is at fault. The caller gets 503. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  /** In seconds. */
  readonly retryAfter = 2;
  /** False if the request certainly changed nothing; undefined if it may have. */
  readonly applied: false | undefined;

  constructor(message: string, { applied, cause }: { applied: false | undefined; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.applied = applied;
  }
}

/** Compares the name, because the table's file contains another copy of the class. */
export function isUnavailable(error: unknown): error is Unavailable {
  return error instanceof Error && error.name === 'Unavailable';
}
