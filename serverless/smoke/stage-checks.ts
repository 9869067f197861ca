// What only a deployment can break, without an item. Tests show that the code is right.
import { randomUUID } from 'node:crypto';
import { escaped, expectAccess, NO_JSON } from './access.js';
import { expectOrigins } from './cross-origin.js';
import { expectThisRelease, OPEN_PATHS } from './release.js';
import type { Check } from './report.js';
import { expectThat, NotTried, shown } from './said.js';

/** For everybody. */
export const OPEN_CHECKS: readonly Check[] = [
  {
    title: 'Documents and page are those of this checkout',
    advice: 'If another release should run there, add --any-release: docs/deploy.md#prove-it.',
    async trial({ document: { client } }) {
      if (client.expected.anyRelease) throw new NotTried('of --any-release');
      await expectThisRelease(client);
    },
  },
  {
    title: 'Paths lead through the address, plain and encoded',
    advice: 'The URL and its prefix have to arrive as they are: docs/rules.md#prefix-cors-documents-and-page.',
    async trial({ document: { client, list, content } }) {
      const server = content.servers?.[0]?.url;
      const expected = client.prefix || '/';
      expectThat(server === expected, `The document names the server ${shown(server)} instead of ${expected}.`);
      const root = await client.call('GET', '/', { anonymous: true });
      const target = root.headers.get('location');
      const isPage = root.status === 302 && target === `${client.prefix}/swagger/ui`;
      expectThat(isPage, `${root.told}, and leads to ${shown(target)} instead of the page.`);
      const plain = await client.call('GET', list);
      const encoded = await client.call('GET', escaped(list));
      expectThat(plain.status === encoded.status, `${encoded.told}, but ${plain.told}.`);
    },
  },
  {
    title: 'Compressed answers and those to HEAD are like those to GET',
    advice:
      'A REST API needs the binary media types */*, and a proxy has to pass HEAD on: docs/parameters.md#front-doors.',
    async trial({ document: { client, list } }) {
      for (const path of [...Object.keys(OPEN_PATHS), list]) {
        const anonymous = path !== list;
        const plain = await client.call('GET', path, { anonymous });
        const packed = await client.call('GET', path, { anonymous, headers: { 'Accept-Encoding': 'gzip' } });
        // Other callers may change the list meanwhile.
        const isSame = path === list ? isJson(packed.text) === isJson(plain.text) : packed.text === plain.text;
        expectThat(packed.status === plain.status && isSame, `${packed.told}, with gzip otherwise than without.`);
        const head = await client.call('HEAD', path, { anonymous });
        expectThat(head.status === plain.status, `${head.told}, but ${plain.told}.`);
        const [type, expected] = [head, plain].map(({ headers }) => headers.get('content-type'));
        expectThat(type === expected, `${head.told} as ${shown(type)} instead of ${shown(expected)}.`);
      }
    },
  },
  {
    title: 'It lets in those who may call, and nobody else',
    advice: 'Use --people where people sign in, and --signed where calls are signed: docs/authorization.md.',
    trial: ({ document }) => expectAccess(document),
  },
  {
    title: 'Pages of the expected origin may call, and those of others may not',
    advice: 'corsOrigins names the origins: docs/parameters.md.',
    trial: ({ document }) => expectOrigins(document),
  },
];

/** For callers who are let in. */
export const ERRORS: Check = {
  title: 'Errors come as problems, and each query parameter arrives',
  advice: 'What is in front may answer instead, or leave out the query: docs/rules.md#errors.',
  needs: ['GET list limit', 'POST list', 'GET item'],
  async trial({ document }) {
    const { list, queryParameters } = document;
    for (const name of queryParameters) {
      const { json, told } = await document.ask('GET', `${list}?${name}=smoke`, '400 invalid-query');
      const named = json.errors?.map(({ parameter }: { parameter: string }) => parameter).join();
      expectThat(named === name, `${told}, and names ${shown(named)} instead of ${name}.`);
    }
    await document.ask('GET', `${list}/${randomUUID()}`, '404 not-found');
    await document.ask('GET', `${list}/a/b`, '404 no-route');
    await document.ask('POST', list, '400 invalid-body', { body: NO_JSON });
  },
};

/** In bytes. AWS WAF's core rules reject more than 8,192. */
const LONG_BODY = 9_000;

/** The last of all, because a firewall may reject the caller from then on. */
export const LONG_BODIES: Check = {
  title: `A body of ${LONG_BODY} bytes arrives`,
  advice: '',
  needs: ['POST list'],
  async trial({ document: { client, list } }) {
    const short = await client.call('POST', list, { body: NO_JSON });
    const long = await client.call('POST', list, { body: NO_JSON.padEnd(LONG_BODY) });
    if (long.status === short.status) return undefined;
    return `A body of ${LONG_BODY} bytes does not arrive: ${long.told}. AWS WAF's core rules reject more than 8,192, for example`;
  },
};

/** In milliseconds. Sound stages need less than a tenth of it. */
const SLOWEST = 5_000;
/** Instances may start for them. */
const MAY_BE_SLOW = 2;

/**
 * The first time, which may have started an instance, the median of the others, and the third slowest.
 *
 * @param times - In milliseconds.
 */
export function durationsIn(times: readonly number[]) {
  const [first, ...later] = times;
  const sorted = later.sort((one, other) => other - one);
  const third = Number(sorted[MAY_BE_SLOW]);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const [one, two, three] = [first, middle, third].map((time) => `${Math.round(Number(time))} ms`);
  const told = `The first answer took ${one}, the others ${two} (median of ${later.length}), the third slowest ${three}`;
  return { told, isSlow: third > SLOWEST };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
