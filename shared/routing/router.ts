import type { AnyRoute } from './route.js';
import { type Parameters, parseTemplate, type Segment } from './template.js';

export interface Match {
  readonly route: AnyRoute;
  readonly parameters: Parameters;
}

export interface NoMatch {
  readonly route: undefined;
  /** The methods of the routes whose templates match the path, in alphabetical order. */
  readonly allowed: readonly string[];
}

/**
 * Finds a route.
 *
 * @param path - Percent-encoded. Each segment is decoded once, so `%2F` never separates. One slash at the start and
 * one at the end are dropped; `//` matches nothing.
 */
export type Find = (method: string, path: string) => Match | NoMatch;

/**
 * Creates the function that finds the route of a request. If several routes of the method match, the most specific one wins.
 *
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
  candidates.sort((one, other) => compareTemplates(one.segments, other.segments));

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

/** Negative if the first template is more specific than the second. The leftmost segments that differ decide. */
function compareTemplates(segments: readonly Segment[], others: readonly Segment[]): number {
  for (const [index, { rank, text }] of segments.entries()) {
    const other = others[index];
    if (!other) return 1;
    if (rank !== other.rank) return rank - other.rank;
    // Neither is more specific, but the order of the routes must not matter.
    if (text !== other.text) return text < other.text ? -1 : 1;
  }
  return segments.length - others.length;
}

/** Whether two templates have equal ranks and match the same paths, or at least the path that ends before their optional segments. */
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
