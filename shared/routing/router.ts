import type { AnyRoute } from './route.js';
import { parseTemplate, type Segment } from './template.js';

export type Parameters = Readonly<Record<string, string | undefined>>;

export interface Match {
  readonly route: AnyRoute;
  readonly parameters: Parameters;
}

/** The methods of the templates that match the path, in alphabetical order. */
export interface NoMatch {
  readonly route: undefined;
  readonly allowed: readonly string[];
}

/**
 * @param path - Percent-encoded. Each segment is decoded once, so `%2F` never separates. One slash at the start and
 * one at the end are dropped; `//` matches nothing.
 */
export type Find = (method: string, path: string) => Match | NoMatch;

/**
 * Static segments go before constrained parameters, those before plain ones, and those before wildcards, segment by
 * segment from the left.
 *
 * @param routes - In any order.
 * @throws Error if a template is wrong, or another of the same method matches the same paths with the same precedence.
 */
export function createRouter(routes: readonly AnyRoute[]): Find {
  const candidates = routes.map((route) => ({ route, segments: parseTemplate(route.template) }));
  for (const [index, { route, segments }] of candidates.entries())
    for (const { route: other, segments: others } of candidates.slice(0, index))
      if (route.method === other.method && isAlike(segments, others))
        throw new Error(
          `Path templates "${other.template}" and "${route.template}" match the same paths for ${route.method}`,
        );
  candidates.sort((one, other) => (precedenceOf(one.segments) < precedenceOf(other.segments) ? -1 : 1));

  return (method, path) => {
    const texts = textsIn(path);
    const allowed = new Set<string>();
    for (const { route, segments } of texts.includes('') ? [] : candidates) {
      const parameters = match(segments, texts);
      if (!parameters) continue;
      if (route.method === method) return { route, parameters };
      allowed.add(route.method);
    }
    return { route: undefined, allowed: [...allowed].sort() };
  };
}

/** In alphabetical order, the more specific template comes first. */
function precedenceOf(segments: readonly Segment[]): string {
  return segments.map(({ rank, text }) => `${rank}${text}\n`).join('');
}

/**
 * Whether two templates match the same paths, and neither is more specific. A path may end before optional segments.
 */
function isAlike(segments: readonly Segment[], others: readonly Segment[]): boolean {
  return (
    segments.length === others.length &&
    segments.every(({ rank, text, optional }, index) => {
      const other = others[index] as Segment;
      return rank === other.rank && (text === other.text || (optional && other.optional));
    })
  );
}

function textsIn(path: string): readonly string[] {
  const texts = path.split('/').map(decodeSegment);
  if (texts[0] === '') texts.shift();
  if (texts.at(-1) === '') texts.pop();
  return texts;
}

/** RFC 3986, section 2.1. A segment with an escape that is malformed, or not UTF-8, stays as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function match(segments: readonly Segment[], texts: readonly string[]): Parameters | undefined {
  if (texts.length > segments.length && segments.at(-1)?.kind !== 'wildcard') return undefined;
  const parameters: Record<string, string | undefined> = {};
  for (const [index, segment] of segments.entries()) {
    const text = texts[index];
    if (segment.kind === 'static') {
      if (text?.toLowerCase() !== segment.text) return undefined;
    } else if (text === undefined) {
      if (!segment.optional) return undefined;
      parameters[segment.name] = segment.default;
    } else {
      const sent = segment.kind === 'wildcard' ? texts.slice(index).join('/') : text;
      if (!segment.constraints.every((isSatisfied) => isSatisfied(sent))) return undefined;
      parameters[segment.name] = sent;
    }
  }
  return parameters;
}
