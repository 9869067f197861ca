import { STATUS_CODES } from 'node:http';
import { exampleOf, indented } from './examples.js';
import { type Content, type Html, html, sentence } from './html.js';
import type { Definition, Definitions, Document, DocumentedResponse } from './swagger-document.js';
import { typeOf } from './type-text.js';

/** {@link errorsOf} shows once for all operations what errors look like. */
export function responsesOf(responses: Readonly<Record<string, DocumentedResponse>>, definitions: Definitions): Html {
  const statuses = Object.keys(responses);
  return html`
    <details>
      <summary><span>Responses</span> <small>${statuses.join(', ')}</small></summary>
      <dl>${Object.entries(responses).map(
        ([status, response]) => html`
        <div class="response" data-status="${status}">
          <dt><b class="s${status[0]}">${status}</b> <span>${reasonOf(status, response)}</span></dt>
          <dd data-about>${aboutOf(status, response)}</dd>
          ${!isError(status) && hasContent(response) && html`<dd>${contentOf(response, definitions)}</dd>`}
        </div>`,
      )}
      </dl>
      ${statuses.some(isError) && html`<p><a href="#errors">Examples of errors</a></p>`}
    </details>`;
}

/** Each status, header field and example once. */
export function errorsOf({ paths, definitions }: Document): Content {
  const errors = new Map<string, Map<string, DocumentedResponse>>();
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { description: _, ...response }] of Object.entries(responses).filter(([status]) =>
      isError(status),
    )) {
      const alike = errors.get(status) ?? new Map();
      errors.set(status, alike.set(JSON.stringify(response), response));
    }
  }
  if (errors.size === 0) return undefined;
  return html`
    <section>
      <h2>Errors</h2>
      <details id="errors">
        <summary><h3>Examples</h3></summary>
        <div>${[...errors].sort().map(([status, alike]) => errorOf(status, [...alike.values()], definitions))}</div>
      </details>
    </section>`;
}

function errorOf(status: string, alike: readonly DocumentedResponse[], definitions: Definitions): Html {
  const [first] = alike as [DocumentedResponse];
  return html`
    <h4>${status} ${reasonOf(status, first)}</h4>
    ${alike.map((response) => contentOf(response, definitions))}`;
}

/** The script colours it when it is shown. */
export function jsonBlock(value: unknown, name: string): Html {
  return html`<pre data-json role="group" aria-label="${name}">${indented(value)}</pre>`;
}

export function membersOf(members: Definitions, required: readonly string[] = []): Html {
  return html`<dl>${Object.entries(members).map(
    ([name, member]) => html`
    <div>
      <dt><code>${name}</code> <small>${typeOf(member)}${required.includes(name) && html` <em>required</em>`}</small></dt>
      <dd>${sentence(member.description)}${nestedIn(member)}</dd>
    </div>`,
  )}
  </dl>`;
}

function nestedIn({ properties, required, items }: Definition): Content {
  return [properties && membersOf(properties, required as readonly string[]), items && nestedIn(items)];
}

function isError(status: string): boolean {
  return status >= '400';
}

/** The service's own word for an error is better than Node.js's, which depends on its release. */
function reasonOf(status: string, { examples = {} }: DocumentedResponse): string {
  const [example] = Object.values(examples);
  const title = isError(status) && (Object(example).title as unknown);
  return typeof title === 'string' ? title : (STATUS_CODES[status] ?? '');
}

function aboutOf(status: string, response: DocumentedResponse): Content {
  const { description = '' } = response;
  return description === reasonOf(status, response) ? undefined : sentence(description);
}

function hasContent({ schema, headers }: DocumentedResponse): boolean {
  return schema !== undefined || headers !== undefined;
}

function contentOf({ schema, headers, examples = {} }: DocumentedResponse, definitions: Definitions): Content {
  const [example] = Object.values(examples);
  return html`
    ${schema && html`<p>Body: ${typeOf(schema)}</p>`}
    ${headers && membersOf(headers)}
    ${schema && jsonBlock(example ?? exampleOf(schema, definitions), 'Example')}`;
}
