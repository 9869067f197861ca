import { isGuid } from '../schema/check.js';

/** Takes the decoded text of a segment, or of all segments of a wildcard. */
export type Constraint = (value: string) => boolean;

/**
 * Builds an inline constraint of a path template, the part after the colon in `{name:constraint}`.
 *
 * @param name - One of `int`, `guid`, `bool`, `alpha`, `minlength`, `maxlength`, `length`, `min`, `max`, `range`,
 * `regex`.
 * @param argument - The text in parentheses, undefined if there are none. Lengths count UTF-16 code units, as in .NET;
 * numbers are integers of at most 64 bits.
 * @throws Error if the constraint is unknown, or does not take this argument.
 */
export function parseConstraint(name: string, argument: string | undefined): Constraint {
  if (name === 'regex') return parseExpression(argument);
  const constraints = makeConstraints();
  const known = Object.hasOwn(constraints, name) ? constraints[name] : undefined;
  if (!known) throw new Error(`unknown constraint "${name}": use one of ${Object.keys(constraints).join(', ')}, regex`);
  const [taken, test] = known;
  const bounds = argument === undefined ? [] : argument.split(',').map((text) => integer(text.trim()));
  if (!taken.includes(bounds.length) || bounds.includes(undefined)) {
    const integers = taken[0] === 0 ? 'no argument' : `${taken.join(' or ')} integer${taken.includes(2) ? 's' : ''}`;
    throw new Error(`${name} takes ${integers}, but has "${argument ?? ''}"`);
  }
  return (value) => test(value, ...(bounds as bigint[]));
}

// biome-ignore lint/suspicious/noExplicitAny: each test has as many bounds as it says that it takes.
type Test = (value: string, ...bounds: any[]) => boolean;

/** Made on demand, because most templates have no constraint. */
function makeConstraints(): Readonly<Record<string, readonly [taken: readonly number[], test: Test]>> {
  const greatest = 2n ** 63n - 1n;
  return {
    int: [[0], (value) => within(integer(value), -(2n ** 31n), 2n ** 31n - 1n)],
    guid: [[0], isGuid],
    bool: [[0], (value) => /^(true|false)$/i.test(value)],
    alpha: [[0], (value) => /^[a-z]+$/i.test(value)],
    minlength: [[1], (value, least) => value.length >= least],
    maxlength: [[1], (value, most) => value.length <= most],
    length: [[1, 2], (value, least, most = least) => value.length >= least && value.length <= most],
    min: [[1], (value, least) => within(integer(value), least, greatest)],
    max: [[1], (value, most) => within(integer(value), -greatest, most)],
    range: [[2], (value, least, most) => within(integer(value), least, most)],
  };
}

function parseExpression(argument: string | undefined): Constraint {
  if (!argument) throw new Error('regex takes an expression, as in regex(^\\d+$)');
  const expression = new RegExp(argument, 'i');
  return (value) => expression.test(value);
}

/** Nineteen digits are enough for 64-bit integers, and BigInt never parses a number as long as the URL. */
function integer(text: string): bigint | undefined {
  return /^[+-]?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}

function within(value: bigint | undefined, least: bigint, most: bigint): boolean {
  return value !== undefined && value >= least && value <= most;
}
