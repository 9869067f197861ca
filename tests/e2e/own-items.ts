import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Stage, send } from './send.js';

/** Which items a run of the tests has made. */
export interface Run {
  /** All of their names contain it. */
  readonly mark: string;
  /** No item of the run is older, by the clock of the service: in milliseconds since 1970. */
  readonly since: number;
}

/** More than an item that can be deleted needs. */
const PASSES = 30;

/**
 * Deletes all items of a run, also those whose creation was not answered, and no others.
 *
 * @param created - The keys of items that a broken list may leave out.
 * @param until - Until when more items may appear, in milliseconds since 1970.
 * @returns How many there were.
 * @throws Error that names the mark, if items may be left.
 */
export async function deleteOwnItems(stage: Stage, run: Run, created: readonly string[] = [], until = 0) {
  const deleted = new Set<string>();
  for (let pass = 1; ; pass += 1) {
    const own = new Set([...(await listOwnItems(stage, run)), ...(pass === 1 ? created : [])]);
    if (own.size === 0 && Date.now() >= until) return deleted.size;
    if (pass === PASSES) throw new Error(`Items with ${run.mark} in their names are left: ${[...own].join(', ')}`);
    for (const key of own) if ((await send(stage, 'DELETE', `/api/todo/${key}`)).status === 204) deleted.add(key);
    await sleep(500);
  }
}

/** Reads only the part of the list that is not older than the run. */
async function listOwnItems(stage: Stage, { mark, since }: Run): Promise<string[]> {
  const own: string[] = [];
  let query: string | undefined = `after=${keyAt(since)}&limit=1000`;
  for (let former = ''; query !== undefined && query !== former; ) {
    // A cache that ignores Cache-Control has not seen this URL.
    const { status, headers, text } = await send(stage, 'GET', `/api/todo?${query}&fresh=${randomUUID()}`);
    if (status !== 200) throw new Error(`Items with ${mark} in their names may be left: the list answered ${status}`);
    const items: readonly { readonly key: string }[] = JSON.parse(text);
    own.push(...items.filter((item) => JSON.stringify(item).includes(mark)).map(({ key }) => key));
    former = query;
    query = nextQuery(headers.get('link'));
  }
  return own;
}

/** The query of the next page, from a Link header field. */
export function nextQuery(link: string | null | undefined): string | undefined {
  return /^<[^>?]*\?([^>]*)>; rel="next"$/.exec(link ?? '')?.[1];
}

/** A key before all that are made at a time or later: they are UUIDs of version 7 (RFC 9562, section 5.7). */
function keyAt(time: number): string {
  return time
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-7000-8000-000000000000');
}

/** A key that no item has, right before an item's. */
export function keyBefore(key: string): string {
  const less = (BigInt(`0x${key.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return less.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
