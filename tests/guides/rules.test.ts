import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** The numbers that begin the rules. */
const rules = Array.from(readFileSync('docs/rules.md', 'utf8').matchAll(/^(\d+)\. /gm), ([, number]) => Number(number));

/** What the names of tests end with: `(rule 5)`, `(rules 10 and 15 to 18)`. */
const CITED = /\(rules? ((?:\d+|, | to | and )+)\)['"]/g;

/** The numbers in such an end. */
function numbersIn(words: string): number[] {
  return words.split(/, | and /).flatMap((part) => {
    const [from = 0, to = from] = part.split(' to ').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

/** What the names of the tests in a file cite. */
function citedIn(file: string): number[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(CITED), ([, words = '']) => numbersIn(words)).flat();
}

it('each rule has tests that cite it by its number, and no test cites another', () => {
  expect(rules).toEqual(Array.from(rules, (_, index) => index + 1));
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const cited = new Set(
    files.filter((name) => !/node_modules/.test(name)).flatMap((name) => citedIn(join('tests', name))),
  );
  expect([...cited].sort((one, other) => one - other)).toEqual(rules);
});
