import type { Answer } from './received-answer.js';

/** What does not hold, as a sentence that says where to read on. */
export class Fault extends Error {}

/** Says what holds, a line each; or what was not tried. */
export type Lines = AsyncGenerator<string | { readonly skipped: string }, void>;

/** Says that something was not tried. */
export function skipped(what: string, why = 'the document has none'): { readonly skipped: string } {
  return { skipped: `${what}: ${why}` };
}

/**
 * Expects a status.
 *
 * @param advice - What to do otherwise, as a sentence.
 * @throws Fault that says what came instead, and the advice.
 */
export function expectStatus(status: number, answer: Answer, advice = READ_THE_LOG): Answer {
  if (answer.status === status) return answer;
  throw new Fault(`${answer.told} instead of ${status}. ${advice}`);
}

/**
 * Expects that something holds.
 *
 * @throws Fault with the sentence otherwise.
 */
export function expectThat(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Fault(sentence);
}

const READ_THE_LOG = 'The log says more: docs/operate.md#logs.';
