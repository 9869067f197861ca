import { setTimeout as sleep } from 'node:timers/promises';

/** Where the API is, and the token of somebody who may read and write; undefined where nobody signs in. */
export interface Stage {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** API Gateway gives up after 30 seconds. */
const TIMEOUT = 35_000;
const ATTEMPTS = 6;

/**
 * Sends a request, again after a 429, 502, 503 or 504 where that is safe: where nothing was changed, and where nobody but the tests
 * writes to the item and twice is as good as once. Redirects are not followed, so that the token goes nowhere else.
 *
 * @param path - Below the stage's URL.
 */
export async function send(
  { url, token }: Stage,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Reply> {
  const fields = { ...(token && { Authorization: `Bearer ${token}` }), ...headers };
  const isSafeTwice = method !== 'POST' || 'Idempotency-Key' in headers;
  for (let attempt = 1; ; attempt += 1) {
    const init = { method, headers: fields, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) } as const;
    const response = await fetch(url + path, { ...init, ...(body !== undefined && { body }) });
    const reply = { status: response.status, headers: response.headers, text: await response.text() };
    const isRefused = reply.status === 429 || /"applied":\s*false/.test(reply.text);
    const isOver = ![429, 502, 503, 504].includes(reply.status) || !(isRefused || isSafeTwice);
    if (isOver || attempt === ATTEMPTS) return reply;
    await sleep(1_000 * Math.min(Number(reply.headers.get('retry-after') ?? 1), 5));
  }
}
