import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fetchKeys } from '../../../shared/openid/fetch-keys.js';
import { isIssuer } from '../../../shared/openid/issuer.mjs';
import { type Provider, startProvider } from '../../support/openid/provider.js';

/** As long as a busy machine may take. */
const GENEROUS = 50_000;

let provider: Provider;

beforeAll(async () => {
  provider = await startProvider();
});

afterEach(() => {
  provider.instead = undefined;
});

afterAll(() => provider.stop());

/** Answers with JSON: the configuration, and then the keys. */
function publish(configuration: object, keys: unknown): RequestListener {
  return ({ url }, response) => {
    const own = { issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` };
    response.end(JSON.stringify(url === '/keys' ? keys : { ...own, ...configuration }));
  };
}

describe('the keys of a provider', () => {
  it('are fetched from the URL that its configuration names, also if the issuer ends in a slash', async () => {
    const { keys } = await fetchKeys(provider.issuer, GENEROUS);
    expect(keys).toMatchObject([{ kid: 'ES256', kty: 'EC' }]);
    const issuer = `${provider.issuer}/`;
    provider.instead = publish({ issuer }, { keys });
    expect(await fetchKeys(issuer, GENEROUS)).toEqual({ keys });
    expect(provider.requests).toEqual([
      '/.well-known/openid-configuration',
      '/jwks',
      '/.well-known/openid-configuration',
      '/keys',
    ]);
  });

  it('are those of public types: others are left out', async () => {
    const own = (await fetchKeys(provider.issuer, GENEROUS)).keys.map((key) => ({ ...key, use: 'sig' }));
    const others = [null, 'a key', [], {}, { kty: 'oct', k: 'c2VjcmV0' }, { ...own[0], d: 'private' }];
    provider.instead = publish({}, { keys: [...others, ...own] });
    expect(await fetchKeys(provider.issuer, GENEROUS)).toEqual({ keys: own });
  });

  it.each<[string, () => RequestListener, RegExp]>([
    ['the configuration is of another issuer', () => publish({ issuer: 'http://localhost' }, {}), /of another issuer/],
    ['the issuer differs in a slash', () => publish({ issuer: `${provider.issuer}/` }, {}), /of another issuer/],
    ['the configuration names no keys', () => publish({ jwks_uri: undefined }, {}), /not to be trusted/],
    ['they are on another machine without https', () => publish({ jwks_uri: 'http://192.0.2.1/' }, {}), /not to be tr/],
    ['they are at another scheme', () => publish({ jwks_uri: 'https://192.0.2.1/' }, {}), /not to be trusted/],
    ['they are in a file', () => publish({ jwks_uri: 'file:///keys' }, {}), /not to be trusted/],
    ['there are none', () => publish({}, { keys: [] }), /no public keys/],
    ['they are no list', () => publish({}, { keys: {} }), /no public keys/],
    ['an answer is no object', () => publish({}, []), /no JSON object/],
    ['an answer is no JSON', () => (_request, response) => response.end('<html>'), /no JSON object/],
    ['an answer is an error', () => (_request, response) => response.writeHead(500).end('{}'), /status 500/],
    ['an answer leads elsewhere', () => (_, response) => response.writeHead(302, { Location: '/jwks' }).end(), /302/],
    ['an answer is too large', () => (_, response) => response.end(`"${'a'.repeat(65_536)}"`), /more than 65536/],
    ['the connection breaks', () => (_request, response) => response.destroy(), /hang up/],
    [
      'the connection breaks within an answer',
      () => (_, response) => response.writeHead(200, { 'Content-Length': 9 }).write('{', () => response.destroy()),
      /aborted/,
    ],
  ])('are not taken if %s', async (_case, lie, message) => {
    provider.instead = lie();
    await expect(fetchKeys(provider.issuer, GENEROUS)).rejects.toThrow(message);
  });

  it.each<[string, RequestListener]>([
    ['does not answer', () => {}],
    ['does not end its answer', (_request, response) => response.write('{')],
  ])('are given up after the time-out if the provider %s', async (_case, hang) => {
    provider.instead = hang;
    await expect(fetchKeys(provider.issuer, 50)).rejects.toThrow('no answer in time');
  });

  it('come over https only from a server with a trusted certificate', async () => {
    await expect(fetchKeys(provider.issuer.replace('http:', 'https:'), GENEROUS)).rejects.toThrow(/could not fetch/);
  });
});

describe('an issuer', () => {
  const https = ['https://login.example.com', 'https://a.example/b/c/'];

  it.each([...https, 'http://localhost:9', 'http://127.0.0.1', 'http://[::1]:1'])('can be %s', (text) =>
    expect(isIssuer(text)).toBe(true),
  );

  it.each([
    ...['none', '', 'login.example.com', 'http://login.example.com', 'http://127.0.0.1.example.com'],
    ...['ftp://localhost', 'https://a.example?b', 'https://a.example/#', 'https://a.example/ b'],
    ...['https://user@a.example', 'https://a.example\\b', 'https://é.example', 'https://[', 'https:a.example'],
    `https://a.example/${'b'.repeat(495)}`,
  ])('cannot be %.40s', (text) => expect(isIssuer(text)).toBe(false));
});
