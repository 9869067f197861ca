import type { Request } from './request.js';

/** What came back. If nothing did, the status is 0 and the text says why. */
export interface Answer {
  readonly request: Request;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: string;
  /** The size of the uncompressed body. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
  /** Whether it is a write that may have been applied or not. */
  readonly isMaybeApplied: boolean;
}

const MAX_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 60;

/**
 * Sends a request, and sends it again after Retry-After if that does no harm: if it only reads (RFC 9110, section 9.2.2),
 * or the service says that it was not applied.
 *
 * @param request - The request.
 * @param signal - Cancels it, whether it is under way or waiting.
 * @param onWait - Is called before each wait, with the answer, the seconds, and which attempt of how many is next.
 * @returns The last answer.
 */
export async function send(
  request: Request,
  signal: AbortSignal,
  onWait: (answer: Answer, seconds: number, attempt: number, attempts: number) => void,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await attemptTo(request, signal);
    const wait = answer.headers.get('Retry-After') ?? '';
    const seconds = /^\d+$/.test(wait) ? Number(wait) : Number.POSITIVE_INFINITY;
    const isBusy = answer.status === 503 || answer.status === 429;
    if (!isBusy || answer.isMaybeApplied || attempt === MAX_ATTEMPTS || seconds > MAX_WAIT_SECONDS) return answer;
    onWait(answer, seconds, attempt + 1, MAX_ATTEMPTS);
    await new Promise((resolve) => {
      setTimeout(resolve, seconds * 1000);
      signal.addEventListener('abort', resolve);
    });
    if (signal.aborted) return answer;
  }
}

async function attemptTo(request: Request, signal: AbortSignal): Promise<Answer> {
  const { method, url, headers, body = null } = request;
  const start = performance.now();
  const milliseconds = () => performance.now() - start;
  try {
    const response = await fetch(url, { method, headers: headers.map((field) => [...field]), body, signal });
    const bytes = await response.arrayBuffer();
    const text = new TextDecoder().decode(bytes);
    const json = parse(text);
    const { status, statusText } = response;
    const isMaybeApplied = isOutcomeUnknown(status) && isWrite(request) && !isNotApplied(json);
    const size = bytes.byteLength;
    const answer = { request, status, statusText, headers: response.headers, text, json, bytes: size };
    return { ...answer, milliseconds: milliseconds(), isMaybeApplied };
  } catch (error) {
    const text = signal.aborted ? 'Cancelled.' : `No answer: ${error instanceof Error ? error.message : error}.`;
    const nothing = { status: 0, statusText: '', headers: new Headers(), bytes: 0, json: undefined };
    return { request, ...nothing, text, milliseconds: milliseconds(), isMaybeApplied: isWrite(request) };
  }
}

function isWrite({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** A gateway may answer these, too, after it has passed the request on. */
function isOutcomeUnknown(status: number): boolean {
  return [429, 502, 503, 504].includes(status);
}

function isNotApplied(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'applied' in json && json.applied === false;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
