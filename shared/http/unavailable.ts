import { problem } from './problem.js';
import type { Request } from './request.js';
import type { Response } from './response.js';

/** Thrown where the service can't do its work just now, for no fault of the caller's or of its own: answered 503. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter = 2;
}

/**
 * Tells it from other errors, by its member: code that is loaded later may have a class of its own.
 *
 * @param error - Whatever was thrown.
 * @returns Whether to answer 503.
 */
export function isUnavailable(error: unknown): error is Unavailable {
  return error instanceof Error && 'retryAfter' in error;
}

/**
 * Answers that the service can't do its work just now.
 *
 * @param request - The request.
 * @param error - What was thrown.
 * @returns A 503 that says when to try again.
 */
export function unavailable(request: Pick<Request, 'id'>, { retryAfter }: Unavailable): Response<503> {
  const detail = 'The collection can not be reached just now. Try again, but look first whether a change was made.';
  return problem(request, 503, detail, { headers: { 'Retry-After': String(retryAfter) } });
}
