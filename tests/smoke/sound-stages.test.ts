import { describe, expect, it, jest } from '@jest/globals';
import { typicalGateways } from '../support/gateways/gateways.js';
import type { Answer } from '../support/service/answer.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';
import {
  answers,
  aStage,
  aTable,
  aToken,
  broken,
  type Fault,
  fields,
  isOpen,
  json,
  signedStage,
  smoke,
  theProvider,
  withPeople,
} from './stage.js';

const ORIGIN = 'https://app.example.com';
const LINES = [
  'ok      The stage answers, and describes itself.',
  'ok      Documents and page are those of this checkout.',
  'ok      Paths lead through the address, plain and encoded.',
  'ok      Compressed answers and those to HEAD are like those to GET.',
  'ok      It lets in those who may call, and nobody else.',
  'ok      Pages of the expected origin may call, and those of others may not.',
  'ok      The list can be read.',
  'ok      Errors come as problems, and each query parameter arrives.',
  'ok      An item is created as it was sent, once for an Idempotency-Key.',
  'ok      It is changed at the version that If-Match names, and at no other.',
  'ok      Pages of another origin cannot write.',
  'ok      The list has it once, and its pages lead on.',
  'ok      It is deleted, and found no more.',
  'ok      No other item is lost or changed.',
  expect.stringMatching(
    /^ok {6}The first answer took N ms, the others N ms \(median of \d+\), the third slowest N ms\.$/,
  ),
  'ok      A body of 9000 bytes arrives.',
  'PASSED  16 checks.',
];

const itemsOf = async (service: Service) => (await service.call('GET', COLLECTION)).json;

/** The lines that neither pass nor give the verdict. */
const othersIn = (lines: readonly string[]) => lines.slice(0, -1).filter((line) => !line.startsWith('ok'));

it('says what passes, and leaves the list as it was', async () => {
  const service = await aStage(await aTable());
  const before = await itemsOf(service);
  expect(await smoke(service)).toEqual({ code: 0, lines: LINES });
  expect(await itemsOf(service)).toEqual(before);
});

it.each(typicalGateways.map((gateway) => [gateway.name, gateway] as const))(
  'passes behind %s',
  async (_name, gateway) => {
    const { lines } = await smoke(startDeployed(gateway, { CORS_ORIGINS: ORIGIN }), ['--origin', ORIGIN]);
    expect(lines).toEqual(LINES);
  },
);

it('tries a stage where people sign in, its items only with a token', async () => {
  // REST APIs and function URLs rename the field.
  const renamed = answers((answer) => {
    const challenge = answer.headers['www-authenticate'];
    return fields(answer, { 'www-authenticate': undefined, 'x-amzn-remapped-www-authenticate': challenge });
  });
  const service = broken(await withPeople({ TOKEN_CLIENT: 'app' }), renamed);
  expect((await smoke(service, ['--people'], await aToken())).lines).toEqual(LINES);
  const { lines } = await smoke(service, ['--people']);
  expect(othersIn(lines)).toEqual(['-       The list, items and errors. Not tried because SMOKE_TOKEN has no token.']);
  expect(lines.at(-1)).toBe('PASSED  7 checks. 1 not tried.');
});

