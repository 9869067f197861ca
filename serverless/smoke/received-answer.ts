import { messageOf } from '../../shared/log/log.js';
import type { Received } from './exchange.js';
import { shown } from './shown.js';

/** What came of a request. */
export interface Answer {
  /** 0 if there was none. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The content, parsed; an empty object unless it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: any JSON may come.
  readonly json: any;
  /** The request, and what came of it, for a sentence. */
  readonly told: string;
}

/**
 * Makes an answer of what was received.
 *
 * @param request - Method and path, for the sentence.
 */
export function answerOf({ status, headers, text }: Received, request: string): Answer {
  const json = parse(text);
  const detail = json.detail ?? json.message;
  const outcome = detail === undefined ? `${status}` : `${status} (${shown(detail)})`;
  return { status, headers, text, json, told: `${request} answered ${outcome}` };
}

/**
 * Makes an answer for a response that did not come.
 *
 * @param error - Why.
 * @param request - Method and path, for the sentence.
 */
export function noAnswer(error: Error, request: string): Answer {
  // Node.js says of a request that was given up only that; the cause says why.
  const { cause = error } = error;
  const told = `${request} got no answer (${shown(messageOf(cause as Error))})`;
  return { status: 0, headers: new Headers(), text: '', json: {}, told };
}

function parse(text: string): Answer['json'] {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
