import { isUtf8 } from 'node:buffer';
import { quoted } from '../quoted.js';
import { typeName } from '../schema/check.js';
import type { JsonObject } from '../schema/read.js';
import { problem } from './problem.js';
import type { Request } from './request.js';
import type { Read } from './response.js';

/** The largest body that is read, in bytes: parsing one takes many times its size in memory. */
export const LARGEST_BODY = 1_048_576;

/**
 * Reads the JSON object that a request carries, in the contract's order of checks: that there is a body, its size, its
 * media type, then the body itself.
 *
 * @param request - Its body is text, or base64 of UTF-8. A byte order mark in front is skipped.
 * @returns The object, or the refusal: 400 for a body that is missing or no JSON object, 413 for one above 1 MiB, which
 * is not looked at, 415 for another media type.
 */
export function readBody(request: Request): Read<JsonObject> {
  const { body = '', isBase64Encoded } = request;
  if (isLarge(body, isBase64Encoded)) return refuse(request, 413, 'The body is larger than 1 MiB. Send a smaller one.');
  const text = isBase64Encoded ? decode(body) : body;
  if (text?.trim() === '') return refuse(request, 400, 'The body is missing. Send a JSON object.');
  const mediaType = request.header('content-type');
  if (!isJson(mediaType)) {
    const types = 'application/json, text/json, or a type that ends in +json';
    return refuse(request, 415, `The body is sent as ${quoted(mediaType as string)}. Send it as ${types}.`);
  }
  if (text === undefined) return refuse(request, 400, 'The body is not UTF-8 text. Send a JSON object in UTF-8.');
  return parse(request, text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
}

const BYTE_ORDER_MARK = 0xfeff;

function parse(request: Request, text: string): Read<JsonObject> {
  let object: unknown;
  try {
    object = JSON.parse(text);
  } catch (error) {
    return refuse(request, 400, `The body is not valid JSON: ${(error as SyntaxError).message}.`);
  }
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return { value: object as JsonObject };
  return refuse(request, 400, `The body is ${typeName(object)}. Send a JSON object.`);
}

function refuse(request: Request, status: 400 | 413 | 415, detail: string): Read<never> {
  return { refusal: problem(request, status, detail) };
}

/** The number of characters nearly always decides. Bytes are counted only where it does not. */
function isLarge(body: string, isBase64Encoded: boolean): boolean {
  if (isBase64Encoded) return Buffer.byteLength(body, 'base64') > LARGEST_BODY;
  if (body.length * 3 <= LARGEST_BODY) return false;
  return body.length > LARGEST_BODY || Buffer.byteLength(body) > LARGEST_BODY;
}

/** Decodes strictly: Node.js would skip what is not base64, and replace what is not UTF-8 by U+FFFD. */
function decode(encoded: string): string | undefined {
  const [, digits] = /^([\w+/-]*)={0,2}$/.exec(encoded) ?? [];
  if (digits === undefined || digits.length % 4 === 1) return undefined;
  const bytes = Buffer.from(digits, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** Whether a body of this media type is JSON; a body without one is taken as JSON. */
function isJson(mediaType: string | undefined): boolean {
  if (mediaType === undefined || mediaType === 'application/json') return true;
  const [type] = mediaType.toLowerCase().split(';') as [string];
  return ['', 'application/json', 'text/json'].includes(type.trim()) || /^\s*[^\s/]+\/[^\s/]+\+json\s*$/.test(type);
}
