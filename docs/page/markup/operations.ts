import { type Content, type Html, html, sentence } from './html.js';
import { inputsOf } from './inputs.js';
import { responsesOf } from './statuses.js';
import type { Document, DocumentedOperation } from './swagger-document.js';

/** The operations under one tag, the first of each. */
export interface Section {
  readonly tag: string;
  readonly operations: readonly Html[];
}

/** Makes the operations of a document, under their tags, in the order of the document. */
export function sectionsOf({ paths, definitions }: Document): readonly Section[] {
  const sections = new Map<string, Html[]>();
  let count = 0;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { parameters, ...rest } = operation;
      const [tag = ''] = operation.tags;
      const fields = inputsOf(operation, method, definitions, `f${count++}`);
      const responses = responsesOf(rest.responses, definitions);
      const operations = sections.get(tag) ?? [];
      sections.set(tag, [...operations, operationAt(path, method, operation, fields, responses)]);
    }
  }
  return Array.from(sections, ([tag, operations]) => ({ tag, operations }));
}

function operationAt(
  path: string,
  method: string,
  { operationId, summary }: DocumentedOperation,
  fields: Content,
  responses: Html,
): Html {
  const steps = path.split(/(?=\/)/).map((step) => html`<wbr>${step}`);
  return html`
    <details class="operation ${method}" id="${operationId}">
      <summary><h3><span class="method">${method.toUpperCase()}</span> ${steps}</h3> <span class="words">${sentence(summary)}</span></summary>
      <div class="columns">
        <form data-method="${method.toUpperCase()}" data-path="${path}" novalidate autocomplete="off" spellcheck="false">${fields}</form>
        <div>${responses}</div>
      </div>
    </details>`;
}
