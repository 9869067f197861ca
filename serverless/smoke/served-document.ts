import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer, Client, Sent } from './client.js';
import { expectThat, Fault, shown } from './said.js';

// biome-ignore lint/suspicious/noExplicitAny: in the document's own types, each operation has another type.
type Described = any;

type Place = 'list' | 'item';

/** The stage's own document about the resource that is tried. Answers have to match it. */
export class ServedDocument {
  /** The path of the list. */
  readonly list: string;
  /** A body that creates an item. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The first member of the example that is a text. */
  readonly text: string;
  /** The paths of the list and of an item, and their operations by method. */
  readonly #places: Readonly<Record<Place, { readonly template: string; readonly operations: Described }>>;
  readonly #ajv = addFormats.default(new Ajv({ strict: false, validateSchema: false }));

  /**
   * @param content - In the format of OpenAPI 3.1.
   * @throws Fault if it describes no POST with an example.
   */
  constructor(
    readonly client: Client,
    readonly content: Described,
  ) {
    const paths = Object.entries<Described>(content.paths ?? {});
    const [list, collection] = paths.find(([path]) => !path.includes('{')) ?? [];
    const example = collection?.post?.requestBody?.content?.['application/json']?.example ?? {};
    const text = Object.keys(example).find((name) => typeof example[name] === 'string');
    if (list === undefined || text === undefined)
      throw new Fault('The document has no POST with an example that has a text, so there is nothing to try.');
    const [template = '', operations = {}] = paths.find(([path]) => path.startsWith(`${list}/{`)) ?? [];
    this.list = list;
    this.example = example;
    this.text = text;
    this.#places = { list: { template: list, operations: collection }, item: { template, operations } };
    this.#ajv.addSchema(content, 'document');
  }

  methodsOf(place: Place): readonly string[] {
    return Object.keys(this.#places[place].operations).map((method) => method.toUpperCase());
  }

  get queryParameters(): readonly string[] {
    const { parameters } = this.#places.list.operations.get;
    return parameters.filter((parameter: Described) => parameter.in === 'query').map(({ name }: Described) => name);
  }

  /** The needs, for example `GET list after`, that it does not describe. */
  missing(needs: readonly string[]): readonly string[] {
    return needs.filter((need) => {
      const [method, place, parameter] = need.split(' ') as [string, Place, string?];
      const operation = this.#places[place].operations[method.toLowerCase()];
      return !(parameter ? operation?.parameters?.some(({ name }: Described) => name === parameter) : operation);
    });
  }

  /**
   * Sends a request, and expects an answer as the document describes it.
   *
   * @param expected - The status; for a problem, with its code.
   * @throws Fault with what came instead.
   */
  async ask(method: string, path: string, expected: string, sent: Sent = {}): Promise<Answer> {
    return this.expect(await this.client.call(method, path, sent), method, path, expected);
  }

  expect(answer: Answer, method: string, path: string, expected: string): Answer {
    const { status, headers, text, json, told } = answer;
    const [wanted, code] = expected.split(' ');
    const isWanted = String(status) === wanted && (code === undefined || json.code === code);
    expectThat(isWanted, `${told} instead of ${expected}.`);
    const caching = headers.get('cache-control');
    expectThat(
      /no-store|private, no-cache/.test(String(caching)),
      `${told}, and caches may keep it (${shown(caching)}).`,
    );
    expectThat(headers.get('x-content-type-options') === 'nosniff', `${told} without nosniff.`);
    const { template, operations } = this.#places[path.startsWith(`${this.list}/`) ? 'item' : 'list'];
    const response = operations[method.toLowerCase()]?.responses[status];
    if (!response) return answer;
    for (const [name, { required }] of Object.entries<Described>(response.headers ?? {}))
      expectThat(headers.has(name) || !required, `${told} without ${name}.`);
    const [type] = Object.keys(response.content ?? {});
    if (type === undefined) {
      expectThat(text === '', `${told} with the content ${shown(text)}.`);
      return answer;
    }
    const actual = headers.get('content-type')?.split(';', 1)[0];
    expectThat(actual === type, `${told} as ${shown(actual)} instead of ${type}.`);
    const pointer = ['paths', template, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
    this.#expectValid(answer, pointer);
    return answer;
  }

  #expectValid({ json, text, told }: Answer, pointer: readonly (string | number)[]): void {
    const fragment = pointer.map((name) => encodeURIComponent(String(name).replaceAll('/', '~1'))).join('/');
    try {
      if (this.#ajv.validate(`document#/${fragment}`, json)) return;
    } catch (error) {
      throw new Fault(`The document is not whole (${shown((error as Error).message)}).`);
    }
    throw new Fault(
      `${told} with ${shown(text)}, but ${shown(this.#ajv.errorsText(this.#ajv.errors, { dataVar: 'it' }))}.`,
    );
  }
}
