import { appendFileSync } from 'node:fs';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from './answer.js';

/** Compares an answer with the description documents of its service. */
export type MatchesDocument = (method: string, path: string, answer: Answer) => Answer;

// biome-ignore lint/suspicious/noExplicitAny: in the documents' own types, each operation has another type.
type Described = any;

/**
 * Makes the function that checks that an answer is as both description documents promise: status, header fields, media type and
 * content.
 *
 * @returns The function. It takes the method that was called, the path without a prefix, and the answer, which it returns. It
 * throws an error that names what does not match. An answer to HEAD must match GET's, without the content. If the documents
 * don't have the path, the answer is not checked.
 */
export function createMatcher(swagger: object, openApi: object): MatchesDocument {
  const documents = [
    { document: swagger as Described, ajv: new Ajv({ strict: false, allErrors: true }) },
    { document: openApi as Described, ajv: new Ajv2020({ strict: false, allErrors: true }) },
  ];
  for (const { document, ajv } of documents) addFormats.default(ajv).addSchema(asJsonSchema(document), 'document');
  return (method, path, answer) => {
    for (const { document, ajv } of documents) check(document, ajv, method, path, answer);
    return answer;
  };
}

function check({ paths, swagger }: Described, ajv: Ajv, method: string, path: string, answer: Answer): void {
  const template = Object.keys(paths).find((template) => matches(template, path)) ?? '';
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = paths[template]?.[name];
  if (!operation || method !== method.toUpperCase()) return;
  const response = operation.responses[answer.status];
  const at = ['paths', template, name, 'responses', String(answer.status)];
  const wrong = response
    ? [...wrongHeaders(response, answer), ...wrongContent(operation, response, ajv, at, method, answer)]
    : ['there is no such status'];
  if (wrong.length > 0) {
    const label = `${method} ${path}, ${answer.status}: the document of ${swagger ? 'Swagger 2.0' : 'OpenAPI 3.1'}`;
    throw new Error(`${label} promises otherwise: ${wrong.join('; ')}\n${answer.text.slice(0, 500)}`);
  }
  if (method !== 'HEAD') remember(`${operation.operationId} ${answer.status}`);
}

/** Templates match in any letter case, escaped or not, with or without a slash at the end (rule 1). */
function matches(template: string, path: string): boolean {
  const [route = ''] = path.split('?');
  const plain = route.replace(/%(?!2f)([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return new RegExp(`^${template.replace(/{\w+}/g, '[^/]+')}/?$`, 'i').test(plain);
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

function wrongContent(
  { produces }: Described,
  { content, schema }: Described,
  ajv: Ajv,
  at: readonly string[],
  method: string,
  { status, headers, text, json }: Answer,
): string[] {
  const isDescribed = content || schema;
  if ((method === 'HEAD' || !isDescribed) && text !== '') return ['there is content'];
  if (!isDescribed) return [];
  const types: string[] = content ? Object.keys(content) : status < 400 ? produces : ['application/problem+json'];
  const [, type = '', charset] = /^([^;]*)(; charset=utf-8)?$/.exec(headers['content-type'] ?? '') ?? [];
  if (!types.includes(type) || (charset === undefined) !== status >= 400)
    return [`the media type is ${headers['content-type']}`];
  if (method === 'HEAD') return [];
  const pointer = [...at, ...(content ? ['content', type] : []), 'schema'].map((name) => name.replaceAll('/', '~1'));
  const validate = ajv.getSchema(`document#/${pointer.map(encodeURIComponent).join('/')}`);
  return validate?.(json) ? [] : [JSON.stringify(validate?.errors)];
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
  return JSON.parse(JSON.stringify(document), (_name, value) => {
    if (value?.exclusiveMinimum === true) {
      value.exclusiveMinimum = value.minimum;
      delete value.minimum;
    }
    return value?.['x-nullable'] ? { anyOf: [value, { type: 'null' }] } : value;
  });
}
