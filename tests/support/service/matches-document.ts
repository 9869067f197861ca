import { appendFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { memberOf } from '../../../shared/schema/parse.js';
import type { Answer } from './answer.js';

// biome-ignore lint/suspicious/noExplicitAny: in the document's own type, each operation has another type.
type Operation = any;
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** What is looked up in a description document for an answer. */
interface Document {
  readonly name: string;
  readonly paths: Paths;
  /** The schema of an answer's content, by media type. */
  contentOf(operation: Operation, status: number): Readonly<Record<string, object>>;
  /** The schema of a request's body. */
  bodyOf(operation: Operation): { readonly properties: object } | undefined;
  validatorOf(schema: object): ValidateFunction;
}

/** Compares an answer with the description documents of its service. */
export type MatchesDocument = (method: string, path: string, answer: Answer, sent?: string) => Answer;

/** The two description documents of a service, as objects. */
interface Documents {
  readonly swagger: { readonly paths: object };
  readonly openApi: { readonly paths: object; readonly components: { readonly schemas: object } };
}

/**
 * Makes the function that checks that an answer is as both description documents promise: status, header fields, media type and
 * content; and that they allow the body that was sent if the service took it.
 *
 * @returns The function. It takes the method that was called, the path without a prefix, the answer, and the body that was sent,
 * if there was one. It returns the answer, and throws an error that names what does not match. An answer to HEAD must match
 * GET's, without the content. If the documents don't have the path, the answer is not checked.
 */
export function createMatcher({ swagger, openApi }: Documents): MatchesDocument {
  const operations = Object.values(swagger.paths as Paths).flatMap((methods) => Object.values(methods));
  const promised = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `promised ${operationId} ${status}`),
  );
  const schemas = Object.entries<{ readonly properties: object }>(openApi.components.schemas as never);
  const documents: readonly Document[] = [
    {
      name: 'the Swagger 2.0 document',
      paths: swagger.paths as Paths,
      contentOf({ produces, responses }, status) {
        const { schema } = responses[status];
        const types: string[] = status < 400 ? produces : ['application/problem+json'];
        return schema ? Object.fromEntries(types.map((type) => [type, schema])) : {};
      },
      // It gives the key a type, which POST ignores, because PUT has the same definition.
      bodyOf: () => undefined,
      validatorOf: validators(new Ajv({ strict: false, allErrors: true }), swagger),
    },
    {
      name: 'the OpenAPI 3.1 document',
      paths: openApi.paths as Paths,
      contentOf({ responses }, status) {
        const content = Object.entries<{ schema: object }>(responses[status].content ?? {});
        return Object.fromEntries(content.map(([type, { schema }]) => [type, schema]));
      },
      bodyOf({ requestBody }) {
        const { $ref } = requestBody?.content['application/json'].schema ?? {};
        return schemas.find(([name]) => $ref?.endsWith(`/${name}`))?.[1];
      },
      validatorOf: validators(new Ajv2020({ strict: false, allErrors: true }), openApi),
    },
  ];
  return (method, path, answer, sent) => {
    for (const line of promised.splice(0)) remember(line);
    for (const document of documents) check(document, method, path, answer, sent);
    return answer;
  };
}

function check(document: Document, method: string, path: string, answer: Answer, sent: string | undefined): void {
  const operation = describedPath(path, document)?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!operation || method !== method.toUpperCase()) return;
  const label = `${method} ${path}, ${answer.status}: ${document.name}`;
  const response = operation.responses[answer.status];
  if (!response) throw new Error(`${label} does not promise this status`);
  const wrong = [
    ...wrongHeaders(response, answer),
    ...wrongContent(document, method, operation, answer),
    ...(answer.status < 300 && sent ? wrongBody(document, operation, sent) : []),
  ];
  if (wrong.length > 0)
    throw new Error(`${label} promises otherwise: ${wrong.join('; ')}\n${answer.text.slice(0, 500)}`);
  if (method !== 'HEAD') remember(`${operation.operationId} ${answer.status}`);
}

