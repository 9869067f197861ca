import { isUtf8 } from 'node:buffer';
import { Problem } from '../problem.js';
import type { Parameters } from '../routing/template.js';
import { quoted, typeName } from '../schema/detail.js';
import {
  type JsonObject,
  type MemberError,
  membersIn,
  type ObjectSchema,
  parseMembers,
  writable,
} from '../schema/schema.js';
import type { Request } from './message.js';

export interface BodyDeclaration<Schema extends ObjectSchema = ObjectSchema> {
  readonly schema: Schema;
  /** Whether it is a merge patch (RFC 7396). */
  readonly patch?: true;
  /** The parameter of the path that the `key` in the body must equal. */
  readonly keyParameter?: string;
}

/** Names the media types of patches (RFC 5789, section 3.1). */
export const ACCEPT_PATCH = { 'Accept-Patch': 'application/merge-patch+json, application/json, text/json' } as const;

/** In bytes. Parsing a body takes many times its size in memory. */
export const LARGEST_BODY = 1_048_576;

/**
 * Parses a body, which is text, or base64 of UTF-8. A byte order mark is skipped.
 *
 * @param parameters - The parameters of the path.
 * @throws Problem for the first of these that applies:
 * - It is above 1 MiB: 413, before it is decoded. It is empty or blank: 400.
 * - Its media type is not JSON: 415.
 * - It is not JSON in UTF-8: 415 if it has a content coding, else 400. It is not an object: 400.
 * - A member is not valid: 400. The key is not that of the path: 400.
 */
export function parseBody(
  request: Request,
  { schema, patch, keyParameter }: BodyDeclaration,
  parameters: Parameters,
): JsonObject {
  const sent = parseJson(request, patch);
  const entries = writable(schema);
  const { members, errors } = parseMembers(entries, membersIn(sent, Object.keys(entries)), patch);
  if (errors.length > 0) throw invalidMembers(errors);
  if (keyParameter !== undefined && !isSameKey(membersIn(sent, ['key']).key, parameters[keyParameter]))
    throw invalidMembers([{ path: 'key', detail: 'Must be the key in the path, as a string.' }]);
  return members;
}

function invalidMembers(errors: readonly MemberError[]): Problem {
  return new Problem('invalid-members', {
    reason: 'The body is not a valid item.',
    errors: errors.map(({ path, detail }) => ({ pointer: `#/${path}`, detail })),
  });
}

/** In any letter case (RFC 9562, section 4). */
function isSameKey(sent: unknown, key: string | undefined): boolean {
  return typeof sent === 'string' && sent.toLowerCase() === key?.toLowerCase();
}

function parseJson(request: Request, patch: true | undefined): JsonObject {
  const { body = '', isBase64Encoded } = request;
  const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > LARGEST_BODY) throw new Problem('body-too-large');
  const text = isBase64Encoded ? decode(body) : body;
  if (text?.trim() === '') throw new Problem('invalid-body', { reason: 'The body is missing.' });
  const mediaType = request.header('content-type') ?? '';
  if (!isJson(mediaType)) {
    const reason = `The body is sent as ${quoted(mediaType)}.`;
    throw new Problem('not-json', { reason, headers: { ...(patch && ACCEPT_PATCH) } });
  }
  if (text === undefined) throw unreadable(request, patch, 'The body is not UTF-8 text.');
  let object: unknown;
  try {
    object = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw unreadable(request, patch, `The body is not valid JSON: ${(error as SyntaxError).message}.`);
  }
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return object as JsonObject;
  const hint = patch && Array.isArray(object) ? '; PATCH takes a JSON Merge Patch, not a JSON Patch' : '';
  throw new Problem('invalid-body', { reason: `The body is ${typeName(object)}${hint}.` });
}

/**
 * Explains an unreadable body by its `Content-Encoding`, if it has one (RFC 9110, section 12.5.3). A readable body may have the
 * field, too, because gateways that decode the body may leave it.
 */
function unreadable(request: Request, patch: true | undefined, why: string): Problem {
  const coding = request.header('content-encoding')?.trim() ?? '';
  if (/^(identity)?$/i.test(coding)) return new Problem('invalid-body', { reason: why });
  const reason = `The body has the content coding ${quoted(coding)}.`;
  const headers = { 'Accept-Encoding': 'identity', ...(patch && ACCEPT_PATCH) };
  return new Problem('unsupported-coding', { reason, headers });
}

/** Undefined if it is not base64 of UTF-8: Node.js would skip other characters, and replace other bytes by U+FFFD. */
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
