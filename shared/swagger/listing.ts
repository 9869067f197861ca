/** As much of the description document as the page is made of. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** One operation of the document. */
export interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly operationId: string;
  readonly parameters: readonly (Value & { readonly name: string; readonly in: string; readonly required: boolean })[];
  readonly responses: Readonly<Record<string, Value>>;
}

/**
 * Lists the operations of the description document, for who reads without scripts or while they are on their way.
 *
 * @param document - The description document.
 * @returns The list, in HTML, a section for each tag.
 */
export function listOperations({ paths }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method, tag: operation.tags[0] })),
  );
  const sections = Array.from(new Set(operations.map(({ tag }) => tag)), (tag) => {
    const items = operations.filter((operation) => operation.tag === tag).map(listOperation);
    return `<section>\n<h2>${tag}</h2>\n${items.join('\n')}\n</section>`;
  });
  return sections.join('\n');
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

/** A parameter, a response, or a member of a definition. That of a body has its type in a schema. */
interface Value {
  readonly description?: string;
  readonly schema?: Value;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly items?: Schema;
}

interface Schema extends Value {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

function listOperation(operation: Operation & { path: string; method: string; tag: string | undefined }): string {
  const { path, method, tag, operationId, summary, description, parameters, responses } = operation;
  const taken = parameters.map((one) => term(one.name, [`in ${one.in}`, ...facts(one, one.required)], one));
  const answered = Object.entries(responses).map(([status, one]) => term(status, facts(one), one));
  return `<details class="operation ${method}" data-tag="${tag}" data-operation="${operationId}">
<summary><span class="method">${method.toUpperCase()}</span> <span class="path">${escapeHtml(path).replaceAll('/', '<wbr>/')}</span> <span class="words">${words(summary)}</span></summary>
<div>${description ? `<p>${words(description)}</p>` : ''}${terms('Parameters', taken)}${terms('Responses', answered)}</div>
</details>`;
}

function members({ properties = {}, required = [] }: Schema): string {
  const items = Object.entries(properties).map(([name, member]) =>
    term(name, facts(member, required.includes(name)), member, members(member.items ?? {})),
  );
  return items.length > 0 ? `<dl>${items.join('\n')}</dl>` : '';
}

function terms(title: string, items: readonly string[]): string {
  return items.length > 0 ? `<h3>${title}</h3>\n<dl>${items.join('\n')}</dl>` : '';
}

function term(name: string, known: readonly string[], { description = '' }: Value, more = ''): string {
  const small = known.length > 0 ? ` <small>${known.join(', ')}</small>` : '';
  return `<div><dt>${name}${small}</dt><dd>${words(description)}${more}</dd></div>`;
}

function facts(value: Value, isRequired = false): string[] {
  const preset = 'default' in value && `default ${value.default}`;
  const known = [...typeOf(value.schema ?? value), isRequired && 'required', preset];
  return known.filter((fact) => typeof fact === 'string');
}

function typeOf({ $ref, type, format, items }: Value): (string | undefined)[] {
  if ($ref) return [$ref.split('/').at(-1)];
  return items ? [`array of ${typeOf(items)[0]}`] : [type, format];
}

function words(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
