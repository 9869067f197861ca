import { decodeSegment } from '../http/percent-encoding.js';
import { parseTemplate, type Segment } from './template.js';

export interface Entry<Value> {
  readonly template: string;
  readonly method: string;
  readonly value: Value;
}

export interface Match<Value> {
  readonly value: Value;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/**
 * @param path - Percent-encoded. Each segment is decoded once, so `%2F` never separates. One slash at the start and
 * one at the end are dropped; `//` matches nothing.
 * @returns The match, or else the methods of the templates that match the path, in alphabetical order.
 */
export type Find<Value> = (method: string, path: string) => Match<Value> | readonly string[];

/**
 * Static segments go before constrained parameters, those before plain ones, and those before wildcards, segment by
 * segment from the left.
 *
 * @param entries - In any order.
 * @throws Error if a template is wrong, or another of the same method matches the same paths with the same precedence.
 */
export function createRouter<Value>(entries: readonly Entry<Value>[]): Find<Value> {
  const candidates = new Map<string, Candidate<Value>>();
  for (const { template, method, value } of entries) {
    const candidate = candidates.get(template) ?? candidateOf<Value>(template);
    for (const [other, { segments, values }] of candidates)
      if (values.has(method) && isAlike(segments, candidate.segments))
        throw new Error(`Path templates "${other}" and "${template}" match the same paths for ${method}`);
    candidate.values.set(method, value);
    candidates.set(template, candidate);
  }
  const sorted = [...candidates.values()].sort((one, other) => (one.precedence < other.precedence ? -1 : 1));

  return (method, path) => {
    const texts = textsIn(path);
    if (texts.includes('')) return [];
    const allowed: string[] = [];
    for (const { segments, values } of sorted) {
      const parameters = match(segments, texts);
      if (!parameters) continue;
      const value = values.get(method);
      if (value !== undefined) return { value, parameters };
      allowed.push(...values.keys());
    }
    return Array.from(new Set(allowed)).sort();
  };
}

interface Candidate<Value> {
  readonly segments: readonly Segment[];
  /** In alphabetical order, the more specific template comes first. */
  readonly precedence: string;
  readonly values: Map<string, Value>;
}

function candidateOf<Value>(template: string): Candidate<Value> {
  const segments = parseTemplate(template);
  return { segments, precedence: segments.map(({ rank, text }) => `${rank}${text}\n`).join(''), values: new Map() };
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
  const texts = path.split('/');
  if (texts[0] === '') texts.shift();
  if (texts.at(-1) === '') texts.pop();
  return path.includes('%') ? texts.map(decodeSegment) : texts;
}

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
