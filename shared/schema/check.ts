import * as v from 'valibot';
import { quoted } from './quoted.js';

export interface MemberError {
  /** A JSON Pointer in a URI fragment (RFC 6901, section 6), for example `#/name`. */
  readonly pointer: string;
  readonly detail: string;
}

/**
 * @param value - Any parsed JSON; undefined if it is missing.
 * @param pointer - A JSON Pointer in a URI fragment.
 * @returns The value, or its default; or the first error, because an array of 1 MiB may have half a million.
 */
export function check(schema: v.GenericSchema, value: unknown, pointer: string): Checked {
  const { output, issues } = v.safeParse(schema, value, { abortEarly: true, message: '' });
  if (!issues) return { value: output };
  const [{ path = [], kind, input, message }] = issues;
  // Valibot's own messages quote without bound, and the first wrong rule says too little of what is right.
  const demand = message || `Must be ${expectationOf(schema as Declared, path.length)}`;
  const deviation = kind === 'validation' && Array.isArray(input) ? `, but has ${input.length}` : deviationOf(input);
  return { error: { pointer: [pointer, ...path.map(({ key }) => key)].join('/'), detail: `${demand}${deviation}.` } };
}

export type Checked = { readonly value: unknown } | { readonly error: MemberError };

/** In letters of either case (RFC 9562, section 4). */
export function isGuid(text: string): boolean {
  return v.UUID_REGEX.test(text);
}

/** Names the JSON type of a value as a sentence would: `an array`, or `null`. */
export function typeName(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** What sentences are made of. A pipe has the properties of its first schema. */
export interface Declared extends v.GenericSchema {
  readonly wrapped?: Declared;
  readonly item?: Declared;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly (Declared | Rule)[];
}

interface Rule {
  readonly kind: string;
  readonly type: string;
  readonly requirement?: unknown;
}

/** @param depth - 1 for an element of the array. */
function expectationOf(schema: Declared, depth = 0): string {
  const { type, wrapped, item, options } = schema;
  if (wrapped) return `${expectationOf(wrapped, depth)}${type === 'nullable' && depth === 0 ? ', or null' : ''}`;
  if (item && depth > 0) return expectationOf(item, depth - 1);
  const rules = rulesOf(schema);
  const range = rangeOf(rules);
  const has = (name: string) => rules.some(({ type }) => type === name);
  if (item) return `an array${range && ` with a length${range}`}, each ${expectationOf(item)}`;
  if (options) return `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'number') return `${has('integer') ? 'an integer' : 'a number'}${range}`;
  return has('uuid') ? 'a GUID such as "019a0000-0000-7000-8000-000000000000"' : 'a string';
}

export function rulesOf({ pipe = [] }: Declared): readonly Rule[] {
  return pipe.flatMap((step) => ('pipe' in step ? rulesOf(step) : step));
}

function rangeOf(rules: readonly Rule[]): string {
  const limits = rules.flatMap(({ type, requirement }) => (LIMITS[type] ? [` ${LIMITS[type]} ${requirement}`] : []));
  return limits.join(' and').replace(/^ of at least (\S+) and of at most/, ' from $1 to');
}

const LIMITS: Readonly<Record<string, string>> = {
  min_value: 'of at least',
  max_value: 'of at most',
  gt_value: 'above',
  lt_value: 'below',
  min_length: 'of at least',
  max_length: 'of at most',
};

function deviationOf(input: unknown): string {
  if (input === undefined) return ', but is missing';
  return `; got ${typeof input === 'string' ? quoted(input) : typeof input === 'number' ? input : typeName(input)}`;
}
