import { type Content, type Html, html, sentence } from './html.js';
import { inputsOf, keyIn } from './inputs.js';
import { responsesOf } from './statuses.js';
import { type Document, type DocumentedOperation, tokenScheme } from './swagger-document.js';

/** The operations with the same first tag. */
export interface Section {
  readonly tag: string;
  readonly operations: readonly Html[];
}

/** In the order of the document. */
export function sectionsOf(document: Document): readonly Section[] {
  const sections = new Map<string, Html[]>();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );
  for (const [index, operation] of operations.entries()) {
    const [tag = ''] = operation.tags;
    const before = sections.get(tag) ?? [];
    sections.set(tag, [...before, operationOf(operation, `f${index}`, document)]);
  }
  return Array.from(sections, ([tag, operations]) => ({ tag, operations }));
}

interface Operation extends DocumentedOperation {
  readonly path: string;
  readonly method: string;
}

function operationOf(operation: Operation, prefix: string, document: Document): Html {
  const { path, method, operationId, summary, responses } = operation;
  const { definitions } = document;
  const key = keyOfListed(operation, document);
  return html`
    <details class="operation ${method}" id="${operationId}">
      <summary><h3><span class="method">${method.toUpperCase()}</span> <span>${breakable(path)}</span></h3> <span class="words">${sentence(summary)}</span></summary>
      <div class="columns">
        <form data-method="${method.toUpperCase()}" data-path="${path}"${tokenScheme(operation, document) && ' data-secured'}${key && html` data-key="${key}"`} novalidate autocomplete="off" spellcheck="false">${inputsOf(operation, method, definitions, prefix)}</form>
        <div>${responsesOf(responses, definitions)}</div>
      </div>
    </details>`;
}

/** The member of a list's items that is the id in their paths. */
function keyOfListed({ path, responses }: Operation, { paths, definitions }: Document): string | undefined {
  const { items } = responses[200]?.schema ?? {};
  const isOfItem = (other: string) => other.startsWith(`${path}/{`) && !other.slice(path.length + 1).includes('/');
  const [, methods = {}] = Object.entries(paths).find(([other]) => isOfItem(other)) ?? [];
  const [one] = Object.values(methods);
  return items && one && keyIn(items, one, definitions);
}

/** Lets a long path break before each slash. */
function breakable(path: string): Content {
  return path.split(/(?=\/)/).map((step) => html`<wbr>${step}`);
}
