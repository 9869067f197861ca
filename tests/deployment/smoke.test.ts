import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyBefore } from '../../serverless/smoke/item.js';
import { readOptions } from '../../serverless/smoke/options.js';
import { runSmoke } from '../../serverless/smoke/run.js';
import { environmentOf, startTables } from '../support/dynamodb/tables.js';
import { restUnder } from '../support/gateways/gateways.js';
import { listen } from '../support/listen.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import type { Answer } from '../support/service/answer.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION } from '../support/service/documented.js';
import { serve } from '../support/service/serve.js';
import type { Service } from '../support/service/service.js';

const ORIGIN = 'https://app.example.com';
const LIVE = restUnder('/live');
const tables = startTables();
const stops: (() => unknown)[] = [];
let provider: Provider;
let ada: string;

beforeAll(async () => {
  provider = await startProvider();
  ada = await provider.sign();
});

afterAll(async () => {
  for (const stop of stops) stop();
  await provider.stop();
  await (await tables).stop();
});

/** Serves a service, and runs the command with its URL, some options, and a token. */
async function smoke(service: Service, options: readonly string[] = [], SMOKE_TOKEN = '', interrupted = NEVER) {
  const { url, stop } = await serve(service);
  stops.push(stop);
  const lines: string[] = [];
  const words = [`${url}/swagger/ui`, '--wait=0', ...options];
  const code = await runSmoke(words, { SMOKE_TOKEN }, (line) => lines.push(line), interrupted);
  // Keys and times differ from run to run.
  const transcript = lines.map((line) => line.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'KEY').replace(/\d+ ms/g, 'N ms'));
  return { code, lines: transcript };
}

const NEVER = new AbortController().signal;

/** A stage where people sign in. */
async function withPeople(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const table = environmentOf(await (await tables).create());
  return startDeployed(LIVE, { ...table, TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE, ...environment });
}

/** A service whose answers are changed on the way. */
function changed(service: Service, change: (answer: Answer, method: string, path: string) => Partial<Answer>): Service {
  return {
    ...service,
    async call(method, path, sent) {
      const answer = await service.call(method, path, sent);
      return { ...answer, ...change(answer, method, path) };
    },
  };
}

/** A service whose document does not have some operations, named by method and path, or some of their parameters. */
function lacking(service: Service, lacks: (operation: string, parameter?: string) => boolean): Service {
  type Operation = { parameters?: { in: string; name: string }[] };
  return changed(service, ({ json }, _method, path) => {
    if (!path.endsWith('openapi.json')) return {};
    for (const [url, operations] of Object.entries<Record<string, Operation>>(json.paths))
      for (const [method, operation] of Object.entries(operations)) {
        const name = `${method} ${url}`;
        if (lacks(name)) delete operations[method];
        operation.parameters = (operation.parameters ?? []).filter(
          (parameter) => parameter.in === 'path' || !lacks(name, parameter.name),
        );
      }
    return { content: Buffer.from(JSON.stringify(json)) };
  });
}

const TRANSCRIPT = [
  'ok      The page is there, with a Content-Security-Policy.',
  'ok      Both documents are there, and name the server that they came from.',
  'ok      Page and documents have their security header fields.',
  'ok      Everybody may call.',
  `ok      An item is created at /live${COLLECTION}/KEY.`,
  'ok      The same Idempotency-Key creates no second item.',
  'ok      It is found as it was created, and caches may not store it.',
  'ok      A caller who has its entity tag gets 304.',
  'ok      It is changed at the version that If-Match names, and at no other (412).',
  'ok      A write from a page of another origin is refused.',
  'ok      The list has it.',
  'ok      A caller who has the list’s entity tag gets 304.',
  'ok      The item is deleted, and found no more.',
  'ok      The list has it no more.',
  'The first answer took N ms, the others N ms (median of 19).',
];

