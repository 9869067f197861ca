import { type FormField, type FormOperation, headerOf, type Outcome } from './request.js';

interface OpenRequest {
  readonly key: string;
  /** The values in its path, query and body, as JSON. */
  readonly content: string;
  /** Whether any attempt so far may have been applied. */
  readonly isMaybeApplied: boolean;
}

/** By operation, the request with an Idempotency-Key that is under way, or whose outcome is unknown. */
const openRequests = new Map<FormOperation, OpenRequest>();

/** The keys that the page has made. All others were typed. */
const madeKeys = new Set<string>();

/**
 * Puts a new Idempotency-Key into its field if that is empty, and notes the request as open. The key stays until the
 * outcome is known or the content changes, so that sending the request again creates no second item.
 */
export function giveKey(operation: FormOperation): void {
  const field = keyField(operation);
  if (!field) return;
  if (field.value === '') field.value = newIdempotencyKey();
  const former = openRequests.get(operation);
  const isMaybeApplied = former?.key === field.value && former.isMaybeApplied;
  openRequests.set(operation, { key: field.value, content: contentOf(operation), isMaybeApplied });
}

/**
 * Empties the field once the outcome is known, unless somebody typed the key. If an attempt may have been applied, only a
 * success makes the outcome known: a 401 to a later attempt says nothing about the first.
 */
export function settle(operation: FormOperation, { response, isMaybeApplied }: Outcome): void {
  const field = keyField(operation);
  const request = openRequests.get(operation);
  if (isMaybeApplied && request) openRequests.set(operation, { ...request, isMaybeApplied });
  if (isMaybeApplied || (request?.isMaybeApplied && !response?.ok)) return;
  if (field && madeKeys.has(field.value)) field.value = '';
  openRequests.delete(operation);
}

/** Puts the key of the open request back if the content is the same again, else empties the field. A typed key stays. */
export function adjustKey(operation: FormOperation): void {
  const field = keyField(operation);
  const { key = '', content } = openRequests.get(operation) ?? {};
  if (field && madeKeys.has(key)) field.value = content === contentOf(operation) ? key : '';
}

/** Forgets the open request, because somebody who edits its key wants another request. */
export function forgetKey(operation: FormOperation): void {
  openRequests.delete(operation);
}

/** Whether there is a request whose key a reload would lose, so that sending it again could create a second item. */
export function hasOpenRequest(): boolean {
  return openRequests.size > 0;
}

function keyField(operation: FormOperation): FormField | undefined {
  return headerOf(operation, 'Idempotency-Key');
}

function contentOf({ fields }: FormOperation): string {
  const parts = fields.filter(({ dataset }) => dataset.in !== 'header');
  return JSON.stringify(parts.map(({ value }) => value));
}

/** Makes a key. Pages without TLS have no `crypto.randomUUID`. */
function newIdempotencyKey(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
  const key = `"${bytes.join('')}"`;
  madeKeys.add(key);
  return key;
}
