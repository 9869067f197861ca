import { type Field, fieldNamed, fieldsOf } from './fields.js';

/** A request, as the fields of an operation say. */
export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/**
 * Makes a request from the fields of an operation. Whether it is valid is for the service to say.
 *
 * @param form - The form of an operation.
 * @returns The request. Path parameters are in it as they were typed, percent-encoded.
 */
export function readRequest(form: HTMLFormElement): Request {
  const { method = '', path = '' } = form.dataset;
  const fields = fieldsOf(form);
  const inPart = (part: string) => fields.filter(({ dataset, value }) => dataset.in === part && value !== '');
  const values = new Map(inPart('path').map(({ name, value }) => [name, encode(value)]));
  const url = new URL(location.origin);
  url.pathname = root().slice(0, -1) + path.replace(/\{(.+?)\}/g, (parameter, name) => values.get(name) ?? parameter);
  url.search = inPart('query')
    .map(({ name, value }) => `${encode(name)}=${encode(value)}`)
    .join('&');
  const headers = inPart('header').map(({ name, value }) => [name, value] as const);
  const body = fields.find(({ dataset }) => dataset.in === 'body');
  return { method, url, headers, ...(body && { body: body.value }) };
}

/** Adds a new Idempotency-Key to a request if its operation has a field for one and that is empty. */
export function withKey(request: Request, form: HTMLFormElement): Request {
  const field = fieldNamed(form, 'header', 'Idempotency-Key');
  if (!field || field.value) return request;
  return { ...request, headers: [...request.headers, [field.name, `"${randomUuid()}"`]] };
}

/**
 * Finds what keeps a request from being sent, and says so at the field.
 *
 * @param form - The form of an operation.
 * @returns Whether it can be sent. If not, the focus is at the field.
 */
export function canBeSent(form: HTMLFormElement): boolean {
  for (const field of fieldsOf(form)) {
    const error = errorIn(field);
    mark(field, error);
    if (!error) continue;
    field.focus();
    return false;
  }
  return true;
}

/** Shows at a field what is wrong with it, or that nothing is. */
export function mark(field: Field, error = ''): void {
  document.getElementById(`${field.id}-error`)?.replaceChildren(error);
  if (error) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** Returns the path of the service, with the prefix. The page is two segments below it. */
export function root(): string {
  return new URL('..', location.href).pathname;
}

function errorIn({ name, value, dataset }: Field): string {
  if (dataset.in === 'header') return headerError(name, value);
  if (dataset.in !== 'path') return '';
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

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Makes a UUID of version 4. Without TLS, there is no `crypto.randomUUID`. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
