import type { Field, Operation } from '../../docs/page/browser/request.js';

/** An operation of the page, as plain objects. Its fields are described by the part of the request, the name and the value. */
export function anOperation(
  method: string,
  path: string,
  fields: readonly (readonly [part: string, name: string, value: string])[],
  more: Partial<Operation> = {},
) {
  const made = fields.map(([part, name, value]): Field => ({ name, value, dataset: { in: part } }));
  const field = (name: string) => made.find((one) => one.name === name) as Field;
  return { method, url: `http://localhost/live${path}`, fields: made, field, ...more };
}
