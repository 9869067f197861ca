import { appendFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import document from '../../docs/swagger.json';
import type { Answer } from './answer.js';

// biome-ignore lint/suspicious/noExplicitAny: the document's own type has a member for each path, and no common one.
const paths: Record<string, Record<string, any>> = document.paths;
const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
ajv.addSchema(document, 'document');
/** By the text of a promised schema: compiling takes longer than a hundred calls. */
const validators = new Map<string, ValidateFunction>();
const seen = new Set<string>();

/**
 * Checks an answer against what the description document promises: status, header fields, media type and content.
 *
 * @param method - The method called; HEAD is promised what GET is, without the content.
 * @param path - The path called, without a prefix. One that the document doesn't have is promised nothing.
 * @param answer - What came back.
 * @returns The same answer.
 * @throws Error naming what is not as promised.
 */
export function promised(method: string, path: string, answer: Answer): Answer {
  const described = describedPath(path);
  const operation = paths[described]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!operation || method !== method.toUpperCase()) return answer;
  const subject = `${method} ${path}, ${answer.status}:`;
  const response = operation.responses[answer.status];
  if (!response) throw new Error(`${subject} the document does not promise this status`);
  const wrong = [...wrongHeaders(response, answer), ...wrongContent(method, operation, response, answer)];
  if (wrong.length > 0)
    throw new Error(`${subject} not as the document promises: ${wrong.join('; ')}\n${answer.text.slice(0, 500)}`);
  if (method !== 'HEAD') remember(`${operation.operationId} ${answer.status}`);
  return answer;
}

function describedPath(path: string): string {
  const plain = (path.split('?')[0] as string).replace(/\/$/, '').replace(/^\/(%61|a)pi\/(%54|t)odo/i, '/api/todo');
  return plain.replace(/^\/api\/todo\/[^/]+$/, '/api/todo/{id}');
}

function wrongHeaders(response: { headers?: object }, { headers }: Answer): string[] {
  const promisedHeaders = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  return ['etag', 'link', 'location', 'retry-after']
    .filter(
      (name) =>
        promisedHeaders.includes(name) !== name in headers && !(name === 'link' && promisedHeaders.includes(name)),
    )
    .map((name) => `the header field ${name} is ${headers[name]}`);
}

function wrongContent(
  method: string,
  operation: { produces: string[] },
  response: { schema?: object },
  answer: Answer,
): string[] {
  const type = answer.headers['content-type'];
  if (!response.schema) return answer.text === '' ? [] : ['there is content'];
  const types =
    answer.status < 400 ? operation.produces.map((name) => `${name}; charset=utf-8`) : ['application/problem+json'];
  if (type === undefined || !types.includes(type)) return [`the media type is ${type}`];
  if (method === 'HEAD') return answer.text === '' ? [] : ['there is content'];
  const validate = validatorOf(response.schema);
  return validate(answer.json) ? [] : [ajv.errorsText(validate.errors)];
}

function validatorOf(promisedSchema: object): ValidateFunction {
  const schema = JSON.stringify(promisedSchema).replaceAll('#/', 'document#/');
  const validate = validators.get(schema) ?? ajv.compile(JSON.parse(schema));
  validators.set(schema, validate);
  return validate;
}

/** The run's end compares what was answered with all that is promised. */
function remember(line: string): void {
  if (seen.has(line) || !process.env.ANSWERS_FILE) return;
  seen.add(line);
  appendFileSync(process.env.ANSWERS_FILE, `${line}\n`);
}
