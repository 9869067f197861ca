import { decodeSegment } from '../http/request.js';
import { type Parameter, parseTemplate, type Segment } from './template.js';

/** The path parameters of a match, by name, decoded. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** What a path led to, and with which parameters. */
export interface Match<Value> {
  readonly value: Value;
  readonly parameters: Parameters;
}

/** Finds the template that a path matches, in time that depends on the path and not on the number of templates. */
export class TemplateTree<Value> {
  readonly #root = new Node<Value>();
  /** The nodes that literals alone lead to, by their path as it is mostly spelled: they match before all others. */
  readonly #literal = new Map<string, Node<Value>>();

  /**
   * Adds a template.
   *
   * @param template - As `parseTemplate` takes it.
   * @param method - The method that leads to the value.
   * @param value - What a match gives.
   * @throws Error when the template is wrong, or another of the same method matches the same paths no less precisely.
   */
  add(template: string, method: string, value: Value): void {
    const segments = parseTemplate(template);
    const parameters = segments.filter((segment) => segment.kind !== 'literal');
    const end = {
      template,
      parameters,
      precedence: segments.map(precedence).join(''),
      match: { value, parameters: NO_PARAMETERS },
    };
    let node = this.#root;
    let path: string | undefined = '';
    for (const segment of segments) {
      if (segment.kind !== 'literal' && segment.omissible) node.addEnd(method, end);
      node = node.below(segment);
      path =
        segment.kind === 'literal' && !segment.text.includes('%') && path !== undefined
          ? `${path}/${segment.text}`
          : undefined;
      if (path !== undefined) this.#literal.set(path, node);
    }
    node.addEnd(method, end);
  }

  /**
   * Finds the value for a path. Where templates overlap, literals go before constrained parameters, those before plain
   * ones and those before catch-alls, segment by segment from the left.
   *
   * @param method - Templates of other methods don't match.
   * @param path - Percent-encoded: each segment is decoded by itself and once, so that `%2F` never separates. One slash
   * in front and one at the end are dropped (specification, Endpoints, rule 7); a doubled one matches nothing.
   * @returns The match; where there is none, the methods of the templates that the path matches, in alphabetical order.
   */
  find(method: string, path: string): Match<Value> | readonly string[] {
    const start = path.startsWith('/') ? 1 : 0;
    const quick = this.#findBelowLiterals(method, path);
    if (quick) return quick;
    const others: string[] = [];
    const found = this.#root.find(path, start, method, 0, others);
    return found ?? (others.length > 1 ? Array.from(new Set(others)).sort() : others);
  }

  /** Nearly all paths are that of a literal template, or have one parameter behind literals. */
  #findBelowLiterals(method: string, path: string): Match<Value> | undefined {
    const whole = this.#literal.get(path);
    if (whole) return whole.end(method);
    const slash = path.lastIndexOf('/');
    return this.#literal.get(path.slice(0, slash))?.find(path, slash + 1, method, 0);
  }
}

const NO_PARAMETERS: Parameters = Object.freeze({});

/** A template that may end at a node, whatever segments it has beyond left out. */
interface End<Value> {
  readonly template: string;
  readonly parameters: readonly Parameter[];
  readonly precedence: string;
  readonly match: Match<Value>;
}

/** A match in the making: parameters are filled in on the way back. */
interface Found<Value> extends Match<Value> {
  readonly declared: readonly Parameter[];
  readonly parameters: Record<string, string | undefined>;
}

/** A parameter, and the node that it leads to. Parameters of the same order match the same segments. */
interface Branch<Value> {
  readonly order: string;
  readonly parameter: Parameter;
  readonly node: Node<Value>;
}

class Node<Value> {
  readonly #literals = new Map<string, Node<Value>>();
  readonly #branches: Branch<Value>[] = [];
  readonly #ends = new Map<string, End<Value>>();

  below(segment: Segment): Node<Value> {
    if (segment.kind !== 'literal') return this.#branch(segment);
    const node = this.#literals.get(segment.text) ?? new Node<Value>();
    this.#literals.set(segment.text, node);
    return node;
  }

  #branch(parameter: Parameter): Node<Value> {
    const order = precedence(parameter) + parameter.constraint;
    const known = this.#branches.find((branch) => branch.order === order);
    if (known) return known.node;
    const node = new Node<Value>();
    const place = this.#branches.filter((branch) => branch.order < order).length;
    this.#branches.splice(place, 0, { order, parameter, node });
    return node;
  }

  addEnd(method: string, end: End<Value>): void {
    const other = this.#ends.get(method);
    if (other?.precedence === end.precedence) {
      throw new Error(`Path templates "${other.template}" and "${end.template}" match the same paths for ${method}`);
    }
    if (!other || end.precedence < other.precedence) this.#ends.set(method, end);
  }

  /** Matches a path that ends here, behind literals alone. */
  end(method: string): Match<Value> | undefined {
    const end = this.#ends.get(method);
    return end?.parameters.length === 0 ? end.match : end && foundAt(end, 0);
  }

  /**
   * Visits what matches the path from `start` on, the most precise first, until there is the method. `filled` counts the
   * parameters on the way there; other methods on the way are added to those given.
   */
  find(path: string, start: number, method: string, filled: number, others?: string[]): Found<Value> | undefined {
    if (start >= path.length) {
      const end = this.#ends.get(method);
      if (end) return foundAt(end, filled);
      others?.push(...this.#ends.keys());
      return undefined;
    }
    const slash = path.indexOf('/', start);
    const stop = slash < 0 ? path.length : slash;
    const found = this.#literal(path, start, stop)?.find(path, stop + 1, method, filled, others);
    if (found) return found;
    for (const { parameter, node } of this.#branches) {
      const last = parameter.kind === 'catch-all' ? path.length : stop;
      const text = last === stop ? decodeOne(path.slice(start, stop)) : decodeAll(path.slice(start));
      if (text === undefined || !satisfies(text, parameter)) continue;
      const found = node.find(path, last + 1, method, filled + 1, others);
      if (!found) continue;
      found.parameters[(found.declared[filled] as Parameter).name] = text;
      return found;
    }
    return undefined;
  }

  #literal(path: string, start: number, stop: number): Node<Value> | undefined {
    if (this.#literals.size === 0) return undefined;
    return this.#literals.get(decodeSegment(path.slice(start, stop)).toLowerCase());
  }
}

function foundAt<Value>({ match, parameters: declared }: End<Value>, filled: number): Found<Value> {
  const parameters: Record<string, string | undefined> = {};
  for (let index = filled; index < declared.length; index += 1) {
    const { name, default: omitted } = declared[index] as Parameter;
    parameters[name] = omitted;
  }
  return { value: match.value, parameters, declared };
}

/** An empty segment comes of a doubled slash, which nothing matches. */
function decodeOne(segment: string): string | undefined {
  return segment === '' ? undefined : decodeSegment(segment);
}

function decodeAll(path: string): string | undefined {
  const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  return segments.includes('') ? undefined : segments.map(decodeSegment).join('/');
}

function satisfies(text: string, { constraints }: Parameter): boolean {
  for (const constraint of constraints) if (!constraint(text)) return false;
  return true;
}

/** The lower of two goes first: a literal, a constrained parameter, a plain one, a constrained catch-all, a plain one. */
function precedence(segment: Segment): string {
  if (segment.kind === 'literal') return '1';
  return String((segment.kind === 'catch-all' ? 5 : 3) - (segment.constraints.length > 0 ? 1 : 0));
}
