import { type Field, fieldsOf } from './request.js';

const typed = new Set<Field>();
const KEY = 'typed';

/** Whether somebody typed something into a field. One that was emptied is as if nobody had. */
export function isTyped(field: Field): boolean {
  return typed.has(field);
}

/** Puts a value into a field that nobody typed. */
export function offer(field: Field, value: string): void {
  field.value = value;
  save();
}

/** Remembers that somebody typed into a field, or chose. */
export function noteTyped(field: Field): void {
  if (field.value === '') typed.delete(field);
  else typed.add(field);
  save();
}

/** Fills in what was there before a reload in this tab. */
export function restore(): void {
  const saved = new Map<string, unknown>(Object.entries(read()));
  for (const form of document.forms) {
    for (const field of fieldsOf(form)) {
      const entry = saved.get(nameOf(form, field));
      const [value, isTyped] = Array.isArray(entry) ? entry : [];
      if (typeof value !== 'string') continue;
      field.value = value;
      if (isTyped) typed.add(field);
    }
  }
}

function save(): void {
  const fields = Array.from(document.forms, (form) =>
    fieldsOf(form)
      .filter((field) => typed.has(field) || !isInitial(field))
      .map((field) => [nameOf(form, field), [field.value, typed.has(field)]]),
  );
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(fields.flat())));
  } catch {
    // It is full, or the browser keeps nothing: then nothing is remembered.
  }
}

/** Anything else of this origin can have written it. */
function read(): object {
  try {
    return Object(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'));
  } catch {
    return {};
  }
}

function isInitial(field: Field): boolean {
  return 'defaultValue' in field ? field.value === field.defaultValue : field.selectedIndex <= 0;
}

function nameOf(form: HTMLFormElement, { name, dataset }: Field): string {
  return `${form.dataset.method} ${form.dataset.path} ${dataset.in} ${name}`;
}
