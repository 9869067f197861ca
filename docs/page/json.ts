import { element } from './element.js';

/**
 * Formats JSON piece by piece. Numbers, names and duplicates stay as they were written, which parsing would not keep.
 *
 * @param json - Valid JSON.
 * @returns The pieces: a text and its kind, which is '' between values.
 */
export function* format(json: string): Generator<readonly [text: string, kind: '' | 'name' | 'text' | 'number']> {
  const TOKEN = /[{}[\],:"]|[^\s{}[\],:"]+/g;
  let depth = 0;
  let before = '';
  for (let match = TOKEN.exec(json); match; match = TOKEN.exec(json)) {
    const [token] = match;
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth--;
    if (isEnd ? !'[{'.includes(before) : before && '[{,'.includes(before)) yield [`\n${'  '.repeat(depth)}`, ''];
    if (token === '"') {
      TOKEN.lastIndex = endOfString(json, match.index);
      const isName = /^\s*:/.test(json.slice(TOKEN.lastIndex, TOKEN.lastIndex + 9));
      yield [json.slice(match.index, TOKEN.lastIndex), isName ? 'name' : 'text'];
    } else if (token === ':') yield [': ', ''];
    else yield [token, /[\w-]/.test(token) ? 'number' : ''];
    if (token === '{' || token === '[') depth++;
    before = token;
  }
}

/** Shows JSON formatted and coloured in an element. */
export function colour(json: string, into: Element): void {
  into.replaceChildren(...Array.from(format(json), ([text, kind]) => piece(text, kind)));
}

/** Makes what shows a piece of JSON. */
export function piece(text: string, kind: string): Node | string {
  return kind ? element('span', { className: kind }, text) : text;
}

/** A quote ends a string unless an odd number of backslashes is before it. */
function endOfString(json: string, start: number): number {
  for (let end = start; ; ) {
    end = json.indexOf('"', end + 1);
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}
