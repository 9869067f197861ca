import { element, type ShownBody, showBody } from './body.js';
import type { Request } from './request.js';
import type { Answer } from './send.js';

/**
 * Shows an answer.
 *
 * @param answer - The answer.
 * @param operation - The element of its operation: the answer, the header fields and the request go into it.
 * @returns Its body, as it is shown; undefined if it has none.
 */
export function showAnswer(answer: Answer, operation: Element): ShownBody | undefined {
  const { status, text, json, headers, request } = answer;
  const body = status !== 0 && text !== '' ? showBody(text, json !== undefined) : undefined;
  operation
    .querySelector('.answer')
    ?.replaceChildren(headOf(answer, operation), ...notesOn(answer, operation), ...(body ? [body.element] : []));
  const received = Array.from(headers, ([name, value]) => `${name}: ${value}`).join('\n');
  operation.querySelector('[data-exchange=received]')?.replaceChildren(received);
  operation.querySelector('[data-exchange=sent]')?.replaceChildren(textOf(request));
  return body;
}

/** Makes the first line of an answer: status, reason, time and size. */
export function headOf(answer: Answer, operation: Element): HTMLElement {
  const { status, statusText, text, milliseconds, bytes } = answer;
  const reason = documented(operation, status)?.dataset.reason || statusText;
  const what = status === 0 ? text : `${status} ${reason}`.trim();
  const size = status === 0 ? '' : `${Math.round(milliseconds)} ms, ${sizeOf(bytes)}`;
  const className = `head s${String(status)[0]}`;
  return element('p', { className }, element('strong', {}, what), ' ', element('span', {}, size));
}

/** Makes what a person should know about an answer besides its body. */
function notesOn(answer: Answer, operation: Element): HTMLElement[] {
  const { status, text, headers, json, request, isMaybeApplied } = answer;
  const notes = /problem\+json/.test(headers.get('Content-Type') ?? '') ? problem(Object(json)) : [];
  const about = documented(operation, status)?.querySelector('[data-about]')?.textContent;
  if (!text && about) notes.push(element('p', {}, about));
  if (isMaybeApplied) {
    const hasKey = request.headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
    const advice = hasKey
      ? 'It has an Idempotency-Key, so sending it again cannot do it twice.'
      : 'Look before you send it again.';
    notes.push(element('p', {}, `It may have been done, or not. ${advice}`));
  }
  return notes;
}

/** Shows problem details (RFC 9457) and the errors that they list. */
function problem({ detail, errors }: { readonly detail?: unknown; readonly errors?: unknown }): HTMLElement[] {
  const entries = (Array.isArray(errors) ? errors : []).map((error: unknown) => {
    const { detail = '', ...where } = Object(error);
    return element('li', {}, element('code', {}, Object.values(where).join(' ')), ` ${detail}`);
  });
  const list = entries.length > 0 ? [element('ul', {}, ...entries)] : [];
  return [...(detail ? [element('p', {}, `${detail}`)] : []), ...list];
}

/** The documentation of a status. */
function documented(operation: Element, status: number): HTMLElement | null {
  return operation.querySelector<HTMLElement>(`[data-status="${status}"]`);
}

function textOf({ method, url, headers, body = '' }: Request): string {
  const lines = [`${method} ${url.pathname}${url.search}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join('\n')}${body && `\n\n${body}`}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
