import { packagedAt } from './derived-template.js';
import type { Template } from './template-schema.js';

/** By logical id, and then by what breaks on AWS otherwise: the properties of a resource, its type and policies among them. */
export type Expectations = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

/**
 * Compares a template with what is expected of it.
 *
 * @param template - The template.
 * @param expected - All that it is to have; a regular expression stands for any text that it matches. What differs from one
 *   packaging to the next has the number 1.
 * @param others - The logical ids that are looked at elsewhere.
 * @returns What is different, and what that breaks; empty when nothing is.
 */
export function differences(template: Template, expected: Expectations, others: RegExp): string[] {
  const { Resources } = packagedAt(template, 1);
  const unknown = Object.keys(Resources).filter((id) => !(id in expected) && !others.test(id));
  const faults = unknown.map((id) => `${id} is there, and nothing expects it`);
  for (const [id, reasons] of Object.entries(expected)) {
    const { DependsOn, Properties, ...own } = Resources[id] ?? { Properties: {} };
    const actual: Record<string, unknown> = { ...own, ...Properties };
    for (const [otherwise, properties] of Object.entries(reasons)) {
      for (const [name, value] of Object.entries(properties)) {
        const found = text(actual[name]);
        delete actual[name];
        const equal = value instanceof RegExp ? value.test(String(found)) : found === text(value);
        if (!equal) faults.push(`${id}.${name} is ${found}, not ${text(value)}: ${otherwise}`);
      }
    }
    for (const [name, value] of Object.entries(actual))
      faults.push(`${id}.${name} is ${text(value)}, and nothing expects it`);
  }
  return faults;
}

/** Members sorted by name, because their order means nothing. */
function text(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
