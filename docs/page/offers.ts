import { decoded, type Field, fieldsOf, readRequest } from './request.js';
import type { Answer } from './send.js';
import { isTyped, offer } from './typed.js';

/** The latest entity tags, by the path of the item. */
const seen = new Map<string, string>();

/** Takes from an answer what a person may want next: the ids of a new item, its body, the entity tag of an item. */
export function learn({ request, status, headers, json }: Answer, forms: readonly HTMLFormElement[]): void {
  const created = status === 201 ? urlOf(headers.get('Location') ?? '', request.url) : undefined;
  const item = (created ?? request.url).pathname;
  const tag = headers.get('ETag');
  if (tag) seen.set(item, tag);
  else if (status === 412 || (status < 300 && request.method !== 'GET')) seen.delete(item);
  if (created) for (const form of forms) offerItem(form, item, json);
  for (const form of forms) offerTag(form);
}

/** Shows or hides what fills in the entity tag of the item that a form is about. */
export function offerTag(form: HTMLFormElement): void {
  const field = fieldNamed(form, 'If-Match');
  const button = form.querySelector<HTMLButtonElement>('[data-do=tag]');
  if (!field || !button) return;
  const tag = seen.get(readRequest(form).url.pathname);
  if (button === document.activeElement) field.focus();
  button.hidden = tag === undefined || tag === field.value;
  button.value = tag ?? '';
  button.textContent = `Use ${tag}`;
}

/** Gives the field of a form that has a name, in any letter case. */
export function fieldNamed(form: HTMLFormElement, name: string): Field | undefined {
  return fieldsOf(form).find((field) => field.name.toLowerCase() === name.toLowerCase());
}

/** Gives the URL of the next page, if the answer is part of a list that goes on (RFC 8288). */
export function nextOf({ request, headers }: Answer): URL | undefined {
  const links = (headers.get('Link') ?? '').matchAll(/<([^>]*)>([^<]*)/g);
  for (const [, url = '', parameters = ''] of links) {
    if (/;\s*rel="?([^"]*\s)?next\b/i.test(parameters)) return urlOf(url, request.url);
  }
  return undefined;
}

function offerItem(form: HTMLFormElement, item: string, json: unknown): void {
  const root = new URL('..', location.href).pathname;
  const templates = (form.dataset.path ?? '').slice(1).split('/');
  const segments = item.slice(root.length).split('/');
  const fields = fieldsOf(form);
  const values = new Map<string, string>();
  for (const [index, segment] of segments.entries()) {
    const [, name] = /^\{(.*)\}$/.exec(templates[index] ?? '') ?? [];
    if (name) values.set(name, decoded(segment));
    else if (templates[index]?.toLowerCase() !== segment.toLowerCase()) return;
  }
  for (const field of fields) {
    const { in: part } = field.dataset;
    if (isTyped(field)) continue;
    if (part === 'path' && values.has(field.name)) offer(field, values.get(field.name) ?? '');
    const isWhole = form.dataset.method === 'PUT' && segments.length === templates.length;
    if (part === 'body' && isWhole && json) offer(field, JSON.stringify(json, null, 2));
  }
}

/** Answers are not trusted: a text that is not a URL, and a URL of another origin, are ignored. */
function urlOf(text: string, base: URL): URL | undefined {
  const url = text && URL.canParse(text, base) ? new URL(text, base) : undefined;
  return url?.origin === base.origin ? url : undefined;
}
