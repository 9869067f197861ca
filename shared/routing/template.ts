import { type Constraint, parseConstraint } from './constraint.js';

export type Segment = Static | Parameter;

interface Common {
  /** 1 if static, 2 or 3 for a parameter with or without constraints, 4 or 5 for such a wildcard. */
  readonly rank: number;
  /** Static text in lower case, or the constraints as written. Segments of the same rank and text match the same. */
  readonly text: string;
  /** Whether the path may end before it: `{name?}`, `{name=default}` and every wildcard. */
  readonly optional: boolean;
}

/** Matched in any letter case. */
export interface Static extends Common {
  readonly kind: 'static';
}

export interface Parameter extends Common {
  readonly kind: 'param' | 'wildcard';
  readonly name: string;
  readonly constraints: readonly Constraint[];
  readonly default: string | undefined;
}

export type PathParameters<Template extends string> = Template extends `${string}{${infer Inside}}${infer Rest}`
  ? Declared<Inside> & PathParameters<Rest>
  : unknown;

type Declared<Inside extends string> = Inside extends `*${infer Name}`
  ? { readonly [key in NameOf<Name>]: string | undefined }
  : Inside extends `${infer Name}?`
    ? { readonly [key in NameOf<Name>]: string | undefined }
    : { readonly [key in NameOf<Inside>]: string };

type NameOf<Text extends string> = Text extends `${infer Name}${':' | '=' | '?'}${string}` ? NameOf<Name> : Text;

/**
 * Parses a path template: static text, `{name}`, `{name=default}`, `{name?}`, `{*name}` and `{name:constraint}`, with
 * any number of constraints (rule 2). Braces inside a regular expression are doubled, as in .NET:
 * `{id:regex(^\d{{3}}$)}`. A cold start parses all templates, so static text and `{name}` call few functions.
 *
 * @param template - Begins with a slash; a parameter fills a whole segment.
 * @returns The segments in order; none for `/`.
 * @throws Error that names the template and what is wrong with it.
 */
export function parseTemplate(template: string): readonly Segment[] {
  const segments: Segment[] = [];
  if (template === '/') return segments;
  try {
    if (!template.startsWith('/')) throw new Error('it must begin with a slash');
    let text = '';
    for (const part of template.slice(1).replaceAll('{{', OPEN).replaceAll('}}', CLOSE).split('/')) {
      text += part;
      if (text.lastIndexOf('{') > text.lastIndexOf('}')) {
        // This slash is inside braces, in a constraint's argument or in a default.
        text += '/';
      } else {
        segments.push(parseSegment(text));
        text = '';
      }
    }
    if (text !== '') throw new Error(UNPAIRED);
    checkOrder(segments);
    return segments;
  } catch (error) {
    throw new Error(`Path template "${template}": ${(error as Error).message}`);
  }
}

// Stand for doubled braces while single ones are parsed. From Unicode's private use area.
const OPEN = '\uE000';
const CLOSE = '\uE001';

const UNPAIRED = 'braces must pair, and a parameter must fill its whole segment';

function parseSegment(text: string): Segment {
  if (text === '') throw new Error('it has an empty segment');
  const open = text.lastIndexOf('{');
  const close = text.indexOf('}');
  if (open < 0 && close < 0 && !text.includes(OPEN) && !text.includes(CLOSE)) {
    return { kind: 'static', rank: 1, text: text.toLowerCase(), optional: false };
  }
  if (open !== 0 || close !== text.length - 1) throw new Error(UNPAIRED);
  return parseParameter(text.slice(1, -1).replaceAll(OPEN, '{').replaceAll(CLOSE, '}'));
}

function parseParameter(text: string): Parameter {
  const [start = '', star, name] = /^(\*?)(\w+)/.exec(text) ?? [];
  if (name === undefined) throw new Error(`"{${text}}" has no name`);
  const rest = text.slice(start.length);
  const constraints: Constraint[] = [];
  let end = 0;
  while (rest[end] === ':') {
    const open = rest.slice(end + 1).search(/\W|$/) + end + 1;
    const close = rest[open] === '(' ? closing(rest, open) : undefined;
    const argument = close === undefined ? undefined : rest.slice(open + 1, close);
    constraints.push(parseConstraint(rest.slice(end + 1, open), argument));
    end = close === undefined ? open : close + 1;
  }
  const tail = rest.slice(end);
  if (tail !== '' && tail !== '?' && !tail.startsWith('=')) {
    throw new Error(`"${tail}" in "{${text}}" is not a constraint, a default or "?"`);
  }
  return {
    kind: star ? 'wildcard' : 'param',
    name,
    rank: (star ? 5 : 3) - (end > 0 ? 1 : 0),
    text: rest.slice(0, end),
    constraints,
    optional: star !== '' || tail !== '',
    default: tail.startsWith('=') ? tail.slice(1) : undefined,
  };
}

/** Finds the parenthesis that closes the one at `open`. Those in a class, or escaped, don't count. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.slice(open).matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/gs)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0) return open + index;
  }
  throw new Error(`a parenthesis is not closed in "${text}"`);
}

function checkOrder(segments: readonly Segment[]): void {
  const names: string[] = [];
  let before: Parameter | undefined;
  for (const segment of segments) {
    if (before?.kind === 'wildcard') throw new Error(`nothing may follow the wildcard "{*${before.name}}"`);
    if (before?.optional && !segment.optional) {
      throw new Error(`"{${before.name}}" is optional, so everything after it must be optional as well`);
    }
    before = segment.kind === 'static' ? undefined : segment;
    if (!before) continue;
    if (names.includes(before.name)) throw new Error(`two parameters are named "${before.name}"`);
    names.push(before.name);
  }
}
