import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { routes } from '../../functions/routes.js';
import { typicalGateways } from '../support/gateways/gateways.js';
import { type Answer, faultsOf } from '../support/service/answer.js';
import { captureOutput } from '../support/service/log.js';
import { anItem, CHANGE, COLLECTION, TEXT } from '../support/service/resource.js';
import { loadHandler, startService } from '../support/service/service.js';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Header fields by which a client might try to change links, methods or paths. */
const HOSTILE = {
  Host: 'evil.example.net',
  Forwarded: 'host=evil.example.net;proto=http',
  'X-Forwarded-Host': 'evil.example.net',
  'X-Forwarded-Proto': 'javascript',
  'X-Forwarded-Prefix': '/evil',
  'X-Original-URL': '/swagger/ui',
  'X-Rewrite-URL': '/swagger/ui',
  'X-HTTP-Method-Override': 'DELETE',
  'X-HTTP-Method': 'DELETE',
  'X-Method-Override': 'DELETE',
};

/** A valid item's members, in JSON without the braces. */
const MEMBERS = JSON.stringify(anItem('x')).slice(1, -1);

const SPLITTING = 'x\r\nSet-Cookie: evil=1\r\n\r\n<script>';

describe.each(typicalGateways)('behind $name', (gateway) => {
  it('no answer depends on header fields that name hosts, paths or methods', async () => {
    const service = startService(gateway);
    for (const path of ['/', '/swagger', '/swagger/ui', '/swagger/v1/swagger.json', COLLECTION, '/none']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { status, headers, text } = await service.call(method, path);
        expect(await service.call(method, path, { headers: HOSTILE })).toMatchObject({ status, headers, text });
      }
    }
    const { headers, json } = await service.call('POST', COLLECTION, { headers: HOSTILE, body: anItem('x') });
    expect(headers.location).toBe(`${gateway.prefix}${COLLECTION}/${json.key}`);
  });

  it('no redirect leads to another host, whatever the path', async () => {
    const service = startService(gateway);
    const hosts = ['//', '/\\', '///', '/%2F', '/%5C'].map((slashes) => `${slashes}evil.example.net`);
    const paths = hosts.flatMap((host) =>
      ['', '/', '/swagger', '/..', '/%2e%2e', '/swagger/ui/..'].map((end) => host + end),
    );
    for (const path of [...paths, '/', '/swagger', '/swagger/']) {
      const { status, headers } = await service.call('GET', path);
      expect([path, status]).toEqual([path, ['/', '/swagger', '/swagger/'].includes(path) ? 302 : 404]);
      if (status === 302) expect(headers.location).toBe(`${gateway.prefix}/swagger/ui`);
    }
  });

  it('nothing that a caller sends gets into a header field, or adds one', async () => {
    const handle = loadHandler({ CORS_ORIGINS: '*' });
    const fields = ['Accept', 'Accept-Encoding', 'Origin', 'If-Match', 'If-None-Match', 'Content-Type', 'Host'];
    const headers = Object.fromEntries(fields.map((name) => [name, SPLITTING]));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', SPLITTING]) {
      for (const path of ['/', COLLECTION, `${COLLECTION}/${encodeURIComponent(SPLITTING)}`, '/swagger/ui']) {
        const result = await handle(gateway.event({ method, path, headers, body: JSON.stringify(anItem('x')) }));
        expect(faultsOf(result)).toEqual([]);
        expect(Object.values((result as { headers: object }).headers).join()).not.toMatch(/evil|Cookie/);
      }
    }
  });
});

describe('the log', () => {
  it('has one line of JSON for each request, and in it nothing of ids, names or header fields', async () => {
    let written = '';
    captureOutput((text) => {
      written += text;
    });
    const service = startService(undefined, { LOG_LEVEL: 'debug' });
    const forged = '\u001b[2J\u009b31m","level":"ERROR"}\r\n{"level":"ERROR","message":"forged"}\u2028';
    const headers = { 'User-Agent': forged, Accept: forged, 'Content-Type': 'application/json', Referer: forged };
    await service.call('POST', COLLECTION, { headers, body: anItem(forged) });
    await service.call('GET', `${COLLECTION}/${encodeURIComponent(forged)}`, { headers });
    await service.call('GET', `/${encodeURIComponent(forged)}`, { headers });
    await service.call('POST', COLLECTION, { headers, body: forged });
    expect(written.match(/\n/g)).toHaveLength(4);
    expect(written).not.toMatch(/forged|\\u001b|\u009b|\u2028|\r/);
  });
});

