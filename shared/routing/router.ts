import { decodeSegment } from '../http/percent-encoding.js';
import { parseTemplate, type Segment } from './template.js';

export interface Match<Value> {
  readonly value: Value;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

export class Router<Value> {
  readonly #candidates: Candidate<Value>[] = [];

  /**
   * @throws Error if the template is wrong, or another of the same method matches the same paths with the same
   * precedence.
   */
  add(template: string, method: string, value: Value): void {
    const known = this.#candidates.find((candidate) => candidate.template === template);
    const segments = known?.segments ?? parseTemplate(template);
    const precedence = precedenceOf(segments);
    let place = 0;
    for (const other of this.#candidates) {
      if (other.values.has(method) && isAlike(segments, other.segments))
        throw new Error(`Path templates "${other.template}" and "${template}" match the same paths for ${method}`);
      if (other.precedence <= precedence) place += 1;
    }
    if (known) known.values.set(method, value);
    else this.#candidates.splice(place, 0, { template, precedence, segments, values: new Map([[method, value]]) });
  }

  /**
   * Static segments go before constrained parameters, those before plain ones, and those before wildcards, segment by
   * segment from the left (rule 2).
   *
   * @param path - Percent-encoded. Each segment is decoded once, so `%2F` never separates. One slash at the start and
   * one at the end are dropped (rule 1); `//` matches nothing.
   * @returns The match, or else the methods of the templates that match the path, in alphabetical order.
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
  /** In alphabetical order, the more specific template comes first. */
  readonly precedence: string;
  readonly segments: readonly Segment[];
  readonly values: Map<string, Value>;
}

function precedenceOf(segments: readonly Segment[]): string {
  let precedence = '';
  for (const { rank, text } of segments) precedence += `${rank}${text}\n`;
  return precedence;
}

/**
 * Whether two templates match the same paths, and neither is more specific. A path may end before optional segments.
 */
function isAlike(segments: readonly Segment[], others: readonly Segment[]): boolean {
  if (segments.length !== others.length) return false;
  for (let index = 0; index < segments.length; index += 1) {
    const one = segments[index] as Segment;
    const other = others[index] as Segment;
    if (one.rank !== other.rank) return false;
    if (one.text !== other.text && !(one.optional && other.optional)) return false;
  }
  return true;
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
