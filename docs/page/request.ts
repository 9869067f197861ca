/** A request as the fields of an operation have it. */
export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Gives the fields of an operation, hidden ones too. */
export function fieldsOf(form: HTMLFormElement): Field[] {
  return Array.from(form.querySelectorAll<Field>('[data-in]'));
}

/**
 * Makes the request of what is in the fields. Whether it is a good one is for the service to say.
 *
 * @param form - The form of an operation.
 * @returns The request. A path parameter is in it as it was typed, escaped.
 */
export function readRequest(form: HTMLFormElement): Request {
  const { method = '', path = '' } = form.dataset;
  const fields = fieldsOf(form);
  const inPart = (part: string) => fields.filter(({ dataset, value }) => dataset.in === part && value !== '');
  const values = new Map(inPart('path').map(({ name, value }) => [name, encode(value)]));
  // The page is two segments below the service, under whatever prefix that is.
  const root = new URL('..', location.href).pathname.slice(0, -1);
  const url = new URL(location.origin);
  url.pathname = root + path.replace(/\{(.+?)\}/g, (parameter, name) => values.get(name) ?? parameter);
  url.search = inPart('query')
    .map(({ name, value }) => `${encode(name)}=${encode(value)}`)
    .join('&');
  const headers = inPart('header').map(({ name, value }) => [name, value] as const);
  const body = fields.find(({ dataset }) => dataset.in === 'body');
  return { method, url, headers, ...(body && { body: body.value }) };
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

/** Says at a field what is wrong with it, or nothing any more. */
export function mark(field: Field, error = ''): void {
  const message = document.getElementById(`${field.id}-error`);
  if (!message) return;
  message.textContent = error;
  if (error) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** Decodes percent-encoded text. What cannot be decoded stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
