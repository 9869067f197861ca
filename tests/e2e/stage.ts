import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';

export interface Stage {
  /** Without a slash at the end. */
  readonly url: string;
  /** Of somebody who may read and write; undefined if everybody may. */
  readonly token?: string | undefined;
  /** Ends a request, which then is not sent again. */
  readonly limit?: AbortSignal;
}

/** More than the 30 seconds after which an HTTP API gives up; a REST API does so after 29. */
const TIMEOUT = 35_000;
const PATIENCE = 15_000;

/** The statuses after which requests were sent again; 0 stands for no answer. */
export const retried: number[] = [];

/**
 * Sends a request. For some seconds, sends it again after 429, 502, 503, 504 or a dropped connection, if that is safe: if it was
 * refused, or changes no more when it is applied twice. Follows no redirect, because its target would get the token.
 *
 * @param path - Below the stage's URL.
 * @throws Error if there is no answer.
 */
export async function send(
  { url, token, limit }: Stage,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | null = null,
) {
  const fields = { ...(token && { Authorization: `Bearer ${token}` }), ...headers };
  const attempt = async () => {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), ...(limit ? [limit] : [])]);
    const answer = await fetch(url + path, { method, headers: fields, body, redirect: 'manual', signal });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  for (const end = Date.now() + PATIENCE; ; await sleep(1_000)) {
    const answer = await attempt().catch(({ cause, message }) => ({ ...NO_ANSWER, text: String(cause ?? message) }));
    const { status, text } = answer;
    const wasRefused = status === 429 || /"applied":\s*false/.test(text);
    const isSafe = wasRefused || method !== 'POST' || 'Idempotency-Key' in headers;
    if (!isSafe || ![0, 429, 502, 503, 504].includes(status) || Date.now() > end || limit?.aborted) {
      if (status === 0) throw new Error(`${method} ${path} got no answer: ${text}`);
      return answer;
    }
    retried.push(status);
  }
}

const NO_ANSWER = { status: 0, headers: new Headers() };

/**
 * Deletes the items of a run, also those whose creation got no answer, and no others.
 *
 * @param mark - What all of their names contain.
 * @throws Error that names the mark and the keys, if some may be left after a minute.
 */
export async function deleteItems(stage: Stage, mark: string): Promise<void> {
  const limit = AbortSignal.timeout(60_000);
  let left = 'the list could not be read';
  for (; !limit.aborted; await sleep(500)) {
    const keys = await listItems({ ...stage, limit }, mark).catch(() => undefined);
    if (keys?.length === 0) return;
    if (keys) left = keys.join(', ');
    for (const key of keys ?? []) await send({ ...stage, limit }, 'DELETE', `/api/todo/${key}`).catch(() => undefined);
  }
  throw new Error(`Delete the items with ${mark} in their names, which may be left: ${left}`);
}

/** @param after - At first a key from an hour ago, because the stage's clock may differ. */
async function listItems(stage: Stage, mark: string, after = v7({ msecs: Date.now() - 3_600_000 })): Promise<string[]> {
  // No cache has this URL.
  const { text, headers } = await send(stage, 'GET', `/api/todo?after=${after}&limit=1000&fresh=${Date.now()}`);
  const items: readonly { readonly key: string; readonly name: string }[] = JSON.parse(text);
  const keys = items.filter(({ name }) => name.includes(mark)).map(({ key }) => key);
  const next = /[?&]after=([\w-]+)[^>]*>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  return next && next > after ? [...keys, ...(await listItems(stage, mark, next))] : keys;
}
