import { type Field, fieldFor } from './fields.js';
import { randomText } from './random.js';
import { isTyped, offer } from './remember.js';
import { type Request, readRequest } from './request.js';
import type { Outcome } from './send.js';

/** Requests with an open outcome. */
const open = new Map<HTMLFormElement, { readonly key: string; readonly rest: string }>();

/**
 * Gives a request that can have an Idempotency-Key a new one if it has none. The key stays in the field until the
 * outcome is known, so that the request creates one item however often it is sent.
 */
export function readOnce(form: HTMLFormElement): Request {
  const field = keyField(form);
  if (field?.value === '') begin(form, field, `"${randomText()}"`);
  return readRequest(form);
}

export function settle(form: HTMLFormElement, { isMaybeApplied, request }: Outcome): void {
  const key = open.get(form)?.key;
  if (isMaybeApplied || !request.headers.some(([, value]) => value === key)) return;
  open.delete(form);
  offerKey(form);
}

/** Keeps the key in the field as long as the rest of the request is the same. */
export function offerKey(form: HTMLFormElement): void {
  const field = keyField(form);
  if (!field) return;
  const { key, rest } = open.get(form) ?? {};
  offer(field, key !== undefined && rest === restOf(form) ? key : '');
}

/** The person has emptied the field. */
export function forgetKey(field: Field): void {
  if (field.form && field === keyField(field.form)) open.delete(field.form);
}

/** After a reload. */
export function restoreKeys(): void {
  for (const form of document.forms) {
    const field = keyField(form);
    if (field?.value && !isTyped(field)) begin(form, field, field.value);
  }
}

function begin(form: HTMLFormElement, field: Field, key: string): void {
  open.set(form, { key, rest: restOf(form) });
  offer(field, key);
}

function restOf(form: HTMLFormElement): string {
  const field = keyField(form);
  const { headers, ...rest } = readRequest(form);
  return JSON.stringify({ ...rest, headers: headers.filter(([name]) => name !== field?.name) });
}

function keyField(form: HTMLFormElement): Field | undefined {
  return fieldFor(form, 'Idempotency-Key');
}
