import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/service/answer.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';
import {
  answers,
  aStage,
  aTable,
  aToken,
  broken,
  fields,
  isWhole,
  lacking,
  signedStage,
  smoke,
  withPeople,
} from './stage.js';

const ORIGIN = 'https://app.example.com';
const TRANSCRIPT = [
  'ok      The page has all operations, and a Content-Security-Policy.',
  'ok      Both documents are there, and name the server that they came from.',
  'ok      Page and documents have their security header fields.',
  'ok      Calls need neither a token nor a signature.',
  `ok      An item is created at /live${COLLECTION}/KEY, as it was sent.`,
  'ok      The same Idempotency-Key creates no second item.',
  'ok      It is found as it was created, and caches may not store it.',
  'ok      A caller who has its entity tag gets 304.',
  'ok      It is changed at the version that If-Match names, and at no other (412).',
  'ok      PATCH changes a member, and leaves the others as they are.',
  'ok      PUT replaces all members.',
  'ok      A write from a page of another origin is refused.',
  'ok      The list has it once, in the order of keys.',
  'ok      The list without a limit begins like the page of 1,000 items.',
  'ok      Link leads to the next page.',
  'ok      A caller who has the list’s entity tag gets 304.',
  'ok      The item is deleted, and found no more.',
  'ok      The list has it no more.',
  expect.stringMatching(/^ok {6}The first answer took N ms, the others N ms \(median of \d+\)\.$/),
  'PASSED  19 checks.',
];

describe('npm run smoke', () => {
  it.each([
    ['in memory', async () => aStage()],
    ['in a table', async () => aStage(await aTable())],
  ])('says what passes on a stage that keeps its items %s, and leaves its list as it was', async (_where, start) => {
    const service = await start();
    const list = async () => (await service.call('GET', COLLECTION)).json;
    const before = await list();
    expect(await smoke(service)).toEqual({ code: 0, lines: TRANSCRIPT });
    expect(await list()).toEqual(before);
  });

  it('tries a stage where people sign in without a token, with a made-up one, and with the token of a person', async () => {
    const { code, lines } = await smoke(await withPeople(), ['--people'], await aToken());
    expect(lines).toEqual(
      TRANSCRIPT.toSpliced(
        3,
        1,
        'ok      Lists and items need a token (401).',
        "ok      A made-up token is refused, and the provider's keys can be fetched.",
      ).with(-1, 'PASSED  20 checks.'),
    );
    expect(code).toBe(0);
  });

  it('does not try the table without a token, and says so', async () => {
    const { code, lines } = await smoke(await withPeople(), ['--people']);
    expect(code).toBe(0);
    expect(lines).toContain('-       Not tried: Items, and with them the table: SMOKE_TOKEN has no token.');
    expect(lines.at(-1)).toBe('PASSED  6 checks. 1 not tried.');
  });

  it('takes a challenge by the other name that REST APIs and function URLs give it', async () => {
    const renamed = answers((answer) => {
      const challenge = answer.headers['www-authenticate'];
      return fields(answer, { 'www-authenticate': undefined, 'x-amzn-remapped-www-authenticate': challenge });
    });
    expect((await smoke(broken(await withPeople(), renamed), ['--people'], await aToken())).code).toBe(0);
  });

  it('sends GET alone to a stage whose calls must be signed, in each spelling of its paths', async () => {
    const called: string[] = [];
    const { code, lines } = await smoke(signedStage(called), ['--signed']);
    expect(code).toBe(0);
    expect(lines.slice(3, 5)).toEqual([
      'ok      Lists need a signature, however their path is spelled (403).',
      '-       Not tried: Items: this command signs no calls.',
    ]);
    expect(called.filter((call) => !call.startsWith('GET '))).toEqual([]);
    const lists = called
      .filter((call) => !call.includes('/swagger'))
      .map((call) => call.replace(/[\da-f-]{36}$/, 'KEY'));
    const upper = COLLECTION.toUpperCase();
    const escaped = `/%${COLLECTION.charCodeAt(1).toString(16)}${COLLECTION.slice(2)}`;
    const spelled = [COLLECTION, `${COLLECTION}/`, `/${COLLECTION}`, upper, escaped, `${COLLECTION}/KEY`];
    expect([...new Set(lists)]).toEqual(spelled.map((path) => `GET ${path}`));
  });

  it('tries what browsers ask before a page of an origin may call', async () => {
    const { code, lines } = await smoke(await aStage({ CORS_ORIGINS: ORIGIN }), ['--origin', ORIGIN]);
    expect(code).toBe(0);
    expect(lines.slice(4, 6)).toEqual([
      `ok      Pages of ${ORIGIN} may call.`,
      'ok      Pages of other origins may not.',
    ]);
    const all = await smoke(await aStage({ CORS_ORIGINS: '*' }), ['--origin', ORIGIN]);
    expect(all.code).toBe(0);
    expect(all.lines.filter((line) => line.startsWith('-'))).toEqual([
      '-       Not tried: Pages of other origins: any page may call.',
      '-       Not tried: Writes of other pages: any page may write.',
    ]);
  });

  /** A service that answers some requests with 503, and does nothing then. */
  async function busy(isRefused: (method: string, times: number) => boolean, applied?: false): Promise<Service> {
    const times = new Map<string, number>();
    const refusal = { status: 503, headers: {}, content: Buffer.from(JSON.stringify({ applied })) } as Answer;
    return broken(await aStage(), (call) => async (method, path, sent) => {
      const count = (times.get(method) ?? 0) + 1;
      times.set(method, count);
      return isRefused(method, count) ? refusal : call(method, path, sent);
    });
  }

  it('waits for a new stage that answers 5xx at first, as long as --wait says', async () => {
    const starting = () => busy((method, times) => method === 'GET' && times === 1);
    expect((await smoke(await starting(), ['--wait=30'])).code).toBe(0);
    const { lines } = await smoke(await starting(), ['--wait=0']);
    expect(lines[0]).toMatch(/^FAILED {2}GET \S+ answered 503/);
    expect(lines.at(-1)).toBe('FAILED  1 of 2 checks.');
  });

  it('repeats what surely was not applied, what only reads, and what has an Idempotency-Key', async () => {
    const refused = await smoke(await busy((method, times) => times === (method === 'GET' ? 3 : 1), false));
    expect(refused.code).toBe(0);
    const wordy = answers((answer) => (answer.status === 503 ? fields(answer, { 'retry-after': 'soon' }) : {}));
    const late = broken(await busy((method, times) => times === (method === 'GET' ? 3 : 1), false), wordy);
    expect((await smoke(late)).code).toBe(0);
    const unknown = await smoke(await busy((method, times) => times === { GET: 3, POST: 1 }[method]));
    expect(unknown.code).toBe(0);
  });

  it.each(['PATCH', 'PUT', 'DELETE'])('does not repeat a %s that may have been applied', async (refused) => {
    const { code, lines } = await smoke(await busy((method, times) => method === refused && times === 1));
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(new RegExp(`FAILED {2}${refused} \\S+ answered 503 instead of 204`));
  });

  it('tries the list three times, because other callers may change it meanwhile', async () => {
    const changing = async (times: number) => {
      let left = times;
      const fault = answers((answer, _method, path) => {
        if (answer.status !== 304 || !path.includes('after=') || left === 0) return {};
        left -= 1;
        const type = { 'content-type': 'application/json', etag: `"${left}"` };
        return { status: 200, content: Buffer.from('[]'), ...fields(answer, type) };
      });
      return broken(await aStage(), fault);
    };
    expect([(await smoke(await changing(2))).code, (await smoke(await changing(3))).code]).toEqual([0, 1]);
  });

  it('looks at the page that after leads to, where the list has more than a thousand items, and says so', async () => {
    const service = await aStage();
    for (let count = 0; count < 1_000; count += 1) await service.call('POST', COLLECTION, { body: EXAMPLE });
    const { code, lines } = await smoke(service);
    expect(code).toBe(0);
    expect(lines).toContain(
      'ok      The list has it on the page that after leads to. It has more than 1000 items; the others were not read.',
    );
    expect((await service.call('GET', COLLECTION)).json.length).toBeGreaterThan(1_000);
  });

  it('does not look for the item in a list that goes on, where the document has no way to its other pages', async () => {
    const long = answers((answer, _method, path) => (isWhole(path) ? fields(answer, { link: '<a>; rel="next"' }) : {}));
    const service = lacking(broken(await aStage(), long), (_operation, parameter) => parameter === 'after');
    const { code, lines } = await smoke(service);
    expect(lines.filter((line) => line.startsWith('-'))).toEqual([
      '-       Not tried: The list: it goes on, and the document has no way to its other pages.',
    ]);
    expect(code).toBe(0);
  });

  it('needs a second item to try Link, and says so', async () => {
    const service = await aStage();
    for (const { key } of (await service.call('GET', COLLECTION)).json)
      await service.call('DELETE', `${COLLECTION}/${key}`);
    const { code, lines } = await smoke(service);
    expect(code).toBe(0);
    expect(lines).toContain('-       Not tried: Link: the list has just one item.');
  });
});

