import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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
    expect(called).toContain(`GET ${COLLECTION.toUpperCase()}`);
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
    expect(all.lines).toContain('-       Not tried: Writes of other pages: any page may write.');
  });

  it('repeats what surely was not applied, and what has an Idempotency-Key', async () => {
    const refused = new Map<string, number>();
    const busy = changed(startDeployed(LIVE), (answer, method) => {
      const times = (refused.get(method) ?? 0) + 1;
      refused.set(method, times);
      const json = { applied: method === 'POST' ? undefined : false };
      const content = Buffer.from(JSON.stringify(json));
      return ['GET', 'POST'].includes(method) && times === 3 ? { status: 503, content } : answer;
    });
    expect((await smoke(busy)).code).toBe(0);
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

  it('skips what the document does not have, and names it', async () => {
    const lean = changed(startDeployed(LIVE), ({ json, content }, _method, path) => {
      if (!path.endsWith('openapi.json')) return {};
      for (const methods of Object.values<Record<string, unknown>>(json.paths)) {
        delete methods.patch;
        for (const operation of Object.values<{ parameters?: unknown[] | undefined }>(methods as never))
          operation.parameters = operation.parameters?.filter(
            (parameter) => (parameter as { in: string }).in === 'path',
          );
      }
      return { content: Buffer.from(JSON.stringify(json ?? content)) };
    });
    const { code, lines } = await smoke(lean);
    expect(code).toBe(0);
    expect(lines.filter((line) => line.startsWith('-'))).toEqual(
      ['Idempotency-Key', 'If-None-Match', 'PATCH', 'Pages of the list'].map(
        (what) => `-       Not tried: ${what}: the document has none.`,
      ),
    );
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

it('npm run smoke deletes its item when Ctrl+C is pressed, which reaches all processes of the command', async () => {
  const service = startDeployed(LIVE);
  const { json: before } = await service.call('GET', COLLECTION);
  const watched = changed(service, (answer, method) => {
    if (method === 'POST') process.kill(-(child.pid as number), 'SIGINT');
    return answer;
  });
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

  it('an origin whose pages may not call', async () => {
    expect(await failing(startDeployed(LIVE), ['--origin', ORIGIN])).toMatch(/corsOrigins says who may call/);
  });

  const without = (name: string) => (answer: Answer) => ({ headers: { ...answer.headers, [name]: '' } });
  const created = (change: (answer: Answer) => Partial<Answer>) => (answer: Answer, method: string) =>
    method === 'POST' ? change(answer) : answer;
  const isItem = (path: string) => path.startsWith(`${COLLECTION}/`);
  const isPage = (path: string) => path.startsWith(`${COLLECTION}?`);

  it.each<[what: string, change: Parameters<typeof changed>[1], fault: RegExp]>([
    ['no policy of the page', without('content-security-policy'), /^FAILED {2}The page's policy is /],
    ['no nosniff', without('x-content-type-options'), /without nosniff/],
    [
      'another format of the document',
      ({ text }, _method, path) =>
        path.endsWith('swagger.json') ? { content: Buffer.from(text.replace('"2.0"', '"3.0"')) } : {},
      /not with Swagger 2\.0/,
    ],
    ['a second item for the same Idempotency-Key', replaceEveryKey(), /The same Idempotency-Key created a second item/],
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

/** Each POST seems to have created another item. */
function replaceEveryKey(): (answer: Answer, method: string) => Partial<Answer> {
  let count = 0;
  return (answer, method) => {
    if (method !== 'POST') return answer;
    count += 1;
    if (count === 1) return answer;
    const text = answer.text.replace(/"key":"[^"]*"/, '"key":"019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47"');
    return { content: Buffer.from(text) };
  };
}

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
  const seen: (string | undefined)[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers.authorization);
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
