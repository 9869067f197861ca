import { UUID_REGEX } from 'valibot';

/** Takes the decoded text of a segment, or of all segments of a wildcard. */
export type Constraint = (value: string) => boolean;

/**
 * Builds an inline constraint of a path template, the part after the colon in `{name:constraint}`.
 *
 * @param name - One of {@link TESTS}.
 * @param argument - The text in parentheses, undefined if there are none. Lengths count UTF-16 code units, as in .NET.
 * @throws Error if the constraint is unknown, or does not take this argument.
 */
export function parseConstraint(name: string, argument: string | undefined): Constraint {
  const known = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
  if (!known) throw new Error(`unknown constraint "${name}": use one of ${Object.keys(TESTS).join(', ')}`);
  const [counts, test] = known;
  const bounds = argument === undefined ? [] : argument.split(',').map((text) => integer(text.trim()));
  if (!counts.includes(bounds.length) || bounds.includes(Number.NaN)) {
    const taken = counts[0] === 0 ? 'no argument' : `${counts.join(' or ')} integer${counts.includes(2) ? 's' : ''}`;
    throw new Error(`${name} takes ${taken}, but has "${argument ?? ''}"`);
  }
  return (value) => test(value, ...(bounds as [number, number]));
}

/** Each with the numbers of bounds that it takes. */
const TESTS: Readonly<Record<string, readonly [counts: readonly number[], test: Test]>> = {
  int: [[0], (value) => within(integer(value), -(2 ** 31), 2 ** 31 - 1)],
  guid: [[0], (value) => UUID_REGEX.test(value)],
  bool: [[0], (value) => /^(true|false)$/i.test(value)],
  alpha: [[0], (value) => /^[a-z]+$/i.test(value)],
  minlength: [[1], (value, least) => value.length >= least],
  maxlength: [[1], (value, most) => value.length <= most],
  length: [[1, 2], (value, least, most = least) => within(value.length, least, most)],
  min: [[1], (value, least) => integer(value) >= least],
  max: [[1], (value, most) => integer(value) <= most],
  range: [[2], (value, least, most) => within(integer(value), least, most)],
};

type Test = (value: string, least: number, most: number) => boolean;

/** NaN unless the text is an integer. The length is that of 64 bits. */
function integer(text: string): number {
  return /^[+-]?\d{1,19}$/.test(text) ? Number(text) : Number.NaN;
}

function within(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
