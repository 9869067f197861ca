import { problem } from './problem.js';
import type { Request } from './request.js';
import type { Response } from './response.js';
import { type JsonObject, typeName } from './schema.js';

/** A body that was read, or the answer to one that can't be. */
export type ReadBody = { readonly object: JsonObject } | { readonly refusal: Response<400 | 415> };

/**
 * Reads the JSON object that a request carries, in the contract's order of checks: first that there is a body, then
 * its media type, then the body itself.
 *
 * @param request - Its body is text, or base64 of UTF-8. A byte order mark in front is skipped.
 * @returns The object, or the refusal: 400 for a body that is missing or no JSON object, 415 for another media type.
 */
export function readBody(request: Request): ReadBody {
  const text = request.isBase64Encoded ? fromBase64(request.body ?? '') : (request.body ?? '');
  if (text?.trim() === '') return refuse(request, 400, 'The body is missing. Send a JSON object.');
  const mediaType = request.headers['content-type'];
  if (!isJson(mediaType)) {
    const types = 'application/json, text/json, or a type that ends in +json';
    return refuse(request, 415, `The body is sent as ${mediaType}. Send it as ${types}.`);
  }
  if (text === undefined) return refuse(request, 400, 'The body is not UTF-8 text. Send a JSON object in UTF-8.');
  return parse(request, text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
}

const BYTE_ORDER_MARK = 0xfeff;

function parse(request: Request, text: string): ReadBody {
  let object: unknown;
  try {
    object = JSON.parse(text);
  } catch (error) {
    return refuse(request, 400, `The body is not valid JSON: ${(error as SyntaxError).message}.`);
  }
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return { object: object as JsonObject };
  return refuse(request, 400, `The body is ${typeName(object)}. Send a JSON object.`);
}

function refuse(request: Request, status: 400 | 415, detail: string): ReadBody {
  return { refusal: problem(request, status, detail) };
}

/**
 * Node.js skips what is not base64, and puts U+FFFD in the place of what is not UTF-8: either way, what came in doesn't
 * come back.
 */
function fromBase64(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  const padding = encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0;
  const digits = encoded
    .slice(0, encoded.length - padding)
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  if (bytes.toString('base64url') !== digits) return undefined;
  const text = bytes.toString();
  return text.includes('\uFFFD') && !bytes.equals(Buffer.from(text)) ? undefined : text;
}

/** Whether a body of this media type is JSON; a body without one is taken as JSON. */
function isJson(mediaType: string | undefined): boolean {
  if (mediaType === undefined || mediaType === 'application/json') return true;
  const [type] = mediaType.toLowerCase().split(';') as [string];
  return ['', 'application/json', 'text/json'].includes(type.trim()) || /^\s*[^\s/]+\/[^\s/]+\+json\s*$/.test(type);
}
