import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Log } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { endpointsIn, fetchKeys } from '../../../shared/openid/fetch-keys.js';
import { isIssuer } from '../../../shared/openid/issuer.js';
import { hostilePeers } from '../../support/hostile-peers.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { aRequest } from '../../support/service/request.js';
import { lookUpTwoAddresses } from '../../support/two-addresses.js';

const MINUTE = 60_000;
/** As long as a busy machine may take. */
const GENEROUS = 50_000;

let provider: Provider;
let now: number;
/** How far the timer, which runs on when the clock is set, is ahead of the real one. */
let passed: number;
let lines: string[];

beforeEach(async () => {
  now = 1_800_000_000_000;
  passed = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const timer = process.uptime.bind(process);
  jest.spyOn(process, 'uptime').mockImplementation(() => timer() + passed / 1_000);
  lines = [];
  provider = await startProvider();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await provider.stop();
});

/** Starts an instance, which is called with tokens. */
function startInstance() {
  const warn: Log['warn'] = (message, { error }) => lines.push(`${message}: ${(error as Error).message}`);
  const log: Log = { info: undefined, warn, error: undefined };
  const authenticate = createAuthenticator({ issuer: provider.issuer, audience: AUDIENCE }, log).authenticate;
  return (token: string) => authenticate(aRequest({ headers: { authorization: `Bearer ${token}` } }));
}

const accepted = { owner: expect.any(String), caller: expect.anything() };
const rejected = { rejected: expect.objectContaining({ status: 401 }) };
const unavailable = {
  failure: expect.objectContaining({ cause: expect.any(Error) }),
  rejected: expect.objectContaining({
    status: 503,
    body: expect.stringMatching(/"code":"keys-unavailable".*"applied":false/),
  }),
};

/** Claims that hold for a day, and whatever the clock said before. */
const longLived = () => ({ exp: now / 1_000 + 86_400, nbf: undefined, iat: undefined });

/** How often the keys were fetched, or were tried to be. */
const fetches = () => provider.requests.filter((path) => path.endsWith('/openid-configuration')).length;

const fail: RequestListener = (_request, response) => response.writeHead(500).end();

