import { type Field, mark } from './fields.js';

/** Stands for the token wherever a request is shown or copied. The token itself is in its field alone. */
export const TOKEN = 'Bearer $TOKEN';

/** Empties the field, because some browsers remember what was in it before a reload. */
export function startToken(): void {
  tokenField().value = '';
}

/** Returns the header field with the token, if an operation asks for one and somebody has given it. */
export function tokenHeader({ dataset }: HTMLFormElement): [name: string, value: string][] {
  return dataset.secured !== undefined && token() ? [['Authorization', TOKEN]] : [];
}

/** Returns the value of a header field as it is sent. */
export function withToken(value: string): string {
  return value === TOKEN ? `Bearer ${token()}` : value;
}

/** Says at the field that its token was rejected, and returns what to do. */
export function rejectToken(): string {
  const needed = token() ? 'another token' : 'a token';
  mark(tokenField(), `The last request needs ${needed}.`);
  return `Put ${needed} into the field `;
}

export function tokenField(): Field {
  return document.querySelector('#token') as Field;
}

function token(): string {
  return tokenField().value.replace(/^\s*(Bearer\s)?\s*|\s+$/gi, '');
}
