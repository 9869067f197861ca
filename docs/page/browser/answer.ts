import { type ShownBody, showBody } from './body.js';
import { element } from './element.js';
import { notesOn } from './notes.js';
import type { Request } from './request.js';
import type { Answer, Outcome } from './send.js';
import { sizeOf } from './size.js';
import { titleOf } from './title.js';

const MAX_BEFORE = 10;

/**
 * @param operation - Gets the answer, the header fields and the request.
 * @returns Undefined if the answer has no body.
 */
export function showOutcome(outcome: Outcome, operation: Element): ShownBody | undefined {
  const body = bodyOf(outcome);
  show(operation, headOf(outcome, operation), ...notesOn(outcome, operation), ...(body ? [body.element] : []));
  showExchange(outcome, operation);
  return body;
}

/** Lists an outcome before another one replaces it, the newest first. */
export function showBefore(outcome: Outcome, operation: Element): void {
  const { method, url } = outcome.request;
  const line = `${titleOf(outcome, operation)}, ${method} ${url.pathname}${url.search}`;
  const body = bodyOf(outcome);
  const entry = element('details', {}, element('summary', {}, line), body?.element ?? '');
  entry.addEventListener('toggle', () => body?.unfold?.(), { once: true });
  const list = operation.querySelector('[data-exchange=before]');
  list?.prepend(entry);
  list?.children[MAX_BEFORE]?.remove();
}

/**
 * Shows the current item below the rejection of a write to an older version.
 *
 * @param conflict - The rejection, which stays the answer of the operation.
 * @param now - The outcome of getting the item.
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
 * @returns Takes how many seconds are left.
 */
export function showWait(
  answer: Answer,
  operation: Element,
  attempt: number,
  attempts: number,
): (left: number) => void {
  // So that a screen reader reads only the first number.
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

export function showSending(operation: Element): void {
  show(operation, element('p', { className: 'head' }, 'Sending …'));
}

function show(operation: Element, ...content: readonly Element[]): void {
  const shown = operation.querySelector('.answer');
  shown?.replaceChildren(...content);
  // Errors at the fields may have moved the focused element. If not both fit into the window, the answer is shown.
  operation.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
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

/** Status, reason, time and size. */
function headOf(outcome: Outcome, operation: Element): HTMLElement {
  const title = element('strong', {}, titleOf(outcome, operation));
  if (outcome.kind !== 'answer') {
    return element('p', { className: outcome.kind === 'cancelled' ? 'head' : 'head failed' }, title);
  }
  const { status, milliseconds, bytes } = outcome;
  const size = element('span', {}, `${Math.round(milliseconds)} ms, ${sizeOf(bytes)}`);
  return element('p', { className: `head s${String(status)[0]}` }, title, ' ', size);
}

function textOf({ method, url, headers, body = '' }: Request): string {
  const lines = [`${method} ${url.pathname}${url.search}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join('\n')}${body && `\n\n${body}`}`;
}
