// Schemas that Valibot lacks, or checks differently than JSON Schema does.
import * as v from 'valibot';

/** Makes a rule for a pipe. The message ends without a full stop. The documents describe the rule by keywords of JSON Schema. */
export function rule<Input>(isValid: (value: Input) => boolean, message: string, jsonSchema: object) {
  return { ...v.check(isValid, message), jsonSchema };
}

/** A date of the calendar (RFC 3339). */
export function date() {
  return string(isDate, 'Must be a date such as "2026-11-21"', { format: 'date' });
}

/** A date and time with its offset from UTC (RFC 3339), without leap seconds. */
export function dateTime() {
  return string(isDateTime, 'Must be a date and time such as "2026-11-21T09:30:00Z"', { format: 'date-time' });
}

/** @param max - In Unicode code points. */
export function text({ max }: { readonly max: number }) {
  const isShort = (sent: string) => Array.from(sent).length <= max;
  return string(isShort, `Must be a string of at most ${max} characters`, { maxLength: max });
}

export function integer({ min, max }: { readonly min: number; readonly max: number }) {
  const message = `Must be an integer from ${min} to ${max}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

function string(isValid: (value: string) => boolean, message: string, jsonSchema: object) {
  return v.pipe(v.string(message), rule(isValid, message, jsonSchema));
}

function isDate(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00Z`).toJSON()?.startsWith(value) === true;
}

function isDateTime(value: string): boolean {
  const [, date = '', time = ''] = /^(.{10})[Tt ](.+)$/.exec(value) ?? [];
  return isDate(date) && /^([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(time);
}
