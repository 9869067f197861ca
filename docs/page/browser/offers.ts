import { fieldFor, fieldsOf } from './fields.js';
import { indent, parse } from './json.js';
import { decoded, encode } from './percent.js';
import { offer } from './remember.js';
import { readRequest, root } from './request.js';
import type { Answer } from './send.js';

/** By the path of the item. */
const seen = new Map<string, string>();

/**
 * Takes from an answer what somebody may want next: the ids and the body of an item that was created or read, and its
 * entity tag.
 */
export function learn({ request, status, headers, json, text }: Answer, form: HTMLFormElement): void {
  const created = status === 201 ? urlOf(headers.get('Location') ?? '', request.url) : undefined;
  const item = (created ?? request.url).pathname;
  const tag = headers.get('ETag');
  if (tag) seen.set(item, tag);
  else if (status === 412 || (status < 300 && request.method !== 'GET')) seen.delete(item);
  const isGot = status === 200 && request.method === 'GET';
  if (isGot && form.dataset.key) offerListed(item, Object(json), form.dataset.key);
  if (!created && !(isGot && fieldFor(form, 'path'))) return;
  for (const other of document.forms) offerItem(other, item, json && indent(text));
}

export function offerTag(form: HTMLFormElement): void {
  const field = fieldFor(form, 'If-Match');
  const button = form.querySelector<HTMLButtonElement>('[data-do=tag]');
  if (!field || !button) return;
  const tag = seen.get(readRequest(form).url.pathname);
  if (button === document.activeElement) field.focus();
  button.hidden = tag === undefined || tag === field.value;
  button.value = tag ?? '';
  button.textContent = `Use ${tag}`;
}

/** Puts the id in the path into a body that must have the same one, unless the person typed there. */
export function offerSameKey(form: HTMLFormElement): void {
  const body = fieldFor(form, 'body');
  const id = fieldsOf(form, 'path').at(-1)?.value;
  if (!body?.dataset.key || !id) return;
  const key = JSON.stringify(Object(parse(body.value))[body.dataset.key]);
  if (key)
    offer(
      body,
      body.value.replace(key, () => JSON.stringify(id)),
    );
}

/** The next page of a list (RFC 8288). */
export function nextOf({ request, headers }: Answer): URL | undefined {
  const links = (headers.get('Link') ?? '').matchAll(/<([^>]*)>([^<]*)/g);
  for (const [, url = '', parameters = ''] of links) {
    if (/;\s*rel="?([^"]*\s)?next\b/i.test(parameters)) return urlOf(url, request.url);
  }
  return undefined;
}

/** Fills in forms that are about items like it: the ids, and PUT's body. */
function offerItem(form: HTMLFormElement, item: string, body: unknown): void {
  const templates = (form.dataset.path ?? '').slice(1).split('/');
  const segments = item.slice(root().length).split('/');
  const values = new Map<string, string>();
  for (const [index, segment] of segments.entries()) {
    const [, name] = /^\{(.*)\}$/.exec(templates[index] ?? '') ?? [];
    if (name) values.set(name, decoded(segment));
    else if (templates[index]?.toLowerCase() !== segment.toLowerCase()) return;
  }
  for (const field of fieldsOf(form, 'path')) offer(field, values.get(field.name) ?? field.value);
  const whole = form.dataset.method === 'PUT' && typeof body === 'string' && fieldFor(form, 'body');
  // Under an id that somebody typed, it would replace another item.
  if (whole && decoded(readRequest(form).url.pathname) === decoded(item)) offer(whole, body);
}

/** Offers the first item of a list to forms that have no id of an item on the list. */
function offerListed(path: string, list: object, key: string): void {
  const items = Array.from(list as readonly unknown[], Object);
  const keys = items.map((item) => item[key]);
  const [first] = keys;
  if (typeof first !== 'string' && typeof first !== 'number') return;
  const body = JSON.stringify(items[0], null, 2);
  for (const form of document.forms) {
    const id = fieldsOf(form, 'path').at(-1)?.value ?? '';
    if (!keys.map(String).includes(id)) offerItem(form, `${path}/${encode(`${first}`)}`, body);
  }
}

/** Answers are not trusted, so a text that is not a URL, or a URL of another origin, is ignored. */
function urlOf(text: string, base: URL): URL | undefined {
  const url = text && URL.canParse(text, base) ? new URL(text, base) : undefined;
  return url?.origin === base.origin ? url : undefined;
}
