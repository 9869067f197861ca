import { element, type ShownBody, showBody, sizeOf } from './body.js';
import { fieldFor, fieldsOf, mark } from './fields.js';
import type { Request } from './request.js';
import type { Answer, Outcome } from './send.js';
import { rejectToken } from './token.js';

/**
 * Shows what became of a request.
 *
 * @param outcome - The outcome.
 * @param operation - The element of its operation: the answer, the header fields and the request go into it.
 * @returns The body of the answer, as it is shown; undefined if it has none.
 */
export function showOutcome(outcome: Outcome, operation: Element): ShownBody | undefined {
  const body = bodyOf(outcome);
  show(operation, headOf(outcome, operation), ...notesOn(outcome, operation), ...(body ? [body.element] : []));
  showExchange(outcome, operation);
  return body;
}

/**
 * Shows the item that a request was rejected for, because it has changed, below that rejection.
 *
 * @param conflict - The rejection, which stays the answer of the operation.
 * @param now - The item, or why it can't be had.
 * @param operation - The element of the operation.
 */
export function showCurrent(conflict: Answer, now: Outcome, operation: Element): ShownBody | undefined {
  const { method } = conflict.request;
  const tag = now.kind === 'answer' && now.headers.get('ETag');
  const text = tag
    ? `Nothing was changed. This is the item as it is now, and If-Match has its ETag ${tag}: Send applies this ${method} to it.`
    : `Nothing was changed. The item as it is now can't be had: ${titleOf(now, operation)}`;
  const body = bodyOf(now);
  show(operation, headOf(conflict, operation), element('p', {}, text), ...(body ? [body.element] : []));
  showExchange(now, operation);
  return body;
}

/**
 * Shows that a request waits to be sent again.
 *
 * @returns Shows how many seconds are left.
 */
export function showWait(
  answer: Answer,
  operation: Element,
  attempt: number,
  attempts: number,
): (left: number) => void {
  // A screen reader reads the first number, and not each of them.
  const seconds = element('span', { ariaLive: 'off' });
  const before = 'Nothing was changed. Sending it again in ';
  let isShown = false;
  return (left) => {
    seconds.textContent = `${left} s`;
    if (!isShown)
      show(
        operation,
        headOf(answer, operation),
        element('p', {}, before, seconds, ` (attempt ${attempt} of ${attempts}).`),
      );
    isShown = true;
  };
}

/** Shows that a request is under way. */
export function showSending(operation: Element): void {
  show(operation, element('p', { className: 'head' }, 'Sending …'));
}

function show(operation: Element, ...content: readonly Element[]): void {
  const shown = operation.querySelector('.answer');
  shown?.replaceChildren(...content);
  shown?.scrollIntoView({ block: 'nearest' });
}

function showExchange(outcome: Outcome, operation: Element): void {
  const received = outcome.kind === 'answer' ? Array.from(outcome.headers, ([name, value]) => `${name}: ${value}`) : [];
  operation.querySelector('[data-exchange=received]')?.replaceChildren(received.join('\n'));
  operation.querySelector('[data-exchange=sent]')?.replaceChildren(textOf(outcome.request));
}

function bodyOf(outcome: Outcome): ShownBody | undefined {
  const hasBody = outcome.kind === 'answer' && outcome.text !== '';
  return hasBody ? showBody(outcome.text, outcome.json !== undefined) : undefined;
}

/** Makes the first line of an answer: status, reason, time and size. */
function headOf(outcome: Outcome, operation: Element): HTMLElement {
  const title = element('strong', {}, titleOf(outcome, operation));
  if (outcome.kind !== 'answer') {
    return element('p', { className: outcome.kind === 'cancelled' ? 'head' : 'head failed' }, title);
  }
  const { status, milliseconds, bytes } = outcome;
  const size = element('span', {}, `${Math.round(milliseconds)} ms, ${sizeOf(bytes)}`);
  return element('p', { className: `head s${String(status)[0]}` }, title, ' ', size);
}

function titleOf(outcome: Outcome, operation: Element): string {
  if (outcome.kind !== 'answer') return outcome.reason;
  const { status, statusText } = outcome;
  const known = documented(operation, status) ?? documented(document, status);
  const reason = known?.querySelector('span')?.textContent || statusText || REASONS[status];
  return `${status} ${reason ?? ''}`.trim();
}

/** What gateways answer for a service. HTTP/2 has no reasons. */
const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
};

/** Makes what a person should know about an outcome besides the body. */
function notesOn(outcome: Outcome, operation: Element): HTMLElement[] {
  const notes = outcome.kind === 'answer' ? notesOnAnswer(outcome, operation) : [];
  if (HAS_TOKEN && outcome.kind === 'answer' && outcome.status === 401) notes.push(askForToken());
  if (!outcome.isMaybeApplied) return notes;
  const hasKey = outcome.request.headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
  const advice = hasKey
    ? 'It has an Idempotency-Key, so sending it again cannot do it twice.'
    : 'Check whether it was, before you send it again.';
  return [...notes, element('p', {}, `It may have been done, or not. ${advice}`)];
}

function notesOnAnswer({ status, text, headers, json }: Answer, operation: Element): HTMLElement[] {
  if (/problem\+json/.test(headers.get('Content-Type') ?? '')) return problem(Object(json), operation);
  const about = !text && documented(operation, status)?.querySelector('[data-about]')?.textContent;
  return about ? [element('p', {}, about)] : [];
}

/** Shows problem details (RFC 9457) and the errors that they list, which also stand at the fields that they name. */
function problem(
  { detail, errors }: { readonly detail?: unknown; readonly errors?: unknown },
  operation: Element,
): HTMLElement[] {
  const entries = (Array.isArray(errors) ? errors : []).map((error: unknown) => {
    const { detail = '', ...where } = Object(error);
    markField(operation, where, `${detail}`);
    return element('li', {}, element('code', {}, Object.values(where).join(' ')), ` ${detail}`);
  });
  const list = entries.length > 0 ? [element('ul', {}, ...entries)] : [];
  return [...(detail ? [element('p', {}, `${detail}`)] : []), ...list];
}

function markField(operation: Element, where: { parameter?: unknown; pointer?: unknown }, detail: string): void {
  const { parameter, pointer } = where;
  const form = operation.querySelector('form') as HTMLFormElement;
  const field =
    parameter === undefined ? fieldFor(form, 'body') : fieldsOf(form).find(({ name }) => name === parameter);
  if (!field) return;
  const before = document.getElementById(`${field.id}-error`)?.textContent;
  mark(field, `${before ? `${before}\n` : ''}${pointer === undefined ? '' : `${pointer} `}${detail}`);
}

function askForToken(): HTMLElement {
  const link = element('a', { href: '#token' }, 'Token');
  return element('p', {}, rejectToken(), link, ' above, and send the request again.');
}

/** The documentation of a status. */
function documented(within: Element | Document, status: number): Element | null {
  return within.querySelector(`[data-status="${status}"]`);
}

function textOf({ method, url, headers, body = '' }: Request): string {
  const lines = [`${method} ${url.pathname}${url.search}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join('\n')}${body && `\n\n${body}`}`;
}
