import type { Purpose } from '../attributes.js';
import { element } from './element.js';

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Includes hidden fields. Without purposes, all of them. */
export function fieldsOf(form: HTMLFormElement, ...purposes: readonly Purpose[]): Field[] {
  const fields = Array.from(form.querySelectorAll<Field>('[data-for]'));
  return purposes.length > 0 ? fields.filter((field) => purposes.includes(purposeOf(field))) : fields;
}

export function fieldFor(form: HTMLFormElement, purpose: Purpose): Field | undefined {
  return fieldsOf(form, purpose)[0];
}

export function purposeOf({ dataset }: Field): Purpose {
  return dataset.for as Purpose;
}

export function isHeader(field: Field): boolean {
  return !['path', 'query', 'body'].includes(purposeOf(field));
}

/** As if the person had typed the value. */
export function fillIn(field: Field, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The field refers to the element of its error, and to the description. */
export function addError(field: Field): void {
  if (!field.id) return;
  const error = element('p', { className: 'error', id: `${field.id}-error` });
  field.parentElement?.append(error);
  field.setAttribute('aria-describedby', `${error.id} ${field.id}-about`);
}

/** An empty error means that nothing is wrong. */
export function mark(field: Field, error = ''): void {
  document.getElementById(`${field.id}-error`)?.replaceChildren(error);
  if (error) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** The value that the page was made with. */
export function initialOf(field: Field): string {
  return 'defaultValue' in field ? field.defaultValue : (field.options[0]?.value ?? '');
}
