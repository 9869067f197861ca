import { type Field, fieldsOf, initialOf } from './fields.js';
import { keep, kept } from './kept.js';
import { root } from './request.js';

/** Puts a value into a field unless the person has typed into it. */
export function offer(field: Field, value: string): void {
  if (isTyped(field) || field.value === value) return;
  field.value = value;
  save();
}

/** Whether the person has typed or chosen what is in a field. An emptied field counts as untouched. */
export function isTyped(field: Field): boolean {
  return typed.has(field);
}

/** Remembers that the person typed or chose something in a field, or emptied it. */
export function noteTyped(field: Field): void {
  if (field.value === '') typed.delete(field);
  else typed.add(field);
  save();
}

/** Makes a field what it was when the page was new. */
export function reset(field: Field): void {
  typed.delete(field);
  field.value = initialOf(field);
  save();
}

/** Fills in what was in the fields before this tab was reloaded. */
export function restore(): void {
  const saved = new Map<string, unknown>(Object.entries(kept(SAVED)));
  for (const field of Array.from(document.forms).flatMap((form) => fieldsOf(form))) {
    const entry = saved.get(keyOf(field));
    const [value, wasTyped] = Array.isArray(entry) ? entry : [];
    if (typeof value !== 'string') continue;
    field.value = value;
    if (wasTyped) typed.add(field);
  }
}

const typed = new Set<Field>();
// Several services can have the same origin.
const SAVED = `fields ${root()}`;

function save(): void {
  const changed = Array.from(document.forms)
    .flatMap((form) => fieldsOf(form))
    .filter((field) => isTyped(field) || field.value !== initialOf(field))
    .map((field) => [keyOf(field), [field.value, isTyped(field)]]);
  // The storage may be full or switched off: then nothing is remembered.
  keep(SAVED, Object.fromEntries(changed));
}

function keyOf({ form, name, dataset }: Field): string {
  return `${form?.dataset.method} ${form?.dataset.path} ${dataset.for} ${name}`;
}
