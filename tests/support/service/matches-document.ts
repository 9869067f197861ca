import { appendFileSync } from 'node:fs';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from './answer.js';

/** Compares an answer with the description documents of its service. */
export type MatchesDocument = (method: string, path: string, answer: Answer) => Answer;

// biome-ignore lint/suspicious/noExplicitAny: in the documents' own types, each operation has another type.
type Described = any;

/** tests/generator/documents.test.ts checks once that the schemas are valid. Here, it would take a third of a second in each file. */
const OPTIONS = { strict: false, allErrors: true, validateSchema: false };

/**
 * Makes the function that checks that an answer is as both description documents promise: status, header fields, media type and
 * content. Media types of errors, and which header fields are always there, are in OpenAPI 3.1 alone.
 *
 * @returns The function. It takes the method that was called, the path without a prefix, and the answer, which it returns. It
 * throws an error that names what does not match. An answer to HEAD must match GET's, without the content. If the documents
 * don't have the path, the answer is not checked.
 */
export function createMatcher(swagger: Described, openApi: Described): MatchesDocument {
  const ajv = addFormats.default(new Ajv(OPTIONS)).addSchema(asJsonSchema(swagger), 'document');
  const ajv2020 = addFormats.default(new Ajv2020(OPTIONS)).addSchema(openApi, 'document');
  const templates = Object.keys(openApi.paths).map((template) => [template, matching(template)] as const);
  const codes: unknown[] = openApi.components.schemas.Problem.properties.code['x-extensible-enum'];
  return (method, path, answer) => {
    const [route = ''] = path.split('?');
    const plain = route.replace(/%(?!2f)([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
    const [template = ''] = templates.find(([, expression]) => expression.test(plain)) ?? [];
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = openApi.paths[template]?.[name];
    if (!operation || method !== method.toUpperCase()) return answer;
    const { status, headers, text, json } = answer;
    const response = operation.responses[status];
    const inSwagger = swagger.paths[template][name].responses[status];
    if (!response || !inSwagger)
      throw new Error(`${method} ${path} answered ${status}, which is not described: ${text}`);
    const wrong = [response, inSwagger].flatMap((described) => wrongHeaders(described, headers));
    const { content } = response;
    if (text !== '' && (method === 'HEAD' || !content)) wrong.push('there is content');
    const type = headers['content-type']?.replace('; charset=utf-8', '');
    if (content && !content[type ?? '']) wrong.push(`the media type is ${type}`);
    if (content && method !== 'HEAD') {
      const at = ['paths', template, name, 'responses', String(status)];
      wrong.push(...errorsOf(ajv, [...at, 'schema'], json));
      wrong.push(...errorsOf(ajv2020, [...at, 'content', String(type), 'schema'], json));
      if (status >= 400 && !codes.includes(json.code)) wrong.push(`the code is ${json.code}`);
    }
    if (wrong.length > 0)
      throw new Error(
        `${method} ${path}, ${status}, is described otherwise: ${wrong.join('; ')}\n${text.slice(0, 500)}`,
      );
    if (method !== 'HEAD') remember(`${operation.operationId} ${status}`);
    return answer;
  };
}

/** Templates match in any letter case, with or without a slash at the end (rule 1). */
function matching(template: string): RegExp {
  return new RegExp(`^${template.replace(/{\w+}/g, '[^/]+')}/?$`, 'i');
}

/** Header fields that are not described, or are missing although they are always there. */
function wrongHeaders(response: Described, headers: Answer['headers']): string[] {
  const fields = Object.entries<Described>(response.headers ?? {});
  const described = new Map(fields.map(([name, { required }]) => [name.toLowerCase(), required]));
  return ['etag', 'link', 'location', 'retry-after', 'www-authenticate']
    .filter((name) => (name in headers ? !described.has(name) : described.get(name)))
    .map((name) => `the header field ${name} is ${headers[name]}`);
}

/** What is wrong with a value by a schema, which the document has at a path. */
function errorsOf(ajv: Ajv, path: readonly string[], value: unknown): string[] {
  const pointer = path.map((name) => encodeURIComponent(name.replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`document#/${pointer}`);
  return validate?.(value) ? [] : [JSON.stringify(validate?.errors)];
}

const seen = new Set<string>();

/** After the run, teardown.mjs compares the answers that were seen with those that the document has. */
function remember(line: string): void {
  if (seen.has(line) || !process.env.ANSWERS_FILE) return;
  seen.add(line);
  appendFileSync(process.env.ANSWERS_FILE, `${line}\n`);
}

/**
 * Rewrites a Swagger 2.0 document for validators of JSON Schema. They know neither `x-nullable`, which also allows null, nor a
 * Boolean `exclusiveMinimum`.
 */
export function asJsonSchema<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_name, value) => {
    if (value?.exclusiveMinimum === true) {
      value.exclusiveMinimum = value.minimum;
      delete value.minimum;
    }
    return value?.['x-nullable'] ? { anyOf: [value, { type: 'null' }] } : value;
  });
}