describe('npm run smoke', () => {
  it.each([
    ['in memory', async () => startDeployed(LIVE)],
    ['in a table', async () => startDeployed(LIVE, environmentOf(await (await tables).create()))],
  ])('says what holds of a stage that keeps its items %s, and leaves its list as it was', async (_where, start) => {
    const service = await start();
    const list = async () => (await service.call('GET', COLLECTION)).json;
    const before = await list();
    expect(await smoke(service)).toEqual({ code: 0, lines: TRANSCRIPT });
    expect(await list()).toEqual(before);
  });

  it('tries a stage where people sign in as nobody, with a made-up token, and as somebody', async () => {
    const { code, lines } = await smoke(await withPeople(), ['--people'], ada);
    expect(code).toBe(0);
    expect(lines).toEqual(
      TRANSCRIPT.toSpliced(
        3,
        1,
        'ok      Without a token, nobody sees a list (401).',
        "ok      A made-up token is refused, and the provider's keys can be fetched.",
      ).with(-1, 'The first answer took N ms, the others N ms (median of 20).'),
    );
  });

  it('does not try the table without a token, and says so', async () => {
    const { code, lines } = await smoke(await withPeople(), ['--people']);
    expect(code).toBe(0);
    expect(lines.at(-2)).toBe('-       Not tried: Items, and with them the table: SMOKE_TOKEN has no token.');
  });

  it('takes a challenge by the other name that REST APIs and function URLs give it', async () => {
    const renamed = changed(await withPeople(), ({ headers }) => {
      const { 'www-authenticate': challenge, ...others } = headers;
      return { headers: { ...others, ...(challenge && { 'x-amzn-remapped-www-authenticate': challenge }) } };
    });
    expect((await smoke(renamed, ['--people'], ada)).code).toBe(0);
  });

  it('sends GET alone to a stage whose calls must be signed, in each spelling of its paths', async () => {
    const called: string[] = [];
    const { code, lines } = await smoke(signedService(called), ['--signed']);
    expect(code).toBe(0);
    expect(lines[3]).toBe('ok      Without a signature, nobody sees a list, however its path is spelled (403).');
    expect(lines[4]).toBe('-       Not tried: Items: this command signs no calls.');
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
    const service = startDeployed(LIVE, { CORS_ORIGINS: ORIGIN });
    const { code, lines } = await smoke(service, ['--origin', ORIGIN]);
    expect(code).toBe(0);
    expect(lines.slice(4, 6)).toEqual([
      `ok      Pages of ${ORIGIN} may call.`,
      'ok      Pages of other origins may not.',
    ]);
    const all = await smoke(startDeployed(LIVE, { CORS_ORIGINS: '*' }), ['--origin', ORIGIN]);
    expect(all.code).toBe(0);
    expect(all.lines.filter((line) => line.startsWith('-'))).toEqual([
      '-       Not tried: Pages of other origins: any page may call.',
      '-       Not tried: Writes of other pages: any page may write.',
    ]);
  });

  /** A service that answers some requests with 503, and does nothing then. */
  function busy(isRefused: (method: string, times: number) => boolean, applied?: false): Service {
    const service = startDeployed(LIVE);
    const times = new Map<string, number>();
    const refusal = { status: 503, headers: {}, content: Buffer.from(JSON.stringify({ applied })) } as Answer;
    return {
      ...service,
      async call(method, path, sent) {
        const count = (times.get(method) ?? 0) + 1;
        times.set(method, count);
        return isRefused(method, count) ? refusal : service.call(method, path, sent);
      },
    };
  }

  it('waits for a new stage that answers 5xx at first, as long as --wait says', async () => {
    const starting = () => busy((method, times) => method === 'GET' && times === 1);
    expect((await smoke(starting(), ['--wait=30'])).code).toBe(0);
    expect((await smoke(starting(), ['--wait=0'])).lines[0]).toMatch(/^FAILED {2}GET \S+ answered 503/);
  });

  it('repeats what surely was not applied, what only reads, and what has an Idempotency-Key', async () => {
    const refused = await smoke(busy((method, times) => times === (method === 'GET' ? 3 : 1), false));
    expect(refused.code).toBe(0);
    const unknown = await smoke(busy((method, times) => times === { GET: 3, POST: 1 }[method]));
    expect(unknown.code).toBe(0);
  });

  it.each(['PATCH', 'DELETE'])('does not repeat a %s that may have been applied', async (refused) => {
    const { code, lines } = await smoke(busy((method, times) => method === refused && times === 1));
    expect(code).toBe(1);
    expect(lines.at(-2)).toMatch(new RegExp(`${refused} \\S+ answered 503 instead of 204`));
  });

  it('tries the list’s entity tag three times, because somebody else may change the list meanwhile', async () => {
    const changing = (times: number) => {
      let left = times;
      return changed(startDeployed(LIVE), ({ status, headers }, _method, path) => {
        if (status !== 304 || !path.includes('after=') || left === 0) return {};
        left -= 1;
        return { status: 200, headers: { ...headers, etag: `"${left}"` } };
      });
    };
    expect([(await smoke(changing(2))).code, (await smoke(changing(3))).code]).toEqual([0, 1]);
  });

  it.each<[what: string, lacks: (operation: string, parameter: string | undefined) => boolean, skipped: string[]]>([
    [
      'PATCH and all parameters',
      (operation, parameter) => operation.startsWith('patch') || parameter !== undefined,
      ['Idempotency-Key', 'If-None-Match', 'PATCH', 'Pages of the list'],
    ],
    [
      'If-None-Match of the list, and If-Match',
      (operation, parameter) =>
        parameter === 'If-Match' || (operation === `get ${COLLECTION}` && parameter === 'If-None-Match'),
      ['If-Match', 'If-None-Match of the list'],
    ],
    ['DELETE', (operation) => operation.startsWith('delete'), ['DELETE']],
    ['GET of an item', (operation) => operation.startsWith('get') && operation.includes('{'), ['GET of an item']],
  ])('skips what the document does not have, and names it: %s', async (_what, lacks, skipped) => {
    const service = startDeployed(LIVE);
    const { json: before } = await service.call('GET', COLLECTION);
    const { code, lines } = await smoke(lacking(service, lacks));
    expect(code).toBe(0);
    expect(lines.filter((line) => line.startsWith('-'))).toEqual(
      skipped.map((what) => `-       Not tried: ${what}: the document has none.`),
    );
    expect((await service.call('GET', COLLECTION)).json).toEqual(before);
  });

  it('deletes its item when it is interrupted', async () => {
    const service = startDeployed(LIVE);
    const { json: before } = await service.call('GET', COLLECTION);
    const interruption = new AbortController();
    const watched = changed(service, (answer, method) => {
      if (method === 'POST') interruption.abort();
      return answer;
    });
    const { code, lines } = await smoke(watched, [], '', interruption.signal);
    expect(code).toBe(1);
    expect(lines.at(-2)).toBe('FAILED  The command was interrupted.');
    expect((await service.call('GET', COLLECTION)).json).toEqual(before);
  });
});

