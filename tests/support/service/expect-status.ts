import type { Answer } from './answer.js';

/**
 * Waits for an answer that must have a status, so that a request that failed fails its test there and then.
 *
 * @param status - The status that it must have.
 * @param answering - The answer that comes.
 * @returns The answer.
 * @throws Error with the problem, where the status is another one.
 */
export async function expectStatus(status: number, answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status === status) return answer;
  throw new Error(`answered ${answer.status} instead of ${status}: ${answer.text || '(no content)'}`);
}
