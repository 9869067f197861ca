import type { Document, Operation, Schema, Type } from './described.js';

/**
 * Lists the operations of the description document, for who reads without scripts or while they are on their way.
 *
 * @param document - The description document.
 * @returns The list, in HTML, a section for each tag.
 */
export function listOperations({ paths }: Document): string {
  const sections = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] as string;
      sections.set(tag, [...(sections.get(tag) ?? []), listOperation(path, method, tag, operation)]);
    }
  }
  return Array.from(sections, ([tag, items]) => `<section>\n<h2>${tag}</h2>\n${items.join('\n')}\n</section>`).join(
    '\n',
  );
}

/**
 * Lists the definitions of the description document.
 *
 * @param document - The description document.
 * @returns The list, in HTML.
 */
export function listDefinitions({ definitions }: Document): string {
  const items = Object.entries(definitions).map(([name, schema]) => {
    const described = schema.description ? `<p>${words(schema.description)}</p>\n` : '';
    return `<details>\n<summary>${name}</summary>\n<div>${described}${members(schema)}</div>\n</details>`;
  });
  return items.join('\n');
}

/**
 * Escapes text for HTML.
 *
 * @param text - The text.
 * @returns What stands for it in an element or in an attribute's value.
 */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function listOperation(path: string, method: string, tag: string, operation: Operation): string {
  const { operationId, summary, description, parameters, responses } = operation;
  const taken = parameters.map((parameter) => {
    const facts = [`in ${parameter.in}`, ...typeOf(parameter.schema ?? parameter), parameter.required && 'required'];
    return term(parameter.name, facts, parameter);
  });
  const answered = Object.entries(responses).map(([status, response]) =>
    term(status, response.schema ? typeOf(response.schema) : [], response),
  );
  return `<details class="operation ${method}" data-tag="${tag}" data-operation="${operationId}">
<summary><span class="method">${method.toUpperCase()}</span> <span class="path">${escapeHtml(path).replaceAll('/', '<wbr>/')}</span> <span class="words">${words(summary)}</span></summary>
<div>${description ? `<p>${words(description)}</p>` : ''}${terms('Parameters', taken)}${terms('Responses', answered)}</div>
</details>`;
}

function members({ properties = {}, required = [] }: Schema): string {
  const items = Object.entries(properties).map(([name, schema]) => {
    const facts = [
      ...typeOf(schema),
      required.includes(name) && 'required',
      'default' in schema && `default ${schema.default}`,
    ];
    return term(name, facts, schema, schema.items ? members(schema.items) : '');
  });
  return items.length > 0 ? `<dl>${items.join('\n')}</dl>` : '';
}

function terms(title: string, items: readonly string[]): string {
  return items.length > 0 ? `<h3>${title}</h3>\n<dl>${items.join('\n')}</dl>` : '';
}

function term(
  name: string,
  facts: readonly (string | false | undefined)[],
  { description = '' }: { readonly description?: string },
  more = '',
): string {
  const small = facts.filter(Boolean).join(', ');
  return `<div><dt>${name}${small && ` <small>${small}</small>`}</dt><dd>${words(description)}${more}</dd></div>`;
}

function typeOf({ $ref, type, format, items }: Type): (string | undefined)[] {
  if ($ref) return [$ref.split('/').at(-1)];
  return items ? [`array of ${typeOf(items)[0]}`] : [type, format];
}

function words(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