it('npm run smoke deletes its item when Ctrl+C is pressed, even twice, which reaches all processes of the command', async () => {
  const service = startDeployed(LIVE);
  const { json: before } = await service.call('GET', COLLECTION);
  const watched: Service = {
    ...service,
    async call(method, path, sent) {
      const answer = await service.call(method, path, sent);
      for (let pressed = 0; method === 'POST' && pressed < 2; pressed += 1) {
        process.kill(-(child.pid as number), 'SIGINT');
        await setTimeout(100);
      }
      return answer;
    },
  };
  const { url, stop } = await serve(watched);
  stops.push(stop);
  const child = spawn('npm', ['run', 'smoke', '--', url, '--wait=0'], { detached: true });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(printed).toContain('FAILED  The command was interrupted.');
  expect((await service.call('GET', COLLECTION)).json).toEqual(before);
});

/** Behind a gateway that refuses what is not signed: it compares paths letter by letter. */
function signedService(called: string[] = []): Service {
  const service = startDeployed(LIVE);
  const refusal = { status: 403, headers: {}, content: Buffer.from('{"message":"Missing Authentication Token"}') };
  return {
    ...service,
    async call(method, path, sent) {
      called.push(`${method} ${path}`);
      const isOpen = path === '/' || path.startsWith('/swagger/') || method === 'OPTIONS';
      return isOpen ? service.call(method, path, sent) : (refusal as Answer);
    },
  };
}

