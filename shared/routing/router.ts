import { decodeSegment } from './percent-encoding.js';
import { parseTemplate, type Segment } from './template.js';

/** What a path led to. */
export interface Match<Value> {
  readonly value: Value;
  /** The path parameters by name, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** Finds the template that a path matches. The time depends on the path, not on the number of templates. */
export class Router<Value> {
  /** The templates by the static segments that they begin with, such as `/api/todo`, the most specific first. */
  readonly #candidates = new Map<string, Candidate<Value>[]>();
  /** The templates by method, precedence and each number of segments that they may match. */
  readonly #seen = new Map<string, string>();
  /** The lengths of those beginnings, because looking up every beginning of a path would take quadratic time. */
  readonly #lengths = new Set<number>();

  /**
   * Adds a template, as `parseTemplate` takes it, and the value to which it leads with a method.
   *
   * @throws Error when the template is wrong, or another of the same method matches the same paths with the same precedence.
   */
  add(template: string, method: string, value: Value): void {
    const segments = parseTemplate(template);
    const precedences = segments.map(precedenceOf);
    this.#rejectDuplicate(template, method, segments, precedences);
    const firstParameter = segments.findIndex(({ kind }) => kind !== 'static');
    const count = firstParameter < 0 ? segments.length : firstParameter;
    const beginning = template
      .toLowerCase()
      .replaceAll('%', '%25')
      .split('/', count + 1)
      .join('/');
    const candidates = this.#candidates.get(beginning) ?? [];
    let candidate = candidates.find((known) => known.template === template);
    if (!candidate) {
      candidate = { template, precedence: precedences.join('\n'), segments: segments.slice(count), values: new Map() };
      candidates.push(candidate);
      candidates.sort((one, other) => (one.precedence < other.precedence ? -1 : 1));
    }
    candidate.values.set(method, value);
    this.#candidates.set(beginning, candidates);
    this.#lengths.add(beginning.length);
  }

  /** Rejects two templates that match the same paths with the same precedence: which one matched would be chance. */
  #rejectDuplicate(
    template: string,
    method: string,
    segments: readonly Segment[],
    precedences: readonly string[],
  ): void {
    const ranks = precedences.map((precedence) => precedence[0]).join('');
    for (let length = segments.length; ; length -= 1) {
      const paths = [method, ranks, ...precedences.slice(0, length)].join('\n');
      const duplicate = this.#seen.get(paths);
      if (duplicate)
        throw new Error(`Path templates "${duplicate}" and "${template}" match the same paths for ${method}`);
      this.#seen.set(paths, template);
      const last = segments[length - 1];
      if (!last || last.kind === 'static' || !last.optional) return;
    }
  }

  /**
   * Finds the value for a path. If templates overlap, static segments go before constrained parameters, those before
   * plain ones and those before wildcards, segment by segment from the left (rule 2).
   *
   * @param method - Templates of other methods don't match.
   * @param path - Percent-encoded: each segment is decoded by itself and once, so that `%2F` never separates. One slash
   * in front and one at the end are dropped (rule 1); `//` matches nothing.
   * @returns The match; if there is none, the methods of the templates that the path matches, in alphabetical order.
   */
  find(method: string, path: string): Match<Value> | readonly string[] {
    const absolute = path.startsWith('/') ? path : `/${path}`;
    if (absolute.includes('//')) return [];
    const text = normalized(absolute.endsWith('/') ? absolute.slice(0, -1) : absolute);
    let allowed: readonly string[] = [];
    // A template with more static segments in front is more specific, so the longest beginning is looked up first.
    for (let end = text.length; end >= 0; end = end === 0 ? -1 : text.lastIndexOf('/', end - 1)) {
      if (!this.#lengths.has(end)) continue;
      for (const { segments, values } of this.#candidates.get(text.slice(0, end).toLowerCase()) ?? []) {
        const parameters = match(segments, text, end);
        if (!parameters) continue;
        const value = values.get(method);
        if (value !== undefined) return { value, parameters };
        allowed = [...allowed, ...values.keys()];
      }
    }
    return allowed.length > 1 ? Array.from(new Set(allowed)).sort() : allowed;
  }
}

/** A template, and what its methods lead to. */
interface Candidate<Value> {
  readonly template: string;
  /** In alphabetical order, the more specific comes first. */
  readonly precedence: string;
  /** Those behind the static ones that it begins with. */
  readonly segments: readonly Segment[];
  readonly values: Map<string, Value>;
}

/** Segments of the same precedence match the same text. */
function precedenceOf(segment: Segment): string {
  if (segment.kind === 'static') return `1${segment.text}`;
  const rank = (segment.kind === 'wildcard' ? 5 : 3) - (segment.constraint === '' ? 0 : 1);
  return rank + segment.constraint;
}

/** Decodes all characters except `%` and `/`, so that texts can be compared. */
function normalized(path: string): string {
  if (!path.includes('%')) return path;
  const normalize = (segment: string) => decodeSegment(segment).replaceAll('%', '%25').replaceAll('/', '%2F');
  return path.split('/').map(normalize).join('/');
}

function segmentEnd(path: string, start: number): number {
  const slash = path.indexOf('/', start);
  return slash < 0 ? path.length : slash;
}

/** Matches what the path has behind `end`: gives the parameters, undefined if it does not match. */
function match(segments: readonly Segment[], path: string, end: number): Match<unknown>['parameters'] | undefined {
  const parameters: Record<string, string | undefined> = {};
  let at = end;
  for (const segment of segments) {
    const start = at + 1;
    if (start > path.length) {
      if (segment.kind === 'static' || !segment.optional) return undefined;
      parameters[segment.name] = segment.default;
      continue;
    }
    at = segment.kind === 'wildcard' ? path.length : segmentEnd(path, start);
    const text = decodeSegment(path.slice(start, at));
    if (segment.kind === 'static') {
      if (text.toLowerCase() !== segment.text) return undefined;
      continue;
    }
    for (const isSatisfied of segment.constraints) if (!isSatisfied(text)) return undefined;
    parameters[segment.name] = text;
  }
  return at === path.length ? parameters : undefined;
}
