import { type Field, fieldFor, fieldsOf, isHeader, mark, purposeOf } from './fields.js';
import { encode } from './percent.js';
import { AUTHORIZATION, TOKEN, tokenField, tokenHeader, withToken } from './token.js';

export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/**
 * Makes a request from the fields of an operation. The service decides whether it is valid.
 *
 * @returns Path parameters as they were typed, percent-encoded.
 */
export function readRequest(form: HTMLFormElement): Request {
  const { method = '', path = '' } = form.dataset;
  const filled = fieldsOf(form).filter(({ value }) => value !== '');
  const inPart = (part: 'path' | 'query') => filled.filter((field) => purposeOf(field) === part);
  const values = new Map(inPart('path').map(({ name, value }) => [name, encode(value)]));
  const url = new URL(location.origin);
  url.pathname = root().slice(0, -1) + path.replace(/\{(.+?)\}/g, (parameter, name) => values.get(name) ?? parameter);
  url.search = inPart('query')
    .map(({ name, value }) => `${encode(name)}=${encode(value)}`)
    .join('&');
  const headers: Request['headers'] = [
    ...filled.filter(isHeader).map(({ name, value }) => [name, value] as const),
    ...(HAS_TOKEN ? tokenHeader(form) : []),
  ];
  const body = fieldFor(form, 'body');
  return { method, url, headers, ...(body && { body: body.value }) };
}

/** If a request can't be sent, shows why at the field and puts the focus there. */
export function canBeSent(form: HTMLFormElement): boolean {
  for (const field of fieldsOf(form)) mark(field, errorIn(field));
  if (HAS_TOKEN) mark(tokenField(), headerError(AUTHORIZATION, withToken([AUTHORIZATION, TOKEN])));
  const wrong = [...(HAS_TOKEN ? [tokenField()] : []), ...fieldsOf(form)].find((field) => field.ariaInvalid);
  wrong?.focus();
  return !wrong;
}

/** The path of the service, with the prefix. The page is two segments below it. */
export function root(): string {
  // The page removes a slash at the end of its address later.
  return new URL('..', location.origin + location.pathname.replace(/\/+$/, '')).pathname;
}

function errorIn(field: Field): string {
  const { name, value } = field;
  if (isHeader(field)) return headerError(name, value);
  if (purposeOf(field) !== 'path') return '';
  if (value === '') return `Nothing is sent without ${name}: the path would be that of another operation.`;
  const isStep = /^\.\.?$/.test(value);
  return isStep ? `Nothing is sent: browsers take "${value}" in a path for a step to another one.` : '';
}

function headerError(name: string, value: string): string {
  try {
    new Headers([[name, value]]);
    return '';
  } catch {
    return 'Nothing is sent: a header field takes no such characters. Use those of ISO 8859-1, on one line.';
  }
}
