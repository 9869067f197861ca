// One item, created, changed, listed and deleted. Each check needs that the ones before have passed.
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './client.js';
import { isOpenToAll, OTHER_PAGE } from './cross-origin.js';
import { expectSame, type Members, type OwnItem } from './own-item.js';
import type { Check, Stage } from './report.js';
import { expectThat, NotTried, shown } from './said.js';
import type { ServedDocument } from './served-document.js';

export interface Trial extends Stage {
  readonly item: OwnItem;
  /** The first page of the list, read twice before the item is created. */
  readonly pages: Answer[];
}

/** Before all others, so that it shows whether other callers change the list meanwhile. */
export const LIST: Check<Trial> = {
  title: 'The list can be read',
  advice: 'The log says more: docs/operate.md#logs.',
  needs: ['GET list limit', 'POST list Idempotency-Key', 'GET item', 'DELETE item'],
  async trial({ document, pages }) {
    pages.push(await firstPage(document));
  },
};

export const ITEM_CHECKS: readonly Check<Trial>[] = [
  {
    title: 'An item is created as it was sent, once for an Idempotency-Key',
    advice: 'The log says more: docs/operate.md#logs. In memory, several instances mix up lists: docs/scaling.md.',
    async trial({ document, item, pages }) {
      const { list, client } = document;
      pages.push(await firstPage(document));
      // A cache may answer with this once the item is there.
      await document.ask('GET', list, '200');
      const created = document.expect(await item.post(), 'POST', list, '201');
      const { key } = created.json;
      const found = await item.show(key);
      expectSame(created, { ...created.json, ...item.created });
      expectThat(found.text === created.text, `${found.told} with ${shown(found.text)}, not ${shown(created.text)}.`);
      const tag = created.headers.get('etag');
      expectThat(item.tag === tag, `${found.told} with the ETag ${item.tag}, not ${shown(tag)}.`);
      const location = created.headers.get('location');
      const expected = client.prefix + item.path;
      expectThat(location === expected, `${created.told} with the Location ${shown(location)}, not ${expected}.`);
      const again = document.expect(await item.post(), 'POST', list, '201');
      expectThat(again.text === created.text, `${again.told} with another item for the same Idempotency-Key.`);
    },
  },
  {
    title: 'It is changed at the version that If-Match names, and at no other',
    advice: 'What is in front may leave out header fields, or answer from a cache: docs/rules.md#conditional-requests.',
    needs: ['PATCH item If-Match', 'PUT item If-Match', 'DELETE item If-Match', 'GET item If-None-Match'],
    async trial({ document, item }) {
      const { path } = item;
      const former = item.tag;
      for (const method of ['PATCH', 'PUT']) {
        const { members, change, tag } = item;
        const body = method === 'PUT' ? { ...members, ...change } : change;
        const written = await document.client.call(method, path, { body, headers: { 'If-Match': tag } });
        // If an earlier attempt was applied, this one was too late. GET decides.
        const isLate = written.isRepeated && written.status === 412;
        if (!isLate) document.expect(written, method, path, '204');
        await item.expectMembers({ ...members, ...change });
        const told = isLate ? item.tag : (written.headers.get('etag') ?? item.tag);
        const isNew = item.tag !== tag && item.tag === told;
        expectThat(isNew, `${written.told}, but the ETag was ${tag}, and is ${item.tag} now.`);
      }
      const { members, tag } = item;
      for (const method of ['PATCH', 'PUT', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : { ...members, ...item.change };
        await document.ask(method, path, '412 if-match-failed', { body, headers: { 'If-Match': former } });
        await item.expectMembers(members);
      }
      await document.ask('GET', path, '304', { headers: { 'If-None-Match': tag } });
      await document.ask('GET', path, '200', { headers: { 'If-None-Match': former } });
    },
  },
  {
    title: 'Pages of another origin cannot write',
    advice: 'What is in front has to pass Origin and Sec-Fetch-Site on: docs/security.md.',
    needs: ['PATCH item', 'PUT item'],
    async trial({ document, item }) {
      const { members, path, tag } = item;
      if (isOpenToAll(await document.client.call('GET', path, { headers: OTHER_PAGE })))
        throw new NotTried('pages of any origin may write');
      for (const method of ['PATCH', 'PUT', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : { ...members, ...item.change };
        const headers = { ...OTHER_PAGE, 'If-Match': tag };
        await document.ask(method, path, '403 cross-site-write', { body, headers });
        await item.expectMembers(members);
      }
    },
  },
  {
    title: 'The list has it once, and its pages lead on',
    advice: 'What is in front may answer from a cache, or leave out the query: docs/rules.md#items.',
    needs: ['GET list limit', 'GET list after', 'GET list If-None-Match'],
    trial: expectListed,
  },
  {
    title: 'It is deleted, and found no more',
    advice: 'The log says more: docs/operate.md#logs.',
    async trial({ document, item }) {
      const { key } = item.members;
      await item.show(key);
      const deleted = await document.client.call('DELETE', item.path, { headers: { 'If-Match': item.tag } });
      const isLate = deleted.isRepeated && deleted.status === 404;
      if (!isLate) document.expect(deleted, 'DELETE', item.path, '204');
      await document.ask('GET', item.path, '404 not-found');
      item.wasDeleted();
      for (const page of [await firstPage(document), await pageFrom(document, key)])
        expectThat(!page.json.some((listed: Members) => item.isIn(listed)), `${page.told} with the deleted item.`);
    },
  },
  {
    title: 'No other item is lost or changed',
    advice: 'Unless another caller did it just now, keep callers away from the stage: docs/incidents.md.',
    async trial({ document, pages: [first, second] }) {
      if (first?.text !== second?.text) throw new NotTried('other callers are changing the list');
      const { json, told } = await firstPage(document);
      const left = new Set(json.map((listed: Members) => JSON.stringify(listed)));
      const lost = second?.json.find((listed: Members) => !left.has(JSON.stringify(listed)));
      expectThat(lost === undefined, `${told} without ${shown(lost)}, or with another version of it.`);
    },
  },
];

function firstPage(document: ServedDocument): Promise<Answer> {
  return document.ask('GET', `${document.list}?limit=1000`, '200');
}

/** The page that begins with an item, even if others write, because `after` takes any UUID. */
function pageFrom(document: ServedDocument, key: unknown): Promise<Answer> {
  return document.ask('GET', `${document.list}?after=${keyBefore(String(key))}&limit=1`, '200');
}

async function expectListed({ document, item }: Trial): Promise<void> {
  const { list, client } = document;
  const { members } = item;
  const whole = await firstPage(document);
  const keys: readonly string[] = whole.json.map(({ key }: { key: string }) => key);
  expectThat(isDeepStrictEqual(keys, [...new Set(keys)].sort()), `${whole.told}, and its keys do not ascend.`);
  const own = whole.json.filter((listed: Members) => item.isIn(listed));
  const isThere = isDeepStrictEqual(own, [members]) || (own.length === 0 && whole.headers.has('link'));
  expectThat(isThere, `${whole.told} with ${shown(own)} instead of ${shown([members])}.`);
  const page = await pageFrom(document, members.key);
  expectThat(isDeepStrictEqual(page.json, [members]), `${page.told} with ${shown(page.json)}, not the item.`);
  const known = { 'If-None-Match': String(page.headers.get('etag')) };
  const again = await client.call('GET', `${list}?after=${keyBefore(String(members.key))}&limit=1`, { headers: known });
  // Others may have added items after it.
  const isKnown = again.status === 304 || again.headers.get('etag') !== known['If-None-Match'];
  expectThat(isKnown, `${again.told} instead of 304.`);
  await document.ask('GET', list, '200', { headers: { 'If-None-Match': '"0"' } });
  const plain = await document.ask('GET', list, '200');
  // As many as fit into one response, in which a long list may end before the item.
  const isListed = plain.headers.has('link')
    ? plain.json.length > 0
    : plain.json.some((listed: Members) => isDeepStrictEqual(listed, members));
  expectThat(isListed, `${plain.told} without the item.`);
  if (keys.length < 2) return;
  const first = await document.ask('GET', `${list}?limit=1`, '200');
  const [, link = ''] = /^<([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
  const leads = link.startsWith(`${client.prefix}${list}?`);
  expectThat(
    leads && first.json.length <= 1,
    `${first.told} with ${first.json.length} items and the Link ${shown(link)}.`,
  );
  const next = await document.ask('GET', link.slice(client.prefix.length), '200');
  const isNext =
    next.json.length <= 1 && next.json.every(({ key }: Members) => String(key) > String(first.json[0]?.key));
  expectThat(isNext, `${next.told} with ${shown(next.json)} behind ${shown(first.json)}.`);
}

/** The UUID that is one less. */
export function keyBefore(key: string): string {
  const less = (BigInt(`0x${key.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return less.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
