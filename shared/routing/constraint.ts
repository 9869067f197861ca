import { UUID_REGEX } from 'valibot';

/** Tests the decoded text of a segment, or of all segments of a wildcard. */
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
  const bounds = argument === undefined ? [] : argument.split(',').map((text) => parseInteger(text.trim()));
  if (!counts.includes(bounds.length) || bounds.includes(Number.NaN)) {
    const taken = counts[0] === 0 ? 'no argument' : `${counts.join(' or ')} integer${counts.includes(2) ? 's' : ''}`;
    throw new Error(`${name} takes ${taken}, not "${argument ?? ''}"`);
  }
  return (value) => test(value, ...(bounds as [number, number]));
}

/** The constraints by name: how many bounds each takes (one of these numbers), and its test. */
const TESTS: Readonly<Record<string, readonly [counts: readonly number[], test: Test]>> = {
  int: [[0], (value) => within(parseInteger(value), -(2 ** 31), 2 ** 31 - 1)],
  guid: [[0], (value) => UUID_REGEX.test(value)],
  bool: [[0], (value) => /^(true|false)$/i.test(value)],
  alpha: [[0], (value) => /^[a-z]+$/i.test(value)],
  minlength: [[1], (value, least) => value.length >= least],
  maxlength: [[1], (value, most) => value.length <= most],
  length: [[1, 2], (value, least, most = least) => within(value.length, least, most)],
  min: [[1], (value, least) => parseInteger(value) >= least],
  max: [[1], (value, most) => parseInteger(value) <= most],
  range: [[2], (value, least, most) => within(parseInteger(value), least, most)],
};

type Test = (value: string, least: number, most: number) => boolean;

/** NaN unless the text is an integer of at most 19 digits, enough for 64 bits. */
function parseInteger(text: string): number {
  return /^[+-]?\d{1,19}$/.test(text) ? Number(text) : Number.NaN;
}

function within(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
