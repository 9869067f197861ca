import { gunzipSync } from 'node:zlib';
import { LARGEST_RESULT } from '../../../shared/gateway/gateway.js';
import type { Result } from './service.js';

/** What the service answered. */
export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
  /** The content as UTF-8, without gzip. */
  readonly text: string;
  /** The parsed content; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read single members of it, and fail if one is missing.
  readonly json: any;
}

/** Makes an answer. Names of header fields may be in any letter case. */
export function answerOf(status: number, headers: Readonly<Record<string, string>>, content: Buffer): Answer {
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const isCoded = lowered['content-encoding'] === 'gzip' && content.length > 0;
  const text = (isCoded ? gunzipSync(content) : content).toString();
  const isJson = /json|text\/plain/.test(lowered['content-type'] ?? '') && text !== '';
  return { status, headers: lowered, content, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Waits for an answer, and throws its problem if it has another status, so that the test fails at once. */
export async function expectStatus(status: number, answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status === status) return answer;
  throw new Error(`answered ${answer.status} instead of ${status}: ${answer.text || '(no content)'}`);
}

/** Lists what is wrong with a result, whatever was sent: no request may cause a server error. */
export function faultsOf(result: unknown): string[] {
  const { statusCode, headers, body, isBase64Encoded } = result as Result;
  // A field is printable ASCII (RFC 9110, section 5.5), so that nothing can be smuggled into it.
  const fields = Object.entries(headers).filter(([name, value]) => !/^[\w-]+: [\x20-\x7e]*$/.test(`${name}: ${value}`));
  return [
    ...(statusCode >= 200 && (statusCode < 500 || statusCode === 507) ? [] : [`${statusCode} ${body}`]),
    ...(typeof body === 'string' && typeof isBase64Encoded === 'boolean' ? [] : ['a body that is no text']),
    ...fields.map(([name, value]) => `the field ${name}: ${value}`),
    ...('X-Content-Type-Options' in headers ? [] : ['no X-Content-Type-Options']),
    ...(Buffer.byteLength(JSON.stringify(result)) > LARGEST_RESULT ? ['it is too large'] : []),
  ];
}
