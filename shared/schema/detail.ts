import type * as v from 'valibot';

/**
 * Says what a value must be and what came instead, because Valibot's own messages say it otherwise and quote without
 * bound.
 *
 * @param issue - Its message is a demand of the schema's own, such as `Must contain a digit`; empty if there is none.
 */
export function detailOf({ type, requirement, expected, input, message }: v.BaseIssue<unknown>): string {
  const limit = typeof requirement === 'number' ? requirement : SPELT_OUT.test(type) ? expected : '';
  const demand = message || `Must be ${DEMANDS[type]}${limit}`;
  if (input === undefined) return `${demand}, but is missing.`;
  if (Array.isArray(input) && typeof requirement === 'number') return `${demand}, but has ${input.length}.`;
  if (typeof input === 'number') return `${demand}; got ${input}.`;
  return `${demand}; got ${typeof input === 'string' ? quoted(input) : typeName(input)}.`;
}

const SPELT_OUT = /^(picklist|regex)$/;

const DEMANDS: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  finite: 'a number',
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
  uuid: 'a GUID such as "019a0000-0000-7000-8000-000000000000"',
};

/** Names the JSON type of a value as a sentence would: `an array`, or `null`. */
export function typeName(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Quotes what a caller sent, as a JSON string, of which it keeps a hundred characters: answers and log entries stay short. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
