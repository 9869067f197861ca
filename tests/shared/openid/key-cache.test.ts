import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { JSONWebKeySet } from 'jose';
import type { Log } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { KeyCache, KeysUnavailable } from '../../../shared/openid/key-cache.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { aRequest } from '../../support/service/request.js';

const MINUTE = 60_000;

let provider: Provider;
let now: number;
/** The messages in the log. */
let lines: string[];

const log: Log = {
  info: undefined,
  warn: undefined,
  error: (message, { error }) => lines.push(`${message}: ${(error as Error).message}`),
};

beforeEach(async () => {
  now = 1_800_000_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  lines = [];
  provider = await startProvider();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await provider.stop();
});

/** Starts an instance. It is called with tokens, and gives the statuses of the answers; 200 for an owner. */
function startInstance() {
  const authenticate = createAuthenticator({ issuer: provider.issuer, audience: AUDIENCE }, log);
  return async (token: string): Promise<number> => {
    const outcome = await authenticate(aRequest({ headers: { authorization: `Bearer ${token}` } }));
    return 'value' in outcome ? 200 : outcome.rejected.status;
  };
}

/** How often the keys were fetched, or were tried to be. */
const fetches = () => provider.requests.filter((path) => path.endsWith('/openid-configuration')).length;

const fail = () => {
  provider.instead = (_request, response) => response.writeHead(500).end();
};

const recover = () => {
  provider.instead = undefined;
};

describe('the keys of a provider', () => {
  it('are fetched once, while the instance starts, and again after ten minutes, so that withdrawn ones are not taken longer', async () => {
    const call = startInstance();
    const token = await provider.sign();
    expect(await Promise.all([call(token), call(token)])).toEqual([200, 200]);
    provider.withdrawKeys();
    await provider.addKey('ES256', 'new');
    now += 10 * MINUTE - 1;
    expect(await call(token)).toBe(200);
    expect(fetches()).toBe(1);
    now += 1;
    expect(await Promise.all([call(token), call(token)])).toEqual([401, 401]);
    expect(fetches()).toBe(2);
  });

  it('are fetched again when a token names a new one, thirty seconds after the last time at the earliest', async () => {
    const call = startInstance();
    await call(await provider.sign());
    await provider.addKey('EdDSA');
    const token = await provider.sign({}, { kid: 'EdDSA' });
    now += MINUTE / 2 - 1;
    expect(await call(token)).toBe(401);
    now += 1;
    expect(await call(token)).toBe(200);
    expect(fetches()).toBe(2);
  });

  it('are fetched a few times a minute when many forged tokens name unknown ones, with one line of the log each', async () => {
    const call = startInstance();
    await call(await provider.sign());
    await provider.addKey('ES256', 'forged');
    const forged = await provider.sign({}, { kid: 'forged' });
    provider.withdrawKeys();
    await provider.addKey('ES256');
    provider.requests.length = 0;
    const answers = new Set<number>();
    const flood = async () => {
      for (let second = 0; second < 60; second += 1, now += 1_000)
        for (const status of await Promise.all([call(forged), call(forged), call(forged)])) answers.add(status);
    };
    await flood();
    expect(Array.from(answers)).toEqual([401]);
    expect(fetches()).toBe(1);
    expect(lines).toEqual([]);
    fail();
    provider.requests.length = 0;
    answers.clear();
    await flood();
    expect(Array.from(answers)).toEqual([503]);
    expect(fetches()).toBe(2);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^the keys of the issuer cannot be fetched: could not fetch .*: status 500$/);
    recover();
    now += MINUTE / 2;
    expect(await call(forged)).toBe(401);
  });

  it('are used for two hours while the provider fails, and again when it is back', async () => {
    const call = startInstance();
    const token = await provider.sign({ exp: now / 1_000 + 86_400 });
    expect(await call(token)).toBe(200);
    fail();
    for (let minutes = 0; minutes < 120; minutes += 10, now += 10 * MINUTE) expect(await call(token)).toBe(200);
    expect(await call(token)).toBe(503);
    recover();
    expect(await call(token)).toBe(503);
    now += MINUTE / 2;
    expect(await call(token)).toBe(200);
  });

  it('are used if they are known and the provider fails, but a token that names another returns 503', async () => {
    const call = startInstance();
    const token = await provider.sign();
    expect(await call(token)).toBe(200);
    await provider.addKey('EdDSA');
    fail();
    now += MINUTE;
    expect(await call(await provider.sign({}, { kid: 'EdDSA' }))).toBe(503);
    expect(await call(token)).toBe(200);
    expect(await call(await provider.sign({ sub: '' }))).toBe(401);
  });
});

describe('an instance that starts while the provider fails', () => {
  it('says when to try again, and that nothing was changed, unless there is no token', async () => {
    fail();
    const authenticate = createAuthenticator({ issuer: provider.issuer, audience: AUDIENCE }, log);
    const outcome = await authenticate(aRequest({ headers: { authorization: `Bearer ${await provider.sign()}` } }));
    expect(outcome).toMatchObject({ rejected: { status: 503, headers: { 'Retry-After': '30' } } });
    expect(JSON.stringify(outcome)).toContain('nothing was changed');
    expect(await authenticate(aRequest())).toMatchObject({ rejected: { status: 401 } });
  });

  it('waits for a provider that hangs twice, three seconds each, so that 503 comes in time', async () => {
    const { setTimeout: start } = globalThis;
    const delays: unknown[] = [];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay: number) => {
      delays.push(delay);
      return start(run, 100);
    }) as typeof setTimeout);
    provider.instead = ({ url }, response) => {
      const { issuer } = provider;
      if (url !== '/jwks') response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks` }));
    };
    expect(await startInstance()(await provider.sign())).toBe(503);
    expect(fetches()).toBe(2);
    expect(delays.filter((delay) => Number(delay) > 3_000)).toEqual([]);
  });

  it('fetches the keys with its first request, without a pause after its start, and then after thirty seconds', async () => {
    fail();
    const call = startInstance();
    const token = await provider.sign();
    expect(await Promise.all([call(token), call(token)])).toEqual([503, 503]);
    expect(fetches()).toBe(2);
    recover();
    expect(await call(token)).toBe(503);
    expect(fetches()).toBe(2);
    now += MINUTE / 2;
    expect(await call(token)).toBe(200);
  });

  it('fetches them again if it was stopped half-way while it started', async () => {
    const fetch = jest.fn<() => Promise<JSONWebKeySet>>();
    let stop = (_error: Error) => {};
    fetch.mockReturnValueOnce(new Promise((_resolve, reject) => (stop = reject)));
    const cache = new KeyCache(fetch, log);
    const finding = cache.find({ alg: 'ES256' }, { payload: '', signature: '' });
    fetch.mockRejectedValueOnce(new Error('down'));
    stop(new Error('frozen'));
    await expect(finding).rejects.toThrow(KeysUnavailable);
    expect(lines.map((line) => line.replace(/.*: /, ''))).toEqual(['frozen', 'down']);
  });
});
