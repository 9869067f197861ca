import type { Answer } from './received-answer.js';
import { shown } from './shown.js';

/** A check that failed, as a sentence that says where to read on. */
export class Fault extends Error {}

/** A line for each check that passes, for what was not tried, and for each note. A fault ends them. */
export type Lines = AsyncGenerator<string | Skipped | { readonly note: string }, void>;

interface Skipped {
  readonly skipped: string;
}

/** Says that something was not tried. */
export function skipped(what: string, why = 'the document has none'): Skipped {
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
 * Expects 200 with content of a media type.
 *
 * @throws Fault that says what came instead.
 */
export function expectContent(mediaType: string, answer: Answer, advice?: string): Answer {
  expectStatus(200, answer, advice);
  expectMediaType(mediaType, answer);
  return answer;
}

/** Expects a media type, whatever its parameters are. */
export function expectMediaType(mediaType: string, { headers, told }: Answer): void {
  const type = headers.get('content-type');
  expectThat(
    type?.split(';', 1).join().trim().toLowerCase() === mediaType,
    `${told} as ${shown(type)} instead of ${mediaType}: docs/rules.md#items.`,
  );
}

/**
 * Expects a problem (rule 19).
 *
 * @param code - Of what kind it is.
 * @throws Fault that says what came instead.
 */
export function expectProblem(status: number, code: string, answer: Answer, advice?: string): Answer {
  expectStatus(status, answer, advice);
  expectMediaType('application/problem+json', answer);
  expectThat(
    answer.json.code === code,
    `${answer.told} with the code ${shown(answer.json.code)} instead of ${code}: docs/rules.md#errors.`,
  );
  return answer;
}

/**
 * Expects that something is so.
 *
 * @throws Fault with the sentence otherwise.
 */
export function expectThat(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new Fault(sentence);
}

/**
 * Returns the entity tag of an answer.
 *
 * @throws Fault if it has none.
 */
export function tagOf({ told, headers }: Answer): string {
  const tag = headers.get('etag');
  expectThat(tag !== null, `${told} without an ETag: docs/rules.md#conditional-requests.`);
  return tag;
}

const READ_THE_LOG = 'The log says more: docs/operate.md#logs.';
