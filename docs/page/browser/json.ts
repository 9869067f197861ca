export type Piece = readonly [text: string, kind: '' | 'name' | 'text' | 'number'];

/** Deeper levels are not indented further, because in deep JSON most would be white space. */
const MAX_INDENTED = 20;

/** Undefined if the text is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function indent(json: string): string {
  return Array.from(format(json), ([text]) => text).join('');
}

/** Formats valid JSON. Numbers, names and duplicates stay as they were written, which parsing would not keep. */
export function* format(json: string): Generator<Piece> {
  const TOKEN = /[{}[\],:"]|[^\s{}[\],:"]+/g;
  let depth = 0;
  let before = '';
  for (let match = TOKEN.exec(json); match; match = TOKEN.exec(json)) {
    const [token] = match;
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth--;
    if (isEnd ? !'[{'.includes(before) : before && '[{,'.includes(before))
      yield [`\n${'  '.repeat(Math.min(depth, MAX_INDENTED))}`, ''];
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

/** A quote ends a string unless an odd number of backslashes is before it. */
function endOfString(json: string, start: number): number {
  for (let end = start; ; ) {
    end = json.indexOf('"', end + 1);
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}
