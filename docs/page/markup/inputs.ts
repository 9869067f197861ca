import type { Purpose } from '../attributes.js';
import { about, aboutHeaders } from './about.js';
import { hiddenButton } from './controls.js';
import { exampleBodyOf, indented } from './examples.js';
import { type Content, type Html, html } from './html.js';
import { type Numbered, purposeOf } from './purpose.js';
import { type Definition, type Definitions, type DocumentedOperation, nameOf, resolve } from './swagger-document.js';
import { typeOf } from './type-text.js';

/**
 * Makes the fields of an operation in the order of use: path, query, body, header fields, media types.
 *
 * @param method - In lower case.
 * @param prefix - The start of the fields' ids.
 */
export function inputsOf(
  operation: DocumentedOperation,
  method: string,
  definitions: Definitions,
  prefix: string,
): Content {
  const { parameters, consumes = [], produces = [] } = operation;
  const numbered = parameters.map((parameter, index) => ({ ...parameter, id: `${prefix}-${index}` }));
  const inPart = (part: string) => numbered.filter((parameter) => parameter.in === part);
  return [
    [...inPart('path'), ...inPart('query')].map((one) => field(one, one.in as Purpose, [control(one), about(one)])),
    inPart('body').map((one) => bodyField(one, operation, method, definitions)),
    inPart('header').map(headerRow),
    aboutHeaders(inPart('header')),
    mediaTypes('Content-Type', consumes, `${prefix}-type`),
    mediaTypes('Accept', produces, `${prefix}-accept`),
  ];
}

/** The label stands above it. */
function field({ id, name, required, schema, ...value }: Numbered, purpose: Purpose, content: Content): Html {
  return html`
    <div class="field">
      <label for="${id}"><b>${name}</b> <small>${typeOf(schema ?? value, (name) => name)}${required && REQUIRED}</small></label>
      ${purpose === 'body' && hiddenButton('reset', 'Use the example')}
      ${content}
    </div>`;
}

/** The label stands beside it. The meanings follow after all of them. */
function headerRow(parameter: Numbered): Html {
  const { id, name, required } = parameter;
  return html`
    <div class="field row">
      <label for="${id}"><b>${name}</b>${required && REQUIRED}</label>
      ${control(parameter)}
      ${purposeOf(parameter) === 'If-Match' && hiddenButton('tag')}
    </div>`;
}

const REQUIRED = html` <em>required</em>`;

/** A select element if there are only some values. */
function control(parameter: Numbered): Html {
  const { type = '', enum: values = type === 'boolean' ? [true, false] : undefined, required } = parameter;
  const attributes = attributesOf(parameter);
  if (values)
    return html`<select ${attributes}>${!required && html`<option value="">–</option>`}${values.map(option)}</select>`;
  const mode = { integer: 'numeric', number: 'decimal' }[type];
  return html`<input ${attributes}${mode && html` inputmode="${mode}"`}>`;
}

function option(value: unknown): Html {
  return html`<option>${String(value)}</option>`;
}

function attributesOf(parameter: Numbered): Html {
  const { id, name, required } = parameter;
  return html`id="${id}" name="${name}" data-for="${purposeOf(parameter)}"${required && html` aria-required="true"`}`;
}

/** The member of an item with the same example as the id in the operation's path. */
export function keyIn(
  schema: Definition,
  { parameters }: DocumentedOperation,
  definitions: Definitions,
): string | undefined {
  const id = parameters.findLast((other) => other.in === 'path')?.['x-example'];
  const members = Object.entries(resolve(schema, definitions).properties ?? {});
  return members.find(([, { example }]) => id !== undefined && example === id)?.[0];
}

function bodyField(
  parameter: Numbered,
  operation: DocumentedOperation,
  method: string,
  definitions: Definitions,
): Html {
  const { schema = {} } = parameter;
  const body = indented(exampleBodyOf(schema, method, definitions));
  const key = keyIn(schema, operation, definitions);
  const rows = Math.min(12, body.split('\n').length);
  return field(parameter, 'body', [
    html`<textarea ${attributesOf(parameter)} rows="${rows}"${key && html` data-key="${key}"`}>${body}</textarea>`,
    about(parameter, nameOf(schema)),
  ]);
}

/** JSON comes first. */
function mediaTypes(name: string, types: readonly string[], id: string): Content {
  const json = types.filter((type) => type === 'application/json');
  const [only, ...others] = new Set([...json, ...types]);
  if (only === undefined) return undefined;
  if (others.length === 0) return html`<input type="hidden" name="${name}" data-for="header" value="${only}">`;
  return html`
    <div class="field row">
      <label for="${id}"><b>${name}</b></label>
      <select id="${id}" name="${name}" data-for="header">${[only, ...others].map(option)}</select>
    </div>`;
}
