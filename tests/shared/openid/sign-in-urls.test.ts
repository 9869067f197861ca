import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { signInUrls } from '../../../shared/openid/sign-in-urls.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { aRequest } from '../../support/service/request.js';

let provider: Provider;
// What a test's authenticator still asks for must not count in another test.
beforeEach(async () => {
  provider = await startProvider();
});
afterEach(() => provider.stop());

const ENDPOINTS = { authorization: 'https://a.example/authorize', token: 'https://b.example/token' };
const POLICY = { issuer: 'https://a.example', audience: 'todo', client: 'page' };
const ASKED = 'response_type=code&client_id=page&scope=openid&code_challenge_method=S256&audience=todo';

/** The URL of the authorization endpoint, where some of a policy is different. */
const authorizeUrl = (policy: object, endpoints = ENDPOINTS) =>
  signInUrls(endpoints, { ...POLICY, ...policy })?.authorize;

it('the page asks for a code with PKCE, for the audience, for the configured scopes, each once, and for openid', () => {
  expect(signInUrls(ENDPOINTS, POLICY)).toEqual({
    authorize: `${ENDPOINTS.authorization}?${ASKED}`,
    token: ENDPOINTS.token,
  });
  const scopes = (policy: object) => new URL(authorizeUrl(policy) as string).searchParams.get('scope');
  expect(scopes({ writeScope: 'todo/write' })).toBe('openid todo/write');
  expect(scopes({ readScope: 'a&b', writeScope: 'c' })).toBe('openid a&b c');
  expect(scopes({ readScope: 'openid', writeScope: 'openid' })).toBe('openid');
});

it.each(['https://todo.example.com', 'api://default', 'urn:todo'])('and names %s as a resource, too', (audience) => {
  const { searchParams } = new URL(authorizeUrl({ audience }) as string);
  expect([searchParams.get('audience'), searchParams.get('resource')]).toEqual([audience, audience]);
});

it.each(['todo', 'a/b', 'https://todo.example.com/#a'])('but not %s, which is no absolute URI', (audience) => {
  expect(authorizeUrl({ audience })).not.toContain('resource');
});

it("and keeps what the endpoint's URL asks for by itself", () => {
  const authorization = 'https://a.example/authorize?tenant=b&scope=c';
  expect(authorizeUrl({}, { ...ENDPOINTS, authorization })).toMatch(/\?tenant=b&scope=openid&response_type=code&/);
});

const start = (client?: string) =>
  createAuthenticator({ issuer: provider.issuer, audience: AUDIENCE, client }, openLog('silent'));

it('the endpoints come from the configuration that the keys come from, without another fetch', async () => {
  const { signInUrls } = start('page');
  const known = {
    authorize: expect.stringContaining(`${provider.issuer}/authorize?`),
    token: `${provider.issuer}/token`,
  };
  for (let time = 0; time < 3; time++) expect(await signInUrls()).toEqual(known);
  expect(provider.requests).toHaveLength(2);
});

it('the endpoints are those of the last fetch, because a provider may move them', async () => {
  const { authenticate, signInUrls } = start('page');
  await signInUrls();
  const token_endpoint = `${provider.issuer}/another`;
  provider.published = { token_endpoint };
  const later = Date.now() + 600_000;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
  await authenticate(aRequest({ headers: { authorization: `Bearer ${await provider.sign()}` } }));
  clock.mockRestore();
  expect(await signInUrls()).toMatchObject({ token: token_endpoint });
});

it('nobody is signed in without a client', async () => {
  expect(signInUrls(ENDPOINTS, { ...POLICY, client: undefined })).toBeUndefined();
  expect(await start().signInUrls()).toBeUndefined();
});

it('a provider that hangs is waited for a second, and asked again later after a failure', async () => {
  let isHanging = true;
  provider.instead = (_request, response) => isHanging || response.writeHead(500).end();
  const { signInUrls } = start('page');
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const waiting = signInUrls();
  expect(timers.mock.calls.map(([, delay]) => delay)).toEqual([1_000]);
  timers.mockRestore();
  expect(await waiting).toBeUndefined();
  isHanging = false;
  const other = start('page');
  expect(await other.signInUrls()).toBeUndefined();
  provider.instead = undefined;
  // The first fetch is repeated without a pause.
  expect(await other.signInUrls()).toMatchObject({ token: `${provider.issuer}/token` });
});
