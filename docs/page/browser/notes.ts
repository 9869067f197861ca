import { element } from './element.js';
import { fieldFor, fieldsOf, mark } from './fields.js';
import type { Answer, Outcome } from './send.js';
import { documented } from './title.js';
import { goToToken, rejectToken } from './token.js';

/** What a person should know about an outcome besides the body. */
export function notesOn(outcome: Outcome, operation: Element): HTMLElement[] {
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

/** Shows problem details (RFC 9457), and their errors also at the fields. */
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
  const link = element('a', { href: '#token', onclick: goToToken }, 'Token');
  return element('p', {}, rejectToken(), link, ' above, and send the request again.');
}
