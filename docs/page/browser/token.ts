import { type Field, mark } from './fields.js';

/** Replaces the token wherever a request is shown or copied. The token itself is in its field alone. */
export const TOKEN = 'Bearer $TOKEN';

export const AUTHORIZATION = 'Authorization';

type HeaderField = readonly [name: string, value: string];

/** Empties the field, because some browsers remember what was in it before a reload. */
export function startToken(): void {
  tokenField().value = '';
}

/** If the operation asks for a token and the person has given one. */
export function tokenHeader({ dataset }: HTMLFormElement): HeaderField[] {
  return dataset.secured !== undefined && token() ? [[AUTHORIZATION, TOKEN]] : [];
}

/** The value of a header field as it is sent. */
export function withToken([name, value]: HeaderField): string {
  return name === AUTHORIZATION && value === TOKEN ? `Bearer ${token()}` : value;
}

/** Tells at the field that its token was rejected, and returns what to do. */
export function rejectToken(): string {
  const needed = token() ? 'another token' : 'a token';
  mark(tokenField(), `The last request needs ${needed}.`);
  return `Put ${needed} into the field `;
}

/** Without the link that was clicked on, because the address stays that of the open operation. */
export function goToToken(event: Event): void {
  event.preventDefault();
  tokenField().focus();
}

export function tokenField(): Field {
  return document.querySelector('#token') as Field;
}

function token(): string {
  return tokenField().value.replace(/^\s*(Authorization:)?\s*(Bearer\s)?\s*|\s+$/gi, '');
}
