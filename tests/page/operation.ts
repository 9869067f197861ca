import type { FormField } from '../../docs/page/browser/request.js';

/** An operation of the page, as a plain object. Its fields are named by the part of the request and by their name: `path id`. */
export function anOperation(method: string, path: string, fields: Readonly<Record<string, string>>, secured?: string) {
  const made = Object.entries(fields).map(([field, value]): FormField => {
    const [, part = '', name = ''] = /^(\w+) (.*)$/.exec(field) ?? [];
    return { name, value, dataset: { in: part } };
  });
  const field = (name: string) => made.find((one) => one.name === name) as FormField;
  return { method, url: `http://localhost/live${path}`, key: 'key', secured, fields: made, field };
}
