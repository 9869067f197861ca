import { isGuid } from '../schema/check.js';

/** Says whether the decoded text of a path segment (or of a catch-all's segments) satisfies a constraint. */
export type Constraint = (value: string) => boolean;

/**
 * Builds an inline constraint of a path template, the part after the colon in `{name:constraint}`.
 *
 * @param name - One of `int`, `guid`, `bool`, `alpha`, `minlength`, `maxlength`, `length`, `min`, `max`, `range`, `regex`.
 * @param argument - The text in parentheses, undefined where there are none. Lengths are counted in UTF-16 code
 * units, as .NET counts them; numbers are integers of at most 64 bits.
 * @returns The test that a value must pass for its route to match.
 * @throws Error when the constraint is unknown or its argument is not what it takes.
 */
export function parseConstraint(name: string, argument: string | undefined): Constraint {
  const build = Object.hasOwn(builders, name) ? builders[name] : undefined;
  if (!build) {
    throw new Error(`unknown constraint "${name}"; there are ${Object.keys(builders).join(', ')}`);
  }
  return build(name, argument);
}

type Builder = (name: string, argument: string | undefined) => Constraint;

const builders: Record<string, Builder> = {
  int: plain((value) => within(integer(value), -(2n ** 31n), 2n ** 31n - 1n)),
  guid: plain(isGuid),
  bool: plain((value) => /^(true|false)$/i.test(value)),
  alpha: plain((value) => /^[a-z]+$/i.test(value)),
  minlength: counted(1, (value, [least]) => value.length >= least),
  maxlength: counted(1, (value, [most]) => value.length <= most),
  length: (name, argument) =>
    argument?.includes(',')
      ? counted(2, (value, [least, most]) => value.length >= least && value.length <= most)(name, argument)
      : counted(1, (value, [exactly]) => value.length === Number(exactly))(name, argument),
  min: counted(1, (value, [least]) => within(integer(value), least, LONGEST)),
  max: counted(1, (value, [most]) => within(integer(value), -LONGEST, most)),
  range: counted(2, (value, [least, most]) => within(integer(value), least, most)),
  regex: (_name, argument) => {
    if (!argument) throw new Error('regex takes an expression, as in regex(^\\d+$)');
    const expression = new RegExp(argument, 'i');
    return (value) => expression.test(value);
  },
};

const LONGEST = 2n ** 63n - 1n;

function plain(test: Constraint): Builder {
  return (name, argument) => {
    if (argument !== undefined) throw new Error(`${name} takes no argument, but has "${argument}"`);
    return test;
  };
}

type Bounds = readonly [bigint, bigint];

function counted(count: number, test: (value: string, bounds: Bounds) => boolean): Builder {
  return (name, argument = '') => {
    const bounds = argument.split(',').map((text) => integer(text.trim()));
    if (bounds.length !== count || bounds.includes(undefined)) {
      throw new Error(`${name} takes ${count} integer${count > 1 ? 's' : ''}, but has "${argument}"`);
    }
    return (value) => test(value, bounds as unknown as Bounds);
  };
}

/** Nineteen digits hold every 64-bit integer, and keep BigInt from working on a number as long as the URL. */
function integer(text: string): bigint | undefined {
  return /^[+-]?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}

function within(value: bigint | undefined, least: bigint, most: bigint): boolean {
  return value !== undefined && value >= least && value <= most;
}