/** Templates match in any letter case, escaped or not, with or without a slash at the end (rule 1). */
function describedPath(path: string, { paths }: Document): Record<string, Operation> | undefined {
  const [route = ''] = path.split('?');
  const plain = route.replace(/%(?!2f)([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const matches = (template: string) => new RegExp(`^${template.replace(/{\w+}/g, '[^/]+')}/?$`, 'i').test(plain);
  return Object.entries(paths).find(([template]) => matches(template))?.[1];
}

/** OpenAPI 3.1 says which header fields an answer must have. Swagger 2.0 does not: there, only Link may be missing. */
function wrongHeaders(response: { headers?: Record<string, { required?: boolean }> }, { headers }: Answer): string[] {
  const fields = new Map(Object.entries(response.headers ?? {}).map(([name, field]) => [name.toLowerCase(), field]));
  return ['etag', 'link', 'location', 'retry-after', 'www-authenticate']
    .filter((name) => {
      const field = fields.get(name);
      if (!field) return name in headers;
      return (field.required ?? !['link', 'www-authenticate'].includes(name)) && !(name in headers);
    })
    .map((name) => `the header field ${name} is ${headers[name]}`);
}

function wrongContent(document: Document, method: string, operation: Operation, answer: Answer): string[] {
  const content = document.contentOf(operation, answer.status);
  const isEmpty = method === 'HEAD' || Object.keys(content).length === 0;
  if (isEmpty && answer.text !== '') return ['there is content'];
  if (Object.keys(content).length === 0) return [];
  const [, type = '', charset] = /^([^;]*)(; charset=utf-8)?$/.exec(answer.headers['content-type'] ?? '') ?? [];
  const schema = content[type];
  if (!schema || (charset === undefined) !== answer.status >= 400)
    return [`the media type is ${answer.headers['content-type']}`];
  if (isEmpty) return [];
  const validate = document.validatorOf(schema);
  return validate(answer.json) ? [] : [JSON.stringify(validate.errors)];
}

/** The service finds members in any letter case (rule 8), which schemas can't say. */
function wrongBody(document: Document, operation: Operation, sent: string): string[] {
  const schema = document.bodyOf(operation);
  if (!schema) return [];
  const body = JSON.parse(sent.replace(/^\ufeff/, ''));
  const found = Object.keys(schema.properties).map((name) => [name, memberOf(body, name)]);
  const validate = document.validatorOf(schema);
  if (validate({ ...body, ...Object.fromEntries(found.filter(([, value]) => value !== undefined)) })) return [];
  return [`it took a body that is not allowed: ${JSON.stringify(validate.errors)}`];
}

/** Keeps validators by the text of their schema, because compiling one takes longer than a hundred calls. */
function validators(ajv: Ajv, document: object): (schema: object) => ValidateFunction {
  addFormats.default(ajv).addSchema(asJsonSchema(document), 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (declared) => {
    const schema = JSON.stringify(declared).replaceAll('"#/', '"document#/');
    const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(schema));
    compiled.set(schema, validate);
    return validate;
  };
}

const seen = new Set<string>();

/** After the run, teardown.mjs compares the answers that were seen with those that the document has. */
function remember(line: string): void {
  if (seen.has(line) || !process.env.ANSWERS_FILE) return;
  seen.add(line);
  appendFileSync(process.env.ANSWERS_FILE, `${line}\n`);
}

/**
 * Rewrites a Swagger 2.0 document for validators of JSON Schema, which don't know `x-nullable`, with which a value may also be
 * null, nor a Boolean `exclusiveMinimum`.
 */
export function asJsonSchema<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document, translate));
}

function translate(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { 'x-nullable': nullable, ...schema } = value as Record<string, unknown>;
  if (nullable) return { anyOf: [schema, { type: 'null' }] };
  if (schema.exclusiveMinimum !== true) return value;
  const { minimum, ...others } = schema;
  return { ...others, exclusiveMinimum: minimum };
}
