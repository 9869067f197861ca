import { type Field, fieldsOf, initialOf } from './fields.js';
import { keep, kept } from './kept.js';
import { root } from './request.js';

/** Unless the person has typed into the field. */
export function offer(field: Field, value: string): void {
  if (isTyped(field) || field.value === value) return;
  field.value = value;
  save();
}

/** An emptied field counts as untouched. */
export function isTyped(field: Field): boolean {
  return typed.has(field);
}

export function noteTyped(field: Field): void {
  if (field.value === '') typed.delete(field);
  else typed.add(field);
  save();
}

/** As when the page was new. */
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
  // If the storage is full or switched off, nothing is remembered.
  keep(SAVED, Object.fromEntries(changed));
}

function keyOf({ form, name, dataset }: Field): string {
  return `${form?.dataset.method} ${form?.dataset.path} ${dataset.for} ${name}`;
}