describe('what the document does not have is not tried, and named:', () => {
  it.each<[what: string, lacks: (operation: string, parameter: string | undefined) => boolean, skipped: string[]]>([
    [
      'PATCH and all parameters',
      (operation, parameter) => operation.startsWith('patch') || parameter !== undefined,
      ['Idempotency-Key', 'If-None-Match', 'PATCH', 'Pages of the list'],
    ],
    [
      'PUT, If-None-Match of the list, and If-Match',
      (operation, parameter) =>
        operation.startsWith('put') ||
        parameter === 'If-Match' ||
        (operation === `get ${COLLECTION}` && parameter === 'If-None-Match'),
      ['If-Match', 'PUT', 'If-None-Match of the list'],
    ],
    ['PATCH and PUT', (operation) => /^p(atch|ut)/.test(operation), ['PATCH', 'PUT']],
    ['the list', (operation) => operation === `get ${COLLECTION}`, ['The list']],
  ])('%s', async (_what, lacks, skipped) => {
    const service = await aStage();
    const { json: before } = await service.call('GET', COLLECTION);
    const { code, lines } = await smoke(lacking(service, lacks));
    expect(lines.filter((line) => /^(FAILED|-)/.test(line))).toEqual(
      skipped.map((what) => `-       Not tried: ${what}: the document has none.`),
    );
    expect(code).toBe(0);
    expect((await service.call('GET', COLLECTION)).json).toEqual(before);
  });

  it.each(['get', 'delete'])(
    'all of items without %s, because their item could not be recognized and deleted',
    async (method) => {
      const called: string[] = [];
      const service = broken(await aStage(), (call) => (verb, ...sent) => {
        called.push(verb);
        return call(verb, ...sent);
      });
      const { code, lines } = await smoke(
        lacking(service, (operation) => operation.startsWith(`${method} `) && operation.includes('{')),
      );
      expect(code).toBe(0);
      expect(lines).toContain(
        `-       Not tried: Items, because none could be recognized and deleted: the document has no ${method.toUpperCase()}.`,
      );
      expect(called).not.toContain('POST');
    },
  );
});
