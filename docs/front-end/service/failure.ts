import type { components } from './openapi.js';

/** What the service says about a request that failed (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** Something that could not be done. Its message is a sentence for the person who wanted it. */
export class Failure extends Error {
  readonly problem: Problem | undefined;
  /** Whether a write may have been done all the same. */
  readonly mayBeDone: boolean;

  constructor(
    message: string,
    { problem, mayBeDone = false }: { problem?: Problem | undefined; mayBeDone?: boolean } = {},
  ) {
    super(message);
    this.problem = problem;
    this.mayBeDone = mayBeDone;
  }

  /** Whether the service has rejected the value of a member. */
  isAbout(member: string): boolean {
    return this.problem?.errors?.some(({ pointer }) => pointer === `#/${member}`) ?? false;
  }
}

/**
 * Reads why a request failed.
 *
 * @param response - An answer that is not ok.
 * @param body - Its body, if there is one: a problem, unless something before the service has answered.
 */
export function failureOf({ status }: Response, body: unknown): Failure {
  const problem = isProblem(body) ? body : undefined;
  const { detail = `The service answered ${status}.`, errors = [], applied, requestId } = problem ?? {};
  const sentences = errors.length > 0 ? errors.map((error) => error.detail) : [detail];
  if (status === 401) sentences.unshift('The service does not accept this sign-in.');
  if (status === 500 && requestId) sentences.push(`Its operator finds the reason under ${requestId}.`);
  return new Failure(sentences.join(' '), { problem, mayBeDone: status >= 500 && status !== 507 && applied !== false });
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'title' in body && 'status' in body;
}