it('names the scope that the token lacks, because a stage may be configured with another one', async () => {
  const scopes = { TOKEN_READ_SCOPE: 'read', TOKEN_WRITE_SCOPE: 'write' };
  const token = await (await theProvider()).sign({ scope: 'read' });
  const { code, lines } = await smoke(await withPeople(scopes), ['--people'], token);
  expect([code, othersIn(lines)[0]]).toEqual([1, expect.stringMatching(/^FAILED.* 403 insufficient-scope \(.*write/)]);
});

it('writes nothing where calls must be signed', async () => {
  const { code, lines } = await smoke(signedStage(), ['--signed']);
  const notTried = '-       The list, items and errors. Not tried because this command signs no calls.';
  expect([code, othersIn(lines)]).toEqual([0, [notTried]]);
  const withOrigin = await smoke(signedStage(), ['--signed', '--origin', ORIGIN]);
  expect(othersIn(withOrigin.lines)).toEqual([
    expect.stringContaining('lets in nothing, not https://app.example.com'),
    notTried,
  ]);
});

it('does not try what any page may do', async () => {
  const { lines } = await smoke(await aStage({ CORS_ORIGINS: '*' }), ['--origin', ORIGIN]);
  expect(othersIn(lines)).toEqual([
    '-       Pages of another origin cannot write. Not tried because pages of any origin may write.',
  ]);
});

it('does not compare another release with this checkout, and does not try what it lacks', async () => {
  const describing = (change: (item: object) => object): Fault =>
    answers(({ json: document }, _method, path) => {
      if (!isOpen(path) || document === undefined) return {};
      const { [`${COLLECTION}/{id}`]: item, ...paths } = document.paths;
      return json({ ...document, paths: { ...paths, ...change(item) } });
    });
  const former = describing(({ patch: _, ...item }: { patch?: object }) => ({ [`${COLLECTION}/{id}`]: item }));
  const { lines } = await smoke(broken(await aStage(), former), ['--any-release']);
  expect(othersIn(lines)).toEqual([
    '-       Documents and page are those of this checkout. Not tried because of --any-release.',
    '-       It is changed at the version that If-Match names, and at no other. Not tried because the document has no PATCH item If-Match.',
    '-       Pages of another origin cannot write. Not tried because the document has no PATCH item.',
  ]);
  const { lines: others } = await smoke(
    broken(
      await aStage(),
      describing(() => ({})),
    ),
    ['--any-release'],
  );
  expect(othersIn(others).slice(1)).toEqual([
    '-       The list can be read. Not tried because the document has no GET item, no DELETE item.',
    expect.stringContaining('-       Errors come as problems'),
  ]);
});

it('tells of a firewall that rejects long bodies, which is no fault', async () => {
  const rejecting: Fault = (call) => async (method, path, sent) => {
    const isLong = String(sent?.body ?? '').length > 8_192;
    return isLong
      ? ({ status: 403, headers: {}, ...json({ message: 'Forbidden' }) } as Answer)
      : call(method, path, sent);
  };
  const { code, lines } = await smoke(broken(await aStage(), rejecting));
  expect([code, othersIn(lines)]).toEqual([
    0,
    [
      `-       A body of 9000 bytes does not arrive: POST /live${COLLECTION} answered 403 (Forbidden). AWS WAF's core rules reject more than 8,192, for example.`,
    ],
  ]);
});

describe('a sound stage may', () => {
  /** Answers some requests of each method with another status: without doing anything, or after it. */
  async function busy(
    status: number,
    isBusy: (times: number, method: string) => boolean,
    isApplied = false,
  ): Promise<Service> {
    const times = new Map<string, number>();
    return broken(await aStage(), (call) => async (method, path, sent) => {
      const count = (times.get(method) ?? 0) + 1;
      times.set(method, count);
      if (!isBusy(count, method)) return call(method, path, sent);
      if (isApplied) await call(method, path, sent);
      return { status, headers: {}, ...json({}) } as Answer;
    });
  }

  it.each([
    [429, 'is throttled'],
    [503, 'is busy'],
    [0, 'loses answers'],
  ])('answer every third request with %s, because it %s', async (status) => {
    const { lines } = await smoke(await busy(status, (times) => times % 3 === 0));
    expect(othersIn(lines)).toEqual([]);
  });

  it('apply writes and lose the answers: then GET decides', async () => {
    const isWrite = (times: number, method: string) => times % 2 === 1 && /P|DELETE/.test(method);
    const { lines } = await smoke(await busy(0, isWrite, true));
    expect(othersIn(lines)).toEqual([]);
  });

  it('fail at first, for as long as --wait says', async () => {
    const starting = () => busy(500, (times, method) => times === 1 && method === 'GET');
    expect((await smoke(await starting(), ['--wait=30'])).lines).toEqual(LINES);
    expect((await smoke(await starting())).lines).toEqual([
      expect.stringMatching(/^FAILED {2}The stage answers.* answered 500 for 0 s\./),
      'FAILED  1 of 1 checks.',
    ]);
  });

  it('have other callers, who change the list all the time', async () => {
    const keys: string[] = [];
    const busyList: Fault = (call) => async (method, path, sent) => {
      keys.push((await call('POST', COLLECTION, { body: EXAMPLE })).json.key);
      if (keys.length > 2) await call('DELETE', `${COLLECTION}/${keys.shift()}`);
      return call(method, path, sent);
    };
    const { lines } = await smoke(broken(await aStage(), busyList));
    expect(othersIn(lines)).toEqual([
      '-       No other item is lost or changed. Not tried because other callers are changing the list.',
    ]);
  });

  it('have more than a thousand items, or none', async () => {
    const service = await aStage();
    for (let count = 0; count < 1_000; count += 1) await service.call('POST', COLLECTION, { body: EXAMPLE });
    expect((await smoke(service)).lines).toEqual(LINES);
    const empty = await aStage();
    for (const { key } of await itemsOf(empty)) await empty.call('DELETE', `${COLLECTION}/${key}`);
    expect((await smoke(empty)).lines).toEqual(LINES);
  });
});

it('an answer that takes long is no fault, three are', async () => {
  const slow = async (count: number) => {
    let [now, reads] = [0, 0];
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
      reads += 1;
      // Each request reads the clock twice; the first one has a time of its own.
      now += reads % 2 === 0 && reads > 2 && reads <= 2 + 2 * count ? 5_001 : 1;
      return now;
    });
    return smoke(await aStage()).finally(() => clock.mockRestore());
  };
  expect((await slow(2)).code).toBe(0);
  const { lines } = await slow(3);
  expect(othersIn(lines)).toEqual([
    expect.stringMatching(/^FAILED {2}The first .*\. That is slow\. docs\/scaling\.md\.$/),
  ]);
});
