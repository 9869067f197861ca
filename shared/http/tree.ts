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
    const end = { template, segments, precedence: segments.map(precedence).join(''), value };
    let node = this.#root;
    for (const segment of segments) {
      if (segment.kind !== 'literal' && segment.omissible) node.addEnd(method, end);
      node = node.below(segment);
    }
    node.addEnd(method, end);
  }

  /**
   * Finds the value for a path. Where templates overlap, literals go before constrained parameters, those before plain
   * ones and those before catch-alls, segment by segment from the left.
   *
   * @param method - Templates of other methods don't match.
   * @param path - The decoded segments.
   * @returns The match, or undefined.
   */
  find(method: string, path: readonly string[]): Match<Value> | undefined {
    const end = this.#root.find(path, 0, method);
    return end && { value: end.value, parameters: parametersOf(end, path) };
  }

  /**
   * Lists the methods of all templates that a path matches.
   *
   * @param path - The decoded segments.
   * @returns The methods in alphabetical order, none when nothing matches.
   */
  methods(path: readonly string[]): string[] {
    const methods = new Set<string>();
    this.#root.find(path, 0, ANY, methods);
    return [...methods].sort();
  }
}

/** A template that may end at a node, whatever segments it has beyond left out. */
interface End<Value> {
  readonly template: string;
  readonly segments: readonly Segment[];
  readonly precedence: string;
  readonly value: Value;
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

  /** Visits what matches, the most precise first, until there is the method; methods on the way go into the set. */
  find(path: readonly string[], depth: number, method: string, methods?: Set<string>): End<Value> | undefined {
    const segment = path[depth];
    if (segment === undefined) {
      if (methods) for (const found of this.#ends.keys()) methods.add(found);
      return this.#ends.get(method);
    }
    if (this.#literals.size > 0) {
      const end = this.#literals.get(segment.toLowerCase())?.find(path, depth + 1, method, methods);
      if (end) return end;
    }
    for (const { parameter, node } of this.#branches) {
      const last = parameter.kind === 'catch-all' ? path.length : depth + 1;
      if (!accepts(parameter, path, depth, last)) continue;
      const end = node.find(path, last, method, methods);
      if (end) return end;
    }
    return undefined;
  }
}

/** No method, so that the search goes on to the end. */
const ANY = '';

/** An empty segment comes of a doubled slash, which nothing matches. */
function accepts({ constraints }: Parameter, path: readonly string[], start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (path[index] === '') return false;
  if (constraints.length === 0) return true;
  const text = path.slice(start, end).join('/');
  return constraints.every((constraint) => constraint(text));
}

/** The lower of two goes first: a literal, a constrained parameter, a plain one, a constrained catch-all, a plain one. */
function precedence(segment: Segment): string {
  if (segment.kind === 'literal') return '1';
  return String((segment.kind === 'catch-all' ? 5 : 3) - (segment.constraints.length > 0 ? 1 : 0));
}

function parametersOf({ segments }: End<unknown>, path: readonly string[]): Parameters {
  const parameters: Record<string, string | undefined> = {};
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index] as Segment;
    if (segment.kind === 'literal') continue;
    const sent = segment.kind === 'catch-all' ? path.slice(index).join('/') : path[index];
    parameters[segment.name] = sent || segment.default;
  }
  return parameters;
}
