import { goneIn } from '../../docs/your-own/gone.js';

/** What only to-dos have, the path that they are below, and what an article in front of them becomes. */
const OF_TO_DOS = /Item1|isComplete|Walk the dog|to-?do|["'`(]\/api\b(?!-)|\ban whole|\ba [aeio]/i;

/**
 * Finds what a file of a service of its own says about to-dos, or about what it does not have.
 *
 * @returns A sentence for each line that does.
 */
export function leftOvers(file: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const left = OF_TO_DOS.exec(line)?.[0] ?? goneIn(line);
    return left === undefined ? [] : [`${file}:${index + 1} has "${left}": ${line.trim()}`];
  });
}

/** What to do about them, for messages. */
export const CURE =
  'In a service that npm run your-own makes, this would be wrong. Say it without to-dos, or mark it as docs/your-own/gone.ts says.';
