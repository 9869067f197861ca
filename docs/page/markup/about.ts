import { type Content, html, sentence } from './html.js';
import { type Numbered, purposeOf } from './purpose.js';
import { linkTo, typeOf } from './type-text.js';

/** In characters. The first sentence is always shown. */
const SHORT = 120;

/** What a field is, in one or two short sentences, and the rest on demand. */
export function about({ id, description, 'x-example': example }: Numbered, model?: string): Content {
  if (!description) return undefined;
  const [first, second = '', ...more] = description.split(/(?<=[.!?])\s+/) as [string, ...string[]];
  const isShort = `${first} ${second}`.length <= SHORT;
  const rest = (isShort ? more : [second, ...more]).join(' ');
  return html`
    <p class="about" id="${id}-about">${sentence(isShort ? `${first} ${second}` : first)}${model && html` See ${linkTo(model)}.`}${exampleIn(example)}</p>
    ${rest && html`<details class="more"><summary>More</summary><p>${sentence(rest)}</p></details>`}`;
}

function exampleIn(example: unknown): Content {
  return example !== undefined && html` For example <code>${String(example)}</code>.`;
}

/** On demand. */
export function aboutHeaders(headers: readonly Numbered[]): Content {
  const described = headers.filter(({ description }) => description);
  if (described.length === 0) return undefined;
  const names = described.map(({ name }) => name).join(', ');
  return html`
    <details class="more">
      <summary>About ${names}</summary>
      <dl>${described.map(
        (header) => html`
        <div id="${header.id}-about">
          <dt><code>${header.name}</code> <small>${typeOf(header)}</small></dt>
          <dd>${sentence(header.description)}${purposeOf(header) === 'Idempotency-Key' && ' If it is empty, each click on Send sends a new one.'}${exampleIn(header['x-example'])}</dd>
        </div>`,
      )}
      </dl>
    </details>`;
}
