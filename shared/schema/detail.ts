import type * as v from 'valibot';

/**
 * Says what a value must be and what was sent instead. Valibot's own messages are written for developers, and quote texts of
 * any length.
 *
 * @param issue - Its message is what the schema itself demands, such as `Must contain a digit`, or empty.
 */
export function describeIssue({ type, requirement, expected, input, message }: v.BaseIssue<unknown>): string {
  const limit = typeof requirement === 'number' ? requirement : /^(picklist|regex)$/.test(type) ? expected : '';
  const demand = message || `Must be ${DEMANDS[type]}${limit}`;
  if (input === undefined) return `${demand}, but is missing.`;
  if (Array.isArray(input) && typeof requirement === 'number') return `${demand}; got a length of ${input.length}.`;
  // JSON.parse reads 1e999 as Infinity.
  if (typeof input === 'number') return `${demand}; got ${Number.isFinite(input) ? input : 'a number out of range'}.`;
  return `${demand}; got ${typeof input === 'string' ? quoted(input) : typeName(input)}.`;
}

const DEMANDS: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  finite: 'a finite number',
  gt_value: 'above ',
  integer: 'an integer',
  lt_value: 'below ',
  max_length: 'an array with a length of at most ',
  max_value: 'at most ',
  min_length: 'an array with a length of at least ',
  min_value: 'at least ',
  number: 'a number',
  picklist: 'one of ',
  regex: 'a string that matches ',
  string: 'a string',
  uuid: 'a UUID such as "019a0000-0000-7000-8000-000000000000"',
};

/** Names a value as a sentence would: `null`, `true` or `false`, otherwise by its JSON type, as in `an array`. */
export function typeName(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Quotes what a caller sent, as a JSON string. It keeps a hundred characters, so that responses and log entries stay short. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
