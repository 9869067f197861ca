import { type Field, headerOf, type Operation, type Outcome } from './request.js';

interface OpenRequest {
  readonly key: string;
  /** What it asks for, in path, query and body. */
  readonly item: string;
  /** Whether it may have been applied, by any attempt so far. */
  readonly isMaybeApplied: boolean;
}

/** Requests with an Idempotency-Key that are under way, or whose outcome is unknown. */
const open = new Map<Operation, OpenRequest>();

/** Keys that people did not type. */
const made = new Set<string>();

/**
 * Gives a request that can have an Idempotency-Key a new one if it has none. It stays in the field until the outcome is
 * known or the request is another, so that a request creates one item however often it is sent.
 */
export function giveKey(operation: Operation): void {
  const field = keyField(operation);
  if (!field) return;
  if (field.value === '') field.value = newKey();
  const { key, isMaybeApplied = false } = open.get(operation) ?? {};
  const isAgain = key === field.value;
  open.set(operation, { key: field.value, item: itemIn(operation), isMaybeApplied: isAgain && isMaybeApplied });
}

/**
 * Takes the key away if the outcome is known. Once a request may have been applied, only a success tells: what rejects
 * another attempt, such as 401, says nothing about the first.
 */
export function settle(operation: Operation, { response, isMaybeApplied }: Outcome): void {
  const field = keyField(operation);
  const request = open.get(operation);
  if (isMaybeApplied && request) open.set(operation, { ...request, isMaybeApplied });
  if (isMaybeApplied || (request?.isMaybeApplied && !response?.ok)) return;
  if (field && made.has(field.value)) field.value = '';
  open.delete(operation);
}

/** After fields have changed: with the former content, the request has its former key again. */
export function adjustKey(operation: Operation): void {
  const field = keyField(operation);
  const { key = '', item } = open.get(operation) ?? {};
  if (field && made.has(key)) field.value = item === itemIn(operation) ? key : '';
}

/** Somebody who changes the key by hand wants another request. */
export function forgetKey(operation: Operation): void {
  open.delete(operation);
}

/** Whether something would be sent with another key after a reload, although it may have been done. */
export function hasOpenRequest(): boolean {
  return open.size > 0;
}

function keyField(operation: Operation): Field | undefined {
  return headerOf(operation, 'Idempotency-Key');
}

function itemIn({ fields }: Operation): string {
  const parts = fields.filter(({ dataset }) => dataset.in !== 'header');
  return JSON.stringify(parts.map(({ value }) => value));
}

/** Without TLS, there is no `crypto.randomUUID`. */
function newKey(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
  const key = `"${bytes.join('')}"`;
  made.add(key);
  return key;
}
