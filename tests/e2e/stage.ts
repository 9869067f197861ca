import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTION } from '../support/collection.js';

export interface Stage {
  /** Without a slash at the end. */
  readonly url: string;
  /** Of somebody who may read and write; undefined where everybody may. */
  readonly token: string | undefined;
}

/** API Gateway gives up after 30 seconds. */
const TIMEOUT = 35_000;
const ATTEMPTS = 6;

/**
 * Sends a request, and sends it again after a 429, 502, 503 or 504 where that is safe: where it was refused, or does no more a second time
 * to an item that nobody else writes to. It follows no redirect, so that the token goes nowhere else.
 *
 * @param path - Below the stage's URL.
 */
export async function send(
  { url, token }: Stage,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | null = null,
) {
  const fields = { ...(token && { Authorization: `Bearer ${token}` }), ...headers };
  for (let attempt = 1; ; attempt += 1) {
    const options = {
      method,
      headers: fields,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    } as const;
    const answer = await fetch(url + path, options);
    const text = await answer.text();
    const wasRefused = answer.status === 429 || /"applied":\s*false/.test(text);
    const isSafe = wasRefused || method !== 'POST' || 'Idempotency-Key' in headers;
    const isOver = ![429, 502, 503, 504].includes(answer.status) || !isSafe || attempt === ATTEMPTS;
    if (isOver) return { status: answer.status, headers: answer.headers, text };
    await sleep(1_000 * Math.min(Number(answer.headers.get('Retry-After') ?? 1), 5));
  }
}

/**
 * Deletes the items of a run, also those whose creation got no answer, and no others.
 *
 * @param mark - What all of their names contain.
 * @param after - A key that is less than all of theirs, from which the list is read.
 * @param known - Some of their keys, which a broken list may lack.
 * @param until - Until when more of them may appear, in milliseconds since 1970.
 * @throws Error that names the mark, if some may be left.
 */
export async function deleteItems(stage: Stage, mark: string, after: string, known: readonly string[], until = 0) {
  let left = known;
  for (let attempt = 1; ; attempt += 1) {
    for (const key of left) await send(stage, 'DELETE', `${COLLECTION}/${key}`);
    left = await listItems(stage, mark, after).catch(({ message }) => [`the list is broken (${message})`]);
    if (left.length === 0 && Date.now() >= until) return;
    if (attempt === 30) throw new Error(`Items with ${mark} in their names may be left: ${left.join(', ')}`);
    await sleep(500);
  }
}

async function listItems(stage: Stage, mark: string, after: string): Promise<string[]> {
  const keys: string[] = [];
  for (let key: string | undefined = after; key !== undefined; ) {
    // No cache has this URL.
    const path = `${COLLECTION}?after=${key}&limit=1000&fresh=${Date.now()}`;
    const { text, headers } = await send(stage, 'GET', path, { 'Accept-Encoding': 'identity' });
    const items: readonly { readonly key: string; readonly name: string }[] = JSON.parse(text);
    keys.push(...items.filter(({ name }) => name.includes(mark)).map((item) => item.key));
    const [, next] = /[?&]after=([\w-]+)[^>]*>; rel="next"/.exec(headers.get('Link') ?? '') ?? [];
    key = next === key ? undefined : next;
  }
  return keys;
}