describe('npm run smoke finds', () => {
  const failing = async (service: Service | Promise<Service>, options: readonly string[] = [], token = '') => {
    const { code, lines } = await smoke(await service, options, token);
    expect(code).toBe(1);
    return lines.filter((line) => line.startsWith('FAILED')).join('\n');
  };

  it('a table that is not there', async () => {
    const table = environmentOf({ ...(await (await tables).create()), name: 'another' });
    expect(await failing(startDeployed(LIVE, table))).toMatch(
      /^FAILED {2}GET \/live\/\S+ answered 50[03] .* docs\/incidents\.md/,
    );
  });

  it('a provider whose keys cannot be fetched', async () => {
    const lines = await failing(withPeople({ TOKEN_ISSUER: 'http://127.0.0.1:9' }), ['--people']);
    expect(lines).toMatch(/503 .*The provider's keys cannot be fetched: docs\/authorization\.md/);
  });

  it('another audience than that of the tokens', async () => {
    const lines = await failing(withPeople({ TOKEN_AUDIENCE: 'another' }), ['--people'], ada);
    expect(lines).toMatch(/answered 401 \("The token is for another audience\./);
  });

  it('a stage that is open although people should sign in, or sign their calls', async () => {
    expect(await failing(startDeployed(LIVE), ['--people'])).toMatch(/answered 200 instead of 401\. It should ask/);
    expect(await failing(startDeployed(LIVE), ['--signed'])).toMatch(/answered 200 instead of 403\. It needs no/);
  });

  it('a stage that is closed although everybody should call, and says which option it may need', async () => {
    expect(await failing(withPeople())).toMatch(
      /instead of 200\. It asks for a token\. If people sign in here, add --people/,
    );
    expect(await failing(signedService())).toMatch(
      /instead of 200\. It may ask for signed calls\. If so, add --signed/,
    );
  });

  it('another stage in the URL', async () => {
    const { url, stop } = await serve(startDeployed(LIVE));
    stops.push(stop);
    const lines: string[] = [];
    const wrong = url.replace('/live', '/liv');
    expect(await runSmoke([wrong, '--wait=0'], {}, (line) => lines.push(line), NEVER)).toBe(1);
    expect(lines[0]).toMatch(/^FAILED {2}GET \/liv\/swagger\/v1\/openapi\.json answered 403 .* Is this the PageUrl/);
  });

  it('a prefix that is lost on the way', async () => {
    const service = startDeployed(undefined);
    const lines = await failing({ ...service, prefix: '/behind' });
    expect(lines).toMatch(/The document names the server \S+ instead of \/behind\//);
    expect(lines).toMatch(/Location is \/\S+ instead of \/behind\//);
  });

  it('a list that is open to made-up tokens, or that asks for a token without a challenge', async () => {
    const lists: Answer[] = [];
    const naive = changed(await withPeople(), (answer, _method, path) => {
      if (path === COLLECTION) lists.push(answer);
      return path === COLLECTION && lists.length === 3 ? { status: 200 } : {};
    });
    expect(await failing(naive, ['--people'])).toMatch(/answered 200 .*instead of 401\. The log says more/);
    const mute = changed(await withPeople(), ({ headers: { 'www-authenticate': _, ...headers } }) => ({ headers }));
    expect(await failing(mute, ['--people'])).toMatch(/without a challenge/);
  });

  it.each([COLLECTION.toUpperCase(), `/swagger${COLLECTION}`])('a way around the signature: %s', async (open) => {
    const lines = await failing(
      changed(signedService(), (_answer, _method, path) => (path === open ? { status: 200 } : {})),
      ['--signed'],
    );
    expect(lines).toMatch(/answered 200 .*instead of 40[34]\./);
  });

  it.each<[what: string, method: string, headers: Readonly<Record<string, string>>, fault: RegExp]>([
    ['no origin', 'OPTIONS', { 'access-control-allow-origin': 'null' }, /A preflight lets null call/],
    ['no POST', 'OPTIONS', { 'access-control-allow-methods': 'GET' }, /A preflight allows GET, but not POST/],
    ['no body', 'OPTIONS', { 'access-control-allow-headers': 'authorization' }, /allows the fields authorization\./],
    ['no token', 'OPTIONS', { 'access-control-allow-headers': 'content-type' }, /allows the fields content-type\./],
    ['no reading', 'GET', { 'access-control-allow-origin': 'null' }, /answered 200, and lets null read that/],
    ['no Location', 'GET', { 'access-control-expose-headers': 'ETag' }, /Pages can read ETag only/],
    ['no ETag', 'GET', { 'access-control-expose-headers': 'Location' }, /Pages can read Location only/],
  ])('CORS that lets pages send or read too little: %s', async (_what, method, headers, fault) => {
    const service = changed(startDeployed(LIVE, { CORS_ORIGINS: ORIGIN }), (answer, calledBy) =>
      calledBy === method ? { headers: { ...answer.headers, ...headers } } : {},
    );
    expect(await failing(service, ['--origin', ORIGIN])).toMatch(fault);
  });

  it('an origin whose pages may not call, others that may, and a preflight that is refused', async () => {
    const options = ['--origin', ORIGIN];
    expect(await failing(startDeployed(LIVE), options)).toMatch(
      /A preflight lets no origin call\. corsOrigins says who/,
    );
    const wide = startDeployed(LIVE, { CORS_ORIGINS: `${ORIGIN},https://smoke.invalid` });
    expect(await failing(wide, options)).toMatch(/Pages of another origin may call, too/);
    const refusing = changed(startDeployed(LIVE, { CORS_ORIGINS: ORIGIN }), (_answer, method) =>
      method === 'OPTIONS' ? { status: 403 } : {},
    );
    expect(await failing(refusing, options)).toMatch(/OPTIONS \S+ answered 403 instead of 204/);
  });

  const without = (name: string) => (answer: Answer) => ({ headers: { ...answer.headers, [name]: '' } });
  const created = (change: (answer: Answer) => Partial<Answer>) => (answer: Answer, method: string) =>
    method === 'POST' ? change(answer) : answer;
  const isItem = (path: string) => path.startsWith(`${COLLECTION}/`);
  const isPage = (path: string) => path.startsWith(`${COLLECTION}?`);

  it.each<[what: string, change: Parameters<typeof changed>[1], fault: RegExp]>([
    ['no policy of the page', without('content-security-policy'), /^FAILED {2}The page's policy is /],
    [
      'a page that may evaluate text',
      ({ headers }) => {
        const policy = `${headers['content-security-policy']}; script-src 'unsafe-eval'`;
        return { headers: { ...headers, 'content-security-policy': policy } };
      },
      /^FAILED {2}The page's policy is .*unsafe-eval/,
    ],
    ['no nosniff', without('x-content-type-options'), /without nosniff/],
    [
      'a page or document without an ETag',
      ({ headers: { etag: _, ...headers } }, _method, path) => (path.startsWith('/swagger') ? { headers } : {}),
      /GET \/live\/swagger\/ui answered 200 without an ETag/,
    ],
    [
      'another format of the document',
      ({ text }, _method, path) =>
        path.endsWith('swagger.json') ? { content: Buffer.from(text.replace('"2.0"', '"3.0"')) } : {},
      /not with Swagger 2\.0/,
    ],
    [
      'a base path in the document, which may be another than the caller’s',
      ({ json }, _method, path) =>
        path.endsWith('swagger.json') ? { content: Buffer.from(JSON.stringify({ ...json, basePath: '/dev' })) } : {},
      /not with Swagger 2\.0 and the basePath \/\./,
    ],
    [
      'an item that is not the one created',
      (answer, method, path) =>
        method === 'GET' && isItem(path) && answer.status === 200 ? { content: Buffer.from('{}') } : answer,
      /the item is not the one that was created/,
    ],
    [
      'items that caches store',
      (answer, method, path) => (method === 'GET' && isItem(path) ? without('cache-control')(answer) : answer),
      /Cache-Control: +instead of no-store/,
    ],
    [
      'no ETag of an item',
      created(({ headers: { etag: _, ...headers } }) => ({ headers })),
      /answered 201 without an ETag/,
    ],
    [
      'an item that is sent again',
      (answer) => (answer.status === 304 ? { status: 200 } : answer),
      /answered 200 .*instead of 304/,
    ],
    [
      'a list that is sent again',
      (answer, _method, path) => (isPage(path) && answer.status === 304 ? { status: 200 } : answer),
      /after=\S+ answered 200 instead of 304/,
    ],
    [
      'a condition that is not looked at',
      (answer) => (answer.status === 412 ? { status: 204 } : answer),
      /answered 204 instead of 412/,
    ],
    [
      'writes from other pages',
      (answer) => (answer.status === 403 ? { status: 204 } : answer),
      /Pages of other origins can write/,
    ],
    [
      'a list without the new item',
      (answer, _method, path) => (isPage(path) && answer.status === 200 ? { content: Buffer.from('[]') } : answer),
      /without the new item/,
    ],
    [
      'a Link without the prefix',
      (answer, _method, path) =>
        isPage(path) ? { headers: { ...answer.headers, link: `<${COLLECTION}?after=1>; rel="next"` } } : answer,
      /Link leads to /,
    ],
    [
      'an item that stays after its deletion',
      (answer, method, path) => (method === 'GET' && isItem(path) && answer.status === 404 ? { status: 200 } : answer),
      /answered 200 .*instead of 404/,
    ],
  ])('%s', async (_what, change, fault) => {
    expect(await failing(changed(startDeployed(LIVE), change))).toMatch(fault);
  });

  it('a second item for the same Idempotency-Key, and deletes both', async () => {
    const service = startDeployed(LIVE);
    const { json: before } = await service.call('GET', COLLECTION);
    const forgetful: Service = {
      ...service,
      call(method, path, { headers: { 'idempotency-key': _, ...headers } = {}, ...sent } = {}) {
        return service.call(method, path, { ...sent, headers });
      },
    };
    expect(await failing(forgetful)).toMatch(/The same Idempotency-Key created a second item/);
    expect((await service.call('GET', COLLECTION)).json).toEqual(before);
  });

  it('a list that has the item still after its deletion', async () => {
    let listed: Answer | undefined;
    let isDeleted = false;
    const stale = changed(startDeployed(LIVE), (answer, method, path) => {
      if (method === 'DELETE') isDeleted = true;
      if (!isPage(path) || answer.status !== 200) return {};
      listed ??= answer;
      return isDeleted ? { content: listed.content } : {};
    });
    expect(await failing(stale)).toMatch(/with the deleted item\.$/);
  });

  it('an item that cannot be deleted, and says where it is', async () => {
    const stuck = changed(startDeployed(LIVE), (answer, method) =>
      method === 'DELETE' ? { status: 500, content: Buffer.from('{}') } : answer,
    );
    expect(await failing(stuck)).toMatch(
      new RegExp(`DELETE .* answered 500.*delete ${COLLECTION}/\\S+ yourself\\.$`, 'm'),
    );
  });
});

describe('npm run smoke takes', () => {
  const read = (words: string, SMOKE_TOKEN = '') => readOptions(words.split(' '), { SMOKE_TOKEN });
  const TOKEN = 'abc.def.ghi';

  it('the address of the page or of the service', () => {
    for (const end of ['', '/', '/swagger/ui', '/swagger/ui/', '/swagger'])
      expect(read(`https://example.com/live${end}`).url).toBe('https://example.com/live');
    expect(read('http://localhost:3000').url).toBe('http://localhost:3000');
    expect(read('https://example.com/swagger/ui')).toEqual({
      url: 'https://example.com',
      people: false,
      signed: false,
      origin: undefined,
      wait: 60,
      token: undefined,
    });
  });

  it.each([
    ['', 'It takes one URL; got ""'],
    ['https://a.example https://b.example', 'It takes one URL; got 2'],
    ['example.com', '"example.com" is no address'],
    ['ftp://example.com', 'is no address'],
    ['https://example.com?a=1', 'is no address'],
    ['https://example.com#a', 'is no address'],
    ['https://ann@example.com', 'is no address'],
    ['https://example.com --person', "Unknown option '--person'"],
    ['https://example.com --wait', "'--wait <value>' argument missing"],
    ['https://example.com --wait=soon', '--wait takes seconds'],
    ['https://example.com --people --signed', 'exclude each other'],
    ['https://example.com --origin example.com', '--origin takes an origin'],
  ])('not "%s", and says why', (words, reason) => {
    expect(() => read(words)).toThrow(reason.replace('It takes one URL; got ""', '"" is no address'));
    expect(() => read(words)).toThrow('\nUsage: npm run smoke -- URL [--people]');
  });

  it('a token from SMOKE_TOKEN alone, for https or this machine, and never prints it', () => {
    expect(read('https://example.com --people', ` ${TOKEN}\n`).token).toBe(TOKEN);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:80'])
      expect(read(`http://${host} --people`, TOKEN).token).toBe(TOKEN);
    for (const [words, token, reason] of [
      ['http://example.com --people', TOKEN, 'https only'],
      ['http://localhost.example.com --people', TOKEN, 'https only'],
      ['https://example.com', TOKEN, 'add --people'],
      ['https://example.com --people', 'Bearer abc', 'no bearer token'],
    ] as const) {
      expect(() => read(words, token)).toThrow(reason);
      expect(() => read(words, token)).not.toThrow(TOKEN);
    }
  });
});

it('a token is sent to the origin of the URL alone: redirects are not followed', async () => {
  const seen: string[] = [];
  const elsewhere = createServer(({ method, url }, response) => {
    seen.push(`${method} ${url}`);
    response.end('{}');
  });
  const other = await listen(elsewhere);
  const redirecting = createServer((_request, response) =>
    response.writeHead(302, { location: `http://${other}/` }).end(),
  );
  const url = `http://${await listen(redirecting)}`;
  stops.push(
    () => elsewhere.close(),
    () => redirecting.close(),
  );
  expect(await runSmoke([url, '--people', '--wait=0'], { SMOKE_TOKEN: 'abc' }, () => {}, NEVER)).toBe(1);
  expect(seen).toEqual([]);
});

it('the key just before another is one less', () => {
  expect(keyBefore('019aa5f2-7c4f-7000-8000-000000000000')).toBe('019aa5f2-7c4f-7000-7fff-ffffffffffff');
  expect(keyBefore('00000000-0000-0000-0000-000000000001')).toBe('00000000-0000-0000-0000-000000000000');
});

it('its sentences name guides and headings that are there', () => {
  const folder = 'serverless/smoke';
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const named = sources.flatMap((text) => Array.from(text.matchAll(/(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)));
  const missing = named.filter(([, file = '', anchor]) => {
    if (!existsSync(file)) return true;
    const titles = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? [];
    const anchors = titles.map((title) =>
      title
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    return anchor !== undefined && !anchors.includes(anchor);
  });
  expect(missing.map(([whole]) => whole)).toEqual([]);
});
