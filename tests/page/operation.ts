import type { FormField } from '../../docs/page/browser/request.js';

/** Makes an operation of the page from plain objects. Its fields are given by part and name, as in `path id`. */
export function anOperation(method: string, path: string, fields: Readonly<Record<string, string>>, secured?: string) {
  const made = Object.entries(fields).map(([field, value]): FormField => {
    const [, part = '', name = ''] = /^(\w+) (.*)$/.exec(field) ?? [];
    return { name, value, dataset: { in: part } };
  });
  const field = (name: string) => made.find((one) => one.name === name) as FormField;
  return { method, url: `http://localhost/live${path}`, key: 'key', secured, fields: made, field };
}
