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
 * Reads a response whole.
 *
 * @param request - Method and path, for the sentence.
 */
export async function answerOf(response: Response, request: string): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const json = parse(text);
  const detail = json.detail ?? json.message;
  const outcome = detail === undefined ? `${status}` : `${status} ("${detail}")`;
  return { status, headers, text, json, told: `${request} answered ${outcome}` };
}

/**
 * Stands for a response that did not come.
 *
 * @param error - What `fetch` threw.
 * @param request - Method and path, for the sentence.
 */
export function noAnswer(error: Error, request: string): Answer {
  const { cause = error } = error;
  return { status: 0, headers: new Headers(), text: '', json: {}, told: `${request} got no answer (${cause})` };
}

function parse(text: string): Answer['json'] {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
