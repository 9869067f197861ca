import { type Constraint, parseConstraint } from './constraint.js';

/** Static text, which matches in any letter case, or a parameter. */
export type Segment = (Common & { readonly kind: 'static' }) | Parameter;

interface Common {
  /** Static text has 1. A parameter has 2 with constraints and 3 without, a wildcard 4 and 5. Lower is more specific. */
  readonly rank: number;
  /** Static text in lower case, or the constraints as written. Segments with equal rank and text match the same. */
  readonly text: string;
  /** Whether the path may end before it: `{name?}`, `{name=default}` and every wildcard. */
  readonly optional: boolean;
}

interface Parameter extends Common {
  readonly kind: 'param' | 'wildcard';
  readonly name: string;
  readonly constraints: readonly Constraint[];
  readonly default: string | undefined;
}

/** By name, decoded. Undefined if the path ends before a parameter without a default. */
export type Parameters = Readonly<Record<string, string | undefined>>;

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
 * any number of constraints.
 *
 * @param template - Begins with a slash; a parameter fills a whole segment.
 * @returns The segments in order; none for `/`.
 * @throws Error that names the template and what is wrong with it.
 */
export function parseTemplate(template: string): readonly Segment[] {
  if (template === '/') return [];
  try {
    if (!template.startsWith('/')) throw new Error('it must begin with a slash');
    const segments = template.slice(1).split('/').map(parseSegment);
    checkOrder(segments);
    return segments;
  } catch (error) {
    throw new Error(`Path template "${template}": ${(error as Error).message}`);
  }
}

function parseSegment(text: string): Segment {
  if (text === '') throw new Error('a segment is empty');
  if (!/[{}]/.test(text)) return { kind: 'static', rank: 1, text: text.toLowerCase(), optional: false };
  const [whole, star, name = '', constraints = '', tail = ''] =
    /^{(\*?)(\w+)((?::\w+(?:\([^()]*\))?)*)(\?|=[^{}]*)?}$/.exec(text) ?? [];
  if (whole === undefined)
    throw new Error(
      `"${text}" is not a parameter: write {name}, {name:constraint}, {name=default}, {name?} or {*name}`,
    );
  const parsed = Array.from(constraints.matchAll(/:(\w+)(?:\((.*?)\))?/g), ([, name = '', argument]) =>
    parseConstraint(name, argument),
  );
  return {
    kind: star ? 'wildcard' : 'param',
    name,
    rank: (star ? 4 : 2) + (constraints ? 0 : 1),
    text: constraints,
    constraints: parsed,
    optional: star !== '' || tail !== '',
    default: tail.startsWith('=') ? tail.slice(1) : undefined,
  };
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
