/** HTML. Only the functions in this file make it, so all text in it is escaped. */
class Html {
  constructor(readonly text: string) {}
}

export type { Html };

/** What can be put into HTML. Undefined and false become nothing. */
export type Content = Html | string | number | undefined | false | readonly Content[];

/**
 * Makes HTML of a template. Values are escaped unless they are HTML, also for attributes in double quotes. Line breaks and
 * indentation are left out.
 */
export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Html {
  const parts = literals.map((literal, index) => literal.replace(/\n\s*/g, '') + toText(values[index]));
  return new Html(parts.join(''));
}

/** Takes code as it is, for the inside of a script or style element. */
export function verbatim(code: string): Html {
  return new Html(code);
}

/** Makes HTML of a sentence. Text between backticks becomes code. */
export function sentence(text = ''): Html {
  const parts = text.split(/`([^`]+)`/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

function toText(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(toText).join('');
  return String(content).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
