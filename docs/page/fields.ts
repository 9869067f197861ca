export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns the fields of an operation, hidden ones too. */
export function fieldsOf(form: HTMLFormElement): Field[] {
  return Array.from(form.querySelectorAll<Field>('[data-in]'));
}

/** Returns the field of a form for a part of the request, by its name in any letter case. */
export function fieldNamed(form: HTMLFormElement, part: 'query' | 'header', name: string): Field | undefined {
  return fieldsOf(form).find((field) => field.dataset.in === part && field.name.toLowerCase() === name.toLowerCase());
}

/** Puts a value into a field as if somebody had typed it. */
export function fillIn(field: Field, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Puts a value into a field unless somebody has typed into it. */
export function offer(field: Field, value: string): void {
  if (typed.has(field)) return;
  field.value = value;
  save();
}

/** Remembers that somebody typed or chose something in a field. An emptied field counts as untouched. */
export function noteTyped(field: Field): void {
  if (field.value === '') typed.delete(field);
  else typed.add(field);
  save();
}

/** Fills in what was in the fields before this tab was reloaded. */
export function restore(): void {
  const saved = new Map<string, unknown>(Object.entries(read()));
  for (const field of Array.from(document.forms).flatMap(fieldsOf)) {
    const entry = saved.get(keyOf(field));
    const [value, isTyped] = Array.isArray(entry) ? entry : [];
    if (typeof value !== 'string') continue;
    field.value = value;
    if (isTyped) typed.add(field);
  }
}

const typed = new Set<Field>();
const SAVED = 'typed';

function save(): void {
  const changed = Array.from(document.forms)
    .flatMap(fieldsOf)
    .filter((field) => typed.has(field) || !isInitial(field))
    .map((field) => [keyOf(field), [field.value, typed.has(field)]]);
  try {
    sessionStorage.setItem(SAVED, JSON.stringify(Object.fromEntries(changed)));
  } catch {
    // The storage is full or switched off: then nothing is remembered.
  }
}

/** Another page of this origin may have stored something else under this name. */
function read(): object {
  try {
    return Object(JSON.parse(sessionStorage.getItem(SAVED) ?? '{}'));
  } catch {
    return {};
  }
}

function isInitial(field: Field): boolean {
  return 'defaultValue' in field ? field.value === field.defaultValue : field.selectedIndex <= 0;
}

function keyOf({ form, name, dataset }: Field): string {
  return `${form?.dataset.method} ${form?.dataset.path} ${dataset.in} ${name}`;
}