describe('a prototype', () => {
  it.each([
    `{${MEMBERS},"__proto__":${JSON.stringify({ ...CHANGE, polluted: 1 })}}`,
    `{${MEMBERS},"constructor":{"prototype":{"polluted":1}}}`,
    `{${MEMBERS},"__PROTO__":{"polluted":1},"__defineGetter__":1,"hasOwnProperty":1,"toString":1}`,
  ])('is not polluted by the body %s', async (body) => {
    const service = startService();
    const headers = { 'Content-Type': 'application/json', ['__proto__']: 'polluted', constructor: 'polluted' };
    const { json } = await service.call('POST', COLLECTION, { headers, body });
    const plain = await service.call('POST', COLLECTION, { body: anItem('x') });
    expect(json).toEqual({ ...plain.json, key: json.key });
    const path = `${COLLECTION}/${json.key}`;
    expect((await service.call('PATCH', path, { headers, body })).status).toBe(204);
    expect((await service.call('GET', path)).json).toEqual(json);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('gives no inherited members as if they had been sent', async () => {
    const service = startService();
    const answer = await service.call('POST', COLLECTION, { body: `{"__proto__":{${MEMBERS}}}` });
    expect(answer.status).toBe(400);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'has nothing that is taken for an item, a route or a method: %s',
    async (name) => {
      const service = startService();
      expect((await service.call('GET', `${COLLECTION}/${name}`)).status).toBe(404);
      expect((await service.call('DELETE', `${COLLECTION}/${name}`)).status).toBe(404);
      expect((await service.call('GET', `/${name}`)).status).toBe(404);
      expect((await service.call(name, COLLECTION)).status).toBe(404);
    },
  );
});

describe('an item of markup', () => {
  const markup = '<script>alert(1)</script><img src=x onerror=alert(1)>';

  it.each(['text/html', 'image/svg+xml', 'text/html, */*', 'application/xhtml+xml;q=1, application/json;q=0'])(
    'is never answered as something that a browser would run, even with Accept: %s',
    async (accept) => {
      const service = startService();
      const { json } = await service.call('POST', COLLECTION, { body: anItem(markup) });
      const answers: Answer[] = [];
      for (const path of [COLLECTION, `${COLLECTION}/${json.key}`, `${COLLECTION}/${encodeURIComponent(markup)}`])
        answers.push(await service.call('GET', path, { headers: { Accept: accept } }));
      answers.push(await service.call('POST', COLLECTION, { headers: { Accept: accept }, body: markup }));
      for (const { headers } of answers) {
        expect(headers['content-type']).toMatch(/^(text\/(plain|json)|application\/(problem\+)?json)\b/);
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    },
  );
});

describe('a cache', () => {
  it('is told to keep nothing of the API, and to ask each time about the rest', async () => {
    const service = startService(undefined, { CORS_ORIGINS: 'https://app.example.com' });
    for (const path of [COLLECTION, `${COLLECTION}/1`, '/none', '/']) {
      expect((await service.call('GET', path)).headers['cache-control']).toBe('no-store');
    }
    for (const path of ['/swagger/ui', '/swagger/v1/swagger.json']) {
      const { headers } = await service.call('GET', path);
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers.vary).toMatch(/Origin/);
    }
  });
});

describe('the cost of a request', () => {
  const shuffled = TEXT.replace(/(.)(.)/g, (_two, one: string, other: string) => one.toUpperCase() + other);

  // Where the cost grows with the square of the size, these take minutes.
  it.each([
    ['members whose names count', (index: number) => `"${index * 2 ** 16}":0`],
    [
      'members that share their length and letters',
      (index: number) => `"${shuffled.padEnd(TEXT.length + (index % 3), ' ')}${index}":0`,
    ],
    ['members that all are the same', () => `"${TEXT.toUpperCase()}":"x"`],
  ])('stays in proportion to its size with a megabyte of %s', async (_what, member) => {
    const members: string[] = [];
    for (let bytes = 0; bytes < 1_000_000; bytes += (members.at(-1)?.length ?? 0) + 1) {
      members.push(member(members.length));
    }
    const body = `{${members.join()},${JSON.stringify(anItem('y')).slice(1)}`;
    expect(members.length).toBeGreaterThan(50_000);
    const answer = await startService().call('POST', COLLECTION, { body });
    expect(answer).toMatchObject({ status: 201, json: anItem('y') });
  });

  it('can not be raised by chosen keys, because the service assigns them', async () => {
    const key = '00000000-0000-4000-8000-000000000000';
    const { json } = await startService().call('POST', COLLECTION, { body: { key, ...anItem('x') } });
    expect(json.key).not.toBe(key);
  });

  it('holds no expression of a template that a path could keep busy', () => {
    expect(routes.filter(({ template }) => template.includes('regex'))).toEqual([]);
  });
});
