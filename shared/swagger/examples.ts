import { STATUS_CODES } from 'node:http';
import type { DescribedResponse, Document, Operation } from './described.js';

/**
 * Gives each problem that the document describes without an example one that could be real.
 *
 * @param document - The description document.
 * @returns The document with `examples`, as Swagger 2.0 has them, by media type.
 */
export function withExamples<D extends Document>(document: D): D {
  return { ...document, paths: map(document.paths, (operations) => map(operations, describe)) };
}

function describe(operation: Operation): Operation {
  return { ...operation, responses: map(operation.responses, (response, status) => add(response, status, operation)) };
}

function add(response: DescribedResponse, status: string, operation: Operation): DescribedResponse {
  if (response.examples || Number(status) < 400) return response;
  const problem = {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status: Number(status),
    // What went wrong inside is not told.
    detail: status === '500' ? undefined : (DETAILS[status] ?? response.description),
    requestId: '6f9b1e93-796e-491b-843f-d5c22bb3e716',
    ...(status === '400' && wrong(operation)),
  };
  return { ...response, examples: { 'application/problem+json': problem } };
}

/** As the service says it of whatever the operation takes. */
function wrong({ parameters }: Operation): object {
  if (parameters.some((parameter) => parameter.in === 'body')) {
    const detail = 'Must be a string with at least one character that is not white space, not a blank one.';
    return {
      detail: 'The body is no valid to-do item: "errors" says why, member by member.',
      errors: [{ pointer: '#/name', detail }],
    };
  }
  if (!parameters.some((parameter) => parameter.in === 'query')) {
    return { detail: 'If-Match is no list of entity tags: entity tags are quoted, as in "1".' };
  }
  return {
    detail: 'The query is wrong: "errors" says why, parameter by parameter.',
    errors: [{ parameter: 'limit', detail: 'Must be an integer from 1 to 1000.' }],
  };
}

const DETAILS: Readonly<Record<string, string>> = {
  403: 'A page of another origin sent this, and only pages of origins known here may write.',
  404: 'No to-do item has this key. Listing the items shows the keys there are.',
  412: 'The item is not at a version that If-Match or If-None-Match admits. Get it and try again.',
  413: 'The item is larger than one may be. Shorten its name.',
  415: 'The body is sent as text/plain. Send it as application/json, text/json, or a type that ends in +json.',
  503: 'The collection can not be reached just now. Try again, but look first whether a change was made.',
  507: 'The list has no room left for the item. Shorten its name, or delete other items first.',
};

function map<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
