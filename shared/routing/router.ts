import { decodeSegment } from './percent-encoding.js';
import { parseTemplate, type Segment } from './template.js';

export interface Match<Value> {
  readonly value: Value;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** Finds the template that a path matches: tries one after the other, the most specific first. */
export class Router<Value> {
  readonly #candidates: Candidate<Value>[] = [];
  /** The templates by method and form. */
  readonly #forms = new Map<string, string>();

  /**
   * Adds a template, as `parseTemplate` takes it, and the value to which it leads with a method.
   *
   * @throws Error when the template is wrong, or another of the same method matches the same paths with the same precedence.
   */
  add(template: string, method: string, value: Value): void {
    const segments = parseTemplate(template);
    for (const form of formsOf(segments)) {
      const other = this.#forms.get(`${method} ${form}`);
      if (other) throw new Error(`Path templates "${other}" and "${template}" match the same paths for ${method}`);
      this.#forms.set(`${method} ${form}`, template);
    }
    const known = this.#candidates.find((candidate) => candidate.template === template);
    if (known) {
      known.values.set(method, value);
      return;
    }
    const precedence = segments.map(precedenceOf).join('\n');
    this.#candidates.push({ template, precedence, segments, values: new Map([[method, value]]) });
    this.#candidates.sort((one, other) => (one.precedence < other.precedence ? -1 : 1));
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
    const texts = textsIn(path);
    if (texts.includes('')) return [];
    const allowed: string[] = [];
    for (const { segments, values } of this.#candidates) {
      const parameters = match(segments, texts);
      if (!parameters) continue;
      const value = values.get(method);
      if (value !== undefined) return { value, parameters };
      allowed.push(...values.keys());
    }
    return Array.from(new Set(allowed)).sort();
  }
}

interface Candidate<Value> {
  readonly template: string;
  /** In alphabetical order, the more specific comes first. */
  readonly precedence: string;
  readonly segments: readonly Segment[];
  readonly values: Map<string, Value>;
}

/** Segments of the same precedence match the same text. */
function precedenceOf(segment: Segment): string {
  if (segment.kind === 'static') return `1${segment.text}`;
  const rank = (segment.kind === 'wildcard' ? 5 : 3) - (segment.constraint === '' ? 0 : 1);
  return rank + segment.constraint;
}

/**
 * A template's ranks, with each number of segments that it may match. Two templates with a form in common match the same paths
 * with the same precedence: which one was found would be chance.
 */
function formsOf(segments: readonly Segment[]): string[] {
  const precedences = segments.map(precedenceOf);
  const ranks = precedences.map((precedence) => precedence[0]).join('');
  const required = segments.filter((segment) => segment.kind === 'static' || !segment.optional).length;
  const lengths = Array.from({ length: segments.length - required + 1 }, (_, left) => required + left);
  return lengths.map((length) => [ranks, ...precedences.slice(0, length)].join('\n'));
}

function textsIn(path: string): readonly string[] {
  const texts = path.split('/');
  if (texts[0] === '') texts.shift();
  if (texts.at(-1) === '') texts.pop();
  return path.includes('%') ? texts.map(decodeSegment) : texts;
}

/** Matches the segments of a path: gives the parameters, undefined if they don't match. */
function match(segments: readonly Segment[], texts: readonly string[]): Match<unknown>['parameters'] | undefined {
  if (texts.length > segments.length && segments.at(-1)?.kind !== 'wildcard') return undefined;
  const parameters: Record<string, string | undefined> = {};
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index] as Segment;
    const text = texts[index];
    if (segment.kind === 'static') {
      if (text?.toLowerCase() !== segment.text) return undefined;
    } else if (text === undefined) {
      if (!segment.optional) return undefined;
      parameters[segment.name] = segment.default;
    } else {
      const sent = segment.kind === 'wildcard' ? texts.slice(index).join('/') : text;
      for (const isSatisfied of segment.constraints) if (!isSatisfied(sent)) return undefined;
      parameters[segment.name] = sent;
    }
  }
  return parameters;
}
