import { isUtf8 } from 'node:buffer';
import { quoted, typeName } from '../schema/detail.js';
import { type JsonObject, membersIn, parseMembers } from '../schema/parse.js';
import { type ObjectSchema, writable } from '../schema/schema.js';
import type { Parsed, Request } from './message.js';
import { type ProblemCode, problemResponse } from './problem.js';

export const BODY_PROBLEMS: readonly ProblemCode[] = [
  'invalid-body',
  'invalid-members',
  'body-too-large',
  'not-json',
  'unsupported-coding',
];

export interface BodyDeclaration<Schema extends ObjectSchema = ObjectSchema> {
  readonly schema: Schema;
  /** A merge patch (RFC 7396). */
  readonly patch?: true;
}

/** Names the media types of patches (RFC 5789, section 3.1). */
export const ACCEPT_PATCH = { 'Accept-Patch': 'application/merge-patch+json, application/json, text/json' } as const;

/** In bytes. Parsing a body takes many times its size in memory. */
export const LARGEST_BODY = 1_048_576;

/**
 * A body is text, or base64 of UTF-8; a byte order mark is skipped.
 *
 * @returns The members, and the body as it was sent. It rejects, in this order: a missing body with 400; one above 1 MiB
 * with 413, without decoding it, so even if it is blank; another media type, or a content coding that the gateway has
 * not removed, with 415; no JSON object, or invalid members, with 400.
 */
export function parseBody(
  request: Request,
  { schema, patch }: BodyDeclaration,
): Parsed<{ readonly members: JsonObject; readonly sent: JsonObject }> {
  const json = parseJson(request, patch);
  if ('rejected' in json) return json;
  const entries = writable(schema);
  const parsed = parseMembers(entries, membersIn(json.value, Object.keys(entries)), patch);
  if ('members' in parsed) return { value: { members: parsed.members, sent: json.value } };
  const errors = parsed.errors.map(({ path, detail }) => ({ pointer: `#/${path}`, detail }));
  return { rejected: problemResponse(request, 'invalid-members', { errors }) };
}

function parseJson(request: Request, patch: true | undefined): Parsed<JsonObject> {
  const { body = '', isBase64Encoded } = request;
  const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > LARGEST_BODY) return { rejected: problemResponse(request, 'body-too-large') };
  const text = isBase64Encoded ? decode(body) : body;
  if (text?.trim() === '') return invalid(request, 'The body is missing.');
  const mediaType = request.header('content-type') ?? '';
  if (!isJson(mediaType)) {
    const reason = `The body is sent as ${quoted(mediaType)}.`;
    return { rejected: problemResponse(request, 'not-json', { reason, headers: { ...(patch && ACCEPT_PATCH) } }) };
  }
  if (text === undefined) return coded(request, patch) ?? invalid(request, 'The body is not UTF-8 text.');
  let object: unknown;
  try {
    object = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return coded(request, patch) ?? invalid(request, `The body is not valid JSON: ${(error as SyntaxError).message}.`);
  }
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return { value: object as JsonObject };
  const hint = patch && Array.isArray(object) ? '; PATCH takes a JSON Merge Patch, not a JSON Patch' : '';
  return invalid(request, `The body is ${typeName(object)}${hint}.`);
}

/**
 * RFC 9110, section 12.5.3. `Content-Encoding` alone is no reason, because a gateway that has decoded the body may
 * leave the field.
 */
function coded(request: Request, patch: true | undefined): Parsed<never> | undefined {
  const coding = request.header('content-encoding')?.trim() ?? '';
  if (/^(identity)?$/i.test(coding)) return undefined;
  const reason = `The body has the content coding ${quoted(coding)}.`;
  const headers = { 'Accept-Encoding': 'identity', ...(patch && ACCEPT_PATCH) };
  return { rejected: problemResponse(request, 'unsupported-coding', { reason, headers }) };
}

function invalid(request: Request, reason: string): Parsed<never> {
  return { rejected: problemResponse(request, 'invalid-body', { reason }) };
}

/** Node.js would skip what is not base64, and replace what is not UTF-8 by U+FFFD. */
function decode(encoded: string): string | undefined {
  const [, digits] = /^([\w+/-]*)={0,2}$/.exec(encoded) ?? [];
  if (digits === undefined || digits.length % 4 === 1) return undefined;
  const bytes = Buffer.from(digits, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** A body without a media type is treated as JSON. */
function isJson(mediaType: string): boolean {
  return /^((application|text)\/json|[^\s/;]+\/[^\s/;]+\+json|)\s*(;|$)/i.test(mediaType.trim());
}