/** Answers with JSON: the configuration, and then the keys. */
function publish(configuration: object, keys: unknown): RequestListener {
  return ({ url }, response) => {
    const own = { issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` };
    response.end(JSON.stringify(url === '/keys' ? keys : { ...own, ...configuration }));
  };
}

describe('the keys of a provider (rule 36)', () => {
  it('are fetched once, while the instance starts, and again after ten minutes, so that withdrawn ones are not taken longer', async () => {
    const call = startInstance();
    const token = await provider.sign();
    expect(await Promise.all([call(token), call(token)])).toEqual([accepted, accepted]);
    provider.withdrawKeys();
    await provider.addKey('ES256', 'new');
    now += 10 * MINUTE - 1;
    expect(await call(token)).toEqual(accepted);
    expect(fetches()).toBe(1);
    now += 1;
    expect(await Promise.all([call(token), call(token)])).toEqual([rejected, rejected]);
    expect(fetches()).toBe(2);
  });

  it('that are made anew under their old name are unknown to an instance for ten minutes, but not to one that starts now', async () => {
    const call = startInstance();
    await call(await provider.sign());
    provider.withdrawKeys();
    await provider.addKey('ES256');
    const token = await provider.sign();
    now += 10 * MINUTE - 1;
    expect(await call(token)).toEqual(rejected);
    expect(await startInstance()(token)).toEqual(accepted);
    now += 1;
    expect(await call(token)).toEqual(accepted);
  });

  it('are fetched again when a token names a new one, thirty seconds after the last time at the earliest', async () => {
    const call = startInstance();
    await call(await provider.sign());
    await provider.addKey('EdDSA');
    const token = await provider.sign({}, { kid: 'EdDSA' });
    now += MINUTE / 2 - 1;
    expect(await call(token)).toEqual(rejected);
    now += 1;
    expect(await call(token)).toEqual(accepted);
    expect(fetches()).toBe(2);
  });

  it.each<[string, RequestListener | undefined, object, number]>([
    ['works', undefined, rejected, 0],
    ['fails, with a warning each time', fail, unavailable, 2],
  ])(
    'are fetched twice in a minute of many forged tokens while the provider %s',
    async (_how, instead, answer, logged) => {
      const call = startInstance();
      await call(await provider.sign());
      await provider.addKey('ES256', 'forged');
      const forged = await provider.sign({}, { kid: 'forged' });
      provider.withdrawKeys();
      await provider.addKey('ES256');
      provider.requests.length = 0;
      provider.instead = instead;
      now += MINUTE / 2;
      for (let second = 0; second < 60; second += 1, now += 1_000)
        expect(await Promise.all([call(forged), call(forged)])).toEqual([answer, answer]);
      expect(fetches()).toBe(2);
      expect(lines).toHaveLength(logged);
      for (const line of lines)
        expect(line).toMatch(/^the keys of the issuer cannot be fetched: could not fetch .*: status 500$/);
    },
  );

  it('are used for two hours while the provider fails, and again when it is back', async () => {
    const call = startInstance();
    const token = await provider.sign({ exp: now / 1_000 + 86_400 });
    expect(await call(token)).toEqual(accepted);
    provider.instead = fail;
    for (let minutes = 0; minutes < 120; minutes += 10, now += 10 * MINUTE) expect(await call(token)).toEqual(accepted);
    expect(await call(token)).toEqual(unavailable);
    provider.instead = undefined;
    expect(await call(token)).toEqual(unavailable);
    now += MINUTE / 2;
    expect(await call(token)).toEqual(accepted);
  });

  it('are fetched again when the clock was set back, and used meanwhile if that fails, until two hours have really passed', async () => {
    const call = startInstance();
    const token = await provider.sign(longLived());
    expect(await call(token)).toEqual(accepted);
    now -= 120 * MINUTE;
    provider.instead = fail;
    expect([await call(token), await call(token), fetches()]).toEqual([accepted, accepted, 2]);
    now += MINUTE / 2;
    passed += 120 * MINUTE - MINUTE;
    expect([await call(token), fetches()]).toEqual([accepted, 3]);
    passed += MINUTE;
    expect(await call(token)).toEqual(unavailable);
    provider.instead = undefined;
    provider.withdrawKeys();
    await provider.addKey('EdDSA');
    now -= 120 * MINUTE;
    expect([await call(token), fetches()]).toEqual([rejected, 4]);
    expect(await call(await provider.sign(longLived(), { kid: 'EdDSA' }))).toEqual(accepted);
  });

  it('that a token names for the first time are asked for at once when the clock was set back, and 503 says to come soon', async () => {
    const call = startInstance();
    await call(await provider.sign());
    provider.withdrawKeys();
    await provider.addKey('EdDSA');
    const token = await provider.sign(longLived(), { kid: 'EdDSA' });
    now -= MINUTE;
    expect(await call(token)).toEqual(accepted);
    await provider.addKey('ES384');
    const other = await provider.sign(longLived(), { kid: 'ES384' });
    now += MINUTE / 2;
    provider.instead = fail;
    expect(await call(other)).toMatchObject({ rejected: { headers: { 'Retry-After': '30' } } });
    now += 10_000;
    expect(await call(other)).toMatchObject({ rejected: { headers: { 'Retry-After': '20' } } });
  });

  it('that no provider has are told from those that could not be asked for, as soon as the provider is back', async () => {
    const call = startInstance();
    await call(await provider.sign());
    await provider.addKey('EdDSA');
    const unknown = await provider.sign(longLived(), { kid: 'EdDSA' });
    provider.withdrawKeys();
    provider.instead = fail;
    now += MINUTE / 2;
    expect(await call(unknown)).toEqual(unavailable);
    provider.instead = undefined;
    await provider.addKey('ES256');
    now += MINUTE / 2;
    expect(await call(unknown)).toEqual(rejected);
  });

  it.each([
    [0, 1],
    [0.25, 2],
    [0.999_999, 5],
  ])(
    'are fetched with the first request if that failed at the start, and then after one to five seconds',
    async (random, seconds) => {
      jest.spyOn(Math, 'random').mockReturnValue(random);
      provider.instead = fail;
      const call = startInstance();
      const token = await provider.sign();
      const [answer] = await Promise.all([call(token), call(token)]);
      expect(answer).toMatchObject({ rejected: { status: 503, headers: { 'Retry-After': String(seconds) } } });
      expect(JSON.stringify(answer)).toContain('nothing was changed');
      expect(fetches()).toBe(2);
      provider.instead = undefined;
      now += seconds * 1_000 - 1;
      expect(await call(token)).toEqual(unavailable);
      expect(await call('')).toEqual(rejected);
      expect(fetches()).toBe(2);
      now += 1;
      expect(await call(token)).toEqual(accepted);
    },
  );

  it('are not fetched again sooner than the failed fetch took, so that an overloaded provider is left alone', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    provider.instead = fail;
    const call = startInstance();
    const token = await provider.sign();
    provider.instead = (request, response) => {
      passed += 2_500;
      fail(request, response);
    };
    expect(await call(token)).toMatchObject({ rejected: { headers: { 'Retry-After': '3' } } });
  });

  it('are fetched again within seconds once they are two hours old, even if the last fetch failed before', async () => {
    const call = startInstance();
    const token = await provider.sign({ exp: now / 1_000 + 86_400 });
    expect(await call(token)).toEqual(accepted);
    provider.instead = fail;
    now += 120 * MINUTE - 6_000;
    expect(await call(token)).toEqual(accepted);
    provider.instead = undefined;
    now += 5_999;
    expect([await call(token), fetches()]).toEqual([accepted, 2]);
    now += 1;
    expect([await call(token), fetches()]).toEqual([accepted, 3]);
  });

  it('come over a connection of their own, because one of an earlier fetch may have ended during a freeze', async () => {
    const call = startInstance();
    const token = await provider.sign(longLived());
    expect([await call(token), provider.connections.length]).toEqual([accepted, 1]);
    now += 10 * MINUTE;
    const { length } = provider.requests;
    expect([await call(token), provider.connections.length, length]).toEqual([accepted, 2, 2]);
    // None is left open.
    for (const connection of provider.connections) if (!connection.destroyed) await once(connection, 'close');
  });

  it('that came after the last fetch are unknown, and the answer says when that was', async () => {
    const call = startInstance();
    await call(await provider.sign());
    const fetched = new Date(now).toISOString();
    await provider.addKey('EdDSA');
    const token = await provider.sign({}, { kid: 'EdDSA' });
    now += MINUTE / 2 - 1;
    const reason = 'The token is signed with a key that was not among those of the issuer when they were last fetched.';
    expect(await call(token)).toMatchObject({
      rejected: {
        body: expect.stringContaining(`"${reason} That was at ${fetched}. A token of`),
        // The same each time, so that the log can be counted by it.
        refusal: reason,
        headers: { 'WWW-Authenticate': expect.stringMatching(/last fetched\."$/) },
      },
    });
  });

  it('are waited for twice, three seconds each, if the provider hangs, so that 503 comes in time', async () => {
    const { setTimeout: start } = globalThis;
    const delays: unknown[] = [];
    let expire = () => {};
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay: number) => {
      delays.push(delay);
      expire = run;
      return start(run, GENEROUS);
    }) as typeof setTimeout);
    const configure = publish({}, {});
    // The time-out of the request for the keys is over as soon as that has come, however long this takes.
    provider.instead = (request, response) => (request.url === '/keys' ? expire() : configure(request, response));
    expect(await startInstance()(await provider.sign())).toEqual(unavailable);
    expect(fetches()).toBe(2);
    expect(delays.filter((delay) => Number(delay) > 3_000)).toEqual([]);
  });

  it('come within the time-out or not at all, although they take two requests', async () => {
    const start = jest.spyOn(globalThis, 'setTimeout');
    const configure = publish({}, {});
    provider.instead = (request, response) => {
      if (request.url === '/keys') return fail(request, response);
      passed += GENEROUS - 10_000;
      configure(request, response);
    };
    await expect(fetchKeys(provider.issuer, GENEROUS)).rejects.toThrow(/status 500/);
    const [first, second] = start.mock.calls.map(([, delay]) => Number(delay)).filter((delay) => delay > 1_000);
    expect(first).toBeLessThanOrEqual(GENEROUS);
    expect(first).toBeGreaterThan(10_000);
    expect(second).toBeLessThanOrEqual(10_000);
  });

  it.each(hostilePeers)('are not waited for when a server $does, and the connection is closed', async (peer) => {
    const { answer, says, forever } = peer;
    let closed: Promise<unknown> | undefined;
    provider.instead = ({ socket }) => {
      closed = new Promise((resolve) => socket.once('close', resolve));
      answer(socket);
    };
    const fetching = fetchKeys(provider.issuer, forever ? 200 : GENEROUS);
    await expect(fetching).rejects.toThrow(/^could not fetch/);
    await expect(fetching).rejects.toThrow(says);
    await closed;
  });

  it('that a provider answers by switching to another protocol are unavailable, which the log says', async () => {
    provider.instead = ({ socket }) => (hostilePeers[0] as (typeof hostilePeers)[0]).answer(socket);
    expect(await startInstance()(await provider.sign())).toEqual(unavailable);
    expect(lines[0]).toMatch(/status 101$/);
  });

  it('are those of public types at the URL that its configuration names, also if the issuer ends in a slash', async () => {
    const { keys, endpoints } = await fetchKeys(provider.issuer, GENEROUS);
    const [authorization, token] = [`${provider.issuer}/authorize`, `${provider.issuer}/token`];
    expect(endpoints).toEqual({ authorization, token });
    expect(keys).toMatchObject([{ kid: 'ES256', kty: 'EC' }]);
    const issuer = `${provider.issuer}/`;
    const others: unknown[] = [null, 'a key', [], {}, { kty: 'oct', k: 'c2VjcmV0' }, { ...keys[0], d: 'private' }];
    for (const e of ['AQ', 'AAAB', 'AA', 'Ag', '', undefined]) others.push({ kty: 'RSA', n: 'AQAB', e });
    const usable = [...keys, { kty: 'RSA', n: 'AQAB', e: 'Aw' }, { kty: 'RSA', n: 'AQAB', e: 'AQAB' }];
    const answer = publish({ issuer }, { keys: [...others, ...usable] });
    const codings: unknown[] = [];
    provider.instead = (request, response) => {
      // Without the field, a provider may compress (RFC 9110, section 12.5.3).
      codings.push(request.headers['accept-encoding']);
      answer(request, response);
    };
    expect(await fetchKeys(issuer, GENEROUS)).toEqual({ keys: usable });
    expect(codings).toEqual(['identity', 'identity']);
    const configuration = '/.well-known/openid-configuration';
    expect(provider.requests).toEqual([configuration, '/jwks', configuration, '/keys']);
  });

  it.each([
    ['https', {}, true],
    ['https', { authorization_endpoint: 'https://other.example/a?b=c&d' }, true],
    ['https', { token_endpoint: 'http://a.example/token' }, false],
    ['https', { token_endpoint: 'http://127.0.0.1:1/token' }, false],
    ['https', { authorization_endpoint: 'javascript:alert(1)//https://a' }, false],
    ['https', { authorization_endpoint: undefined }, false],
    ['https', { token_endpoint: { toString: 1 } }, false],
    ...[';', ',', "'", '*', '*.'].map(
      (odd) => ['https', { token_endpoint: `https://${odd}a.example/` }, false] as const,
    ),
    ['https', { authorization_endpoint: "https://a.example;script-src'x/" }, false],
    ['http', { token_endpoint: 'http://[::1]:9/token' }, false],
    ['http', { token_endpoint: 'http://localhost:9/token' }, true],
    ['http', { token_endpoint: 'http://127.0.0.1:1@evil.example/' }, false],
    ['http', { token_endpoint: 'http://localhost@127.0.0.1:1/' }, false],
    ['http', { token_endpoint: 'http://127.0.0.1.evil.example/' }, false],
    ['https', { authorization_endpoint: 'https://a.example:pw@evil.example/' }, false],
    ['https', { token_endpoint: 'https://:pw@a.example/' }, false],
  ] as const)('come with where people sign in, of an %s provider with %j: %s', (scheme, named, isKnown) => {
    const host = scheme === 'https' ? 'https://a.example' : 'http://127.0.0.1:9';
    const usual = { authorization_endpoint: `${host}/authorize`, token_endpoint: `${host}/token` };
    const configuration = { ...usual, ...named };
    const { authorization_endpoint: authorization, token_endpoint: token } = configuration;
    expect(endpointsIn(configuration, host)).toEqual(isKnown ? { authorization, token } : undefined);
  });

  it.each<[string, () => RequestListener, RegExp]>([
    ['the issuer differs in a slash', () => publish({ issuer: `${provider.issuer}/` }, {}), /of another issuer/],
    ['they are on another machine without https', () => publish({ jwks_uri: 'http://192.0.2.1/' }, {}), /not to be tr/],
    ['they are at another scheme', () => publish({ jwks_uri: 'https://192.0.2.1/' }, {}), /not to be trusted/],
    ['they are no list', () => publish({}, { keys: {} }), /no public keys/],
    ['an answer is no object', () => publish({}, []), /no JSON object/],
    ['an answer is no JSON', () => (_request, response) => response.end('<html>'), /no JSON object/],
    ['an answer leads elsewhere', () => (_, response) => response.writeHead(302, { Location: '/jwks' }).end(), /302/],
    ['an answer is too large', () => (_, response) => response.end(`"${'a'.repeat(65_536)}"`), /more than 65536/],
    ['an answer is compressed', () => (_, response) => response.writeHead(200).end(gzipSync('{}')), /no JSON object/],
    ['an answer breaks off', () => (_, response) => response.write('{', () => response.destroy()), /aborted/],
  ])('are not taken if %s', async (_case, lie, message) => {
    provider.instead = lie();
    await expect(fetchKeys(provider.issuer, GENEROUS)).rejects.toThrow(message);
  });

  it('that no address of the provider answers for are unavailable for a reason that names each address', async () => {
    await provider.stop();
    lookUpTwoAddresses();
    const fetching = fetchKeys(provider.issuer.replace('127.0.0.1', 'localhost'), GENEROUS);
    await expect(fetching).rejects.toThrow(/: .*ECONNREFUSED 127.0.0.1:\d+, .*ECONNREFUSED 127.0.0.2:\d+$/);
  });

  it('come over https only from a server with a trusted certificate', async () => {
    await expect(fetchKeys(provider.issuer.replace('http:', 'https:'), GENEROUS)).rejects.toThrow(/could not fetch/);
  });
});

it.each([
  ...[
    'https://login.example.com',
    'https://a.example/b/c/',
    "https://a.example/~b.c_d-e!$&'()*+,;=:%20",
    'http://localhost:9',
    'http://127.0.0.1',
    'http://[::1]:1',
  ],
])('an issuer can be %s', (text) => expect(isIssuer(text)).toBe(true));

it.each([
  ...['', 'login.example.com', 'http://login.example.com', 'http://127.0.0.1.example.com', 'ftp://localhost'],
  ...['https://a.example?b', 'https://a.example/#', 'https://a.example/ b', 'https://user@a.example'],
  ...['http://127.0.0.1:1@evil.example/', 'http://localhost:9@evil.example', 'https://:x@a.example'],
  ...[
    'https://a.example\\b',
    'https://a.example/"',
    'https://a.example/<',
    'https://é.example',
    'https://[',
    'https:a.example',
    `https://${'a'.repeat(505)}`,
  ],
])('an issuer cannot be %s', (text) => expect(isIssuer(text)).toBe(false));
