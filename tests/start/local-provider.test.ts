import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type LocalProvider, startLocalProvider } from '../../serverless/local/provider/local-provider.js';
import type { Answer } from '../support/service/answer.js';
import { send } from './command.js';

const APP = 'http://localhost:5173';
/** The origin of an app in a web view. */
const WEB_VIEW = 'capacitor://localhost';
const REDIRECT = `${APP}/signed-in?tab=1`;
const VERIFIER = 'a-verifier-of-the-tests-that-is-long-enough-for-rfc-7636';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const SIGN_IN = {
  response_type: 'code',
  client_id: 'app',
  redirect_uri: REDIRECT,
  scope: 'openid todo/read',
  state: 'the state',
  nonce: 'the nonce',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};
/** What a browser sends with a navigation from any page. */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' };
let provider: LocalProvider;
let issuer: string;

beforeAll(async () => {
  provider = await startLocalProvider({
    origins: [APP, 'http://localhost:3000', '*', WEB_VIEW],
    scope: 'todo/read',
    claims: { family: 'local' },
  });
  issuer = provider.environment.TOKEN_ISSUER as string;
});

afterAll(() => provider.stop());

const authorize = (changed: object = {}, headers: Record<string, string> = NAVIGATION) =>
  send(provider.port, 'GET', `/authorize?${new URLSearchParams({ ...SIGN_IN, ...changed })}`, { headers });

/** What the app gets back in its address. */
const returned = ({ headers }: Answer) => new URL(headers.location as string);

const codeFor = async (name: string, client_id = 'app') =>
  returned(await authorize({ login_hint: name, client_id })).searchParams.get('code') as string;

function post(form: Record<string, string>, headers: Record<string, string> = { origin: APP }) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return send(provider.port, 'POST', '/token', {
    headers: { ...type, ...headers },
    body: String(new URLSearchParams(form)),
  });
}

const redeem = (code: string, changed: object = {}) =>
  post({
    ...{ grant_type: 'authorization_code', code, client_id: 'app', redirect_uri: REDIRECT, code_verifier: VERIFIER },
    ...changed,
  });

const refresh = (token: string, client = 'app') =>
  post({ grant_type: 'refresh_token', refresh_token: token, client_id: client });

describe('npm run local -- --people signs somebody in', () => {
  it('whom login_hint names: back in the app, its code gives a token for the service with the scopes asked for', async () => {
    const response = await authorize({ login_hint: 'bob' });
    expect(response.status).toBe(303);
    const { origin, pathname, searchParams } = returned(response);
    expect([origin, pathname, searchParams.get('tab'), searchParams.get('state')]).toEqual(
      [APP, '/signed-in', '1', 'the state'], // as redirect_uri has it
    );
    const { status, headers, json } = await redeem(searchParams.get('code') as string);
    expect([status, headers['access-control-allow-origin'], headers['cache-control']]).toEqual(
      [200, APP, 'no-store'], // RFC 6749, section 5.1
    );
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: SIGN_IN.scope });
    const audience = provider.environment.TOKEN_AUDIENCE;
    expect(decodeJwt(json.access_token)).toMatchObject({
      ...{ iss: issuer, aud: audience, sub: 'bob', scope: SIGN_IN.scope },
    });
    expect(decodeJwt(json.id_token)).toMatchObject({ iss: issuer, aud: 'app', sub: 'bob', nonce: 'the nonce' });
    expect(decodeJwt(provider.tokens.ada as string)).toMatchObject({
      aud: audience,
      sub: 'ada',
      scope: 'todo/read',
      family: 'local',
    });
  });

  it('whom one chooses, where login_hint names nobody: ada, bob, or nobody', async () => {
    for (const changed of [{}, { login_hint: 'somebody' }]) {
      const response = await authorize(changed);
      expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      const links = [...response.text.matchAll(/<a href="([^"]+)">([^<]+)/g)];
      const found = links.map(async ([, href = '', text]) => {
        const path = href.replaceAll('&amp;', '&');
        const { searchParams } = returned(await send(provider.port, 'GET', path, { headers: NAVIGATION }));
        const code = searchParams.get('code');
        const subject = code && decodeJwt((await redeem(code)).json.access_token).sub;
        return [text, searchParams.get('error') ?? subject, searchParams.get('state')];
      });
      expect(await Promise.all(found)).toEqual([
        ['Sign in as ada', 'ada', 'the state'],
        ['Sign in as bob', 'bob', 'the state'],
        ['Cancel', 'access_denied', 'the state'],
      ]);
    }
  });

  it('also in an app in a web view, whose origin is named', async () => {
    const redirect_uri = `${WEB_VIEW}/signed-in`;
    const { headers } = await authorize({ login_hint: 'ada', redirect_uri });
    expect(headers.location).toMatch(`${redirect_uri}?`);
    const code = new URL(headers.location as string).searchParams.get('code') as string;
    const token = await post(
      { grant_type: 'authorization_code', code, client_id: 'app', redirect_uri, code_verifier: VERIFIER },
      { origin: WEB_VIEW },
    );
    expect([token.status, token.headers['access-control-allow-origin']]).toEqual([200, WEB_VIEW]);
    const other = await authorize({ login_hint: 'ada', redirect_uri: 'ionic://localhost/signed-in' });
    expect(other).toMatchObject({
      status: 400,
      json: { error_description: expect.stringMatching(/of ionic:\/\/localhost,/) },
    });
  });

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ prompt: 'none' }, 'login_required'],
  ])('unless the app asks with %j: back there, %s', async (changed, error) => {
    const { origin, searchParams } = returned(await authorize(changed));
    expect([origin, searchParams.get('error'), searchParams.get('state')]).toEqual([APP, error, 'the state']);
    expect(searchParams.get('code')).toBeNull();
  });

  it('and renews a token that it issued itself, once, for the client that has it', async () => {
    const first = (await redeem(await codeFor('bob'))).json;
    const wrong = [await refresh('no-token'), await refresh(first.refresh_token, 'another')];
    const second = await refresh(first.refresh_token);
    expect(decodeJwt(second.json.access_token)).toMatchObject({ sub: 'bob', scope: SIGN_IN.scope });
    wrong.push(await refresh(first.refresh_token));
    for (const { status, json } of wrong) expect([status, json.error]).toEqual([400, 'invalid_grant']);
    expect((await refresh(second.json.refresh_token)).status).toBe(200);
  });
});

describe('npm run local -- --people signs somebody out', () => {
  const endSession = (parameters: Record<string, string>, headers: Record<string, string> = NAVIGATION) =>
    send(provider.port, 'GET', `/end-session?${new URLSearchParams(parameters)}`, { headers });

  it('of one app: back there with its state, their refresh tokens for it end, and no others', async () => {
    const [bobs, others, adas] = [
      (await redeem(await codeFor('bob'))).json,
      (await redeem(await codeFor('bob', 'another'), { client_id: 'another' })).json,
      (await redeem(await codeFor('ada'))).json,
    ];
    const response = await endSession({
      ...{ id_token_hint: bobs.id_token, client_id: 'app', state: 'the state' },
      post_logout_redirect_uri: `${APP}/?left=1`,
    });
    expect([response.status, response.headers.location]).toEqual([303, `${APP}/?left=1&state=the+state`]);
    expect((await refresh(bobs.refresh_token)).json.error).toBe('invalid_grant');
    expect((await refresh(others.refresh_token, 'another')).status).toBe(200);
    expect((await refresh(adas.refresh_token)).status).toBe(200);
  });

  it('with no session to end, too: an ID token of an earlier start, or none, and perhaps no way back', async () => {
    const { refresh_token } = (await redeem(await codeFor('bob'))).json;
    for (const id_token_hint of ['', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJib2IiLCJhdWQiOiJhcHAifQ.'])
      expect((await endSession({ id_token_hint, post_logout_redirect_uri: APP })).headers.location).toBe(`${APP}/`);
    const { status, text, headers } = await endSession({});
    expect([status, text]).toEqual([200, expect.stringContaining('<h1>You are signed out</h1>')]);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it.each(['https://example.com/', 'http://localhost:5173@example.com/', 'app://x', ''])(
    'and leads nobody to %j, which is of no origin named',
    async (post_logout_redirect_uri) => {
      const { id_token, refresh_token } = (await redeem(await codeFor('bob'))).json;
      const response = await endSession({ id_token_hint: id_token, post_logout_redirect_uri });
      expect([response.status, response.headers.location]).toEqual([400, undefined]);
      expect(response.json.error_description).toMatch(
        /^The post_logout_redirect_uri is of .* name the origin of your app/,
      );
      expect((await refresh(refresh_token)).status).toBe(200);
    },
  );

  it('unless a page of another origin calls it', async () => {
    expect((await endSession({}, { origin: 'https://example.com' })).status).toBe(403);
  });
});

describe('its provider gives no token', () => {
  it.each([
    ['another verifier', { code_verifier: 'another' }],
    ['no verifier', { code_verifier: '' }],
    ['another client', { client_id: 'another' }],
    ['another redirect_uri', { redirect_uri: `${APP}/` }],
  ])('for a code with %s, nor for the same code after that', async (_name, changed) => {
    const code = await codeFor('ada');
    for (const form of [changed, {}])
      expect(await redeem(code, form)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  it('twice for a code, a minute later, or for a password', async () => {
    const code = await codeFor('ada');
    expect([(await redeem(code)).status, (await redeem(code)).status]).toEqual([200, 400]);
    const late = await codeFor('ada');
    const now = Date.now;
    Date.now = () => now() + 61_000;
    expect(await redeem(late)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    Date.now = now;
    expect((await redeem(code, { grant_type: 'password' })).json.error).toBe('unsupported_grant_type');
  });

  it.each(['https://example.com/', 'http://localhost:5174/', 'http://localhost:5173@example.com/', 'app://x', '', 'x'])(
    'to an app at %j, which is of no origin named: it sends nobody there',
    async (redirect_uri) => {
      const response = await authorize({ redirect_uri, login_hint: 'ada' });
      expect([response.status, response.headers.location]).toEqual([400, undefined]);
      expect(response.json.error_description).toMatch(/which gets no tokens here: name the origin of your app/);
    },
  );

  it('to a page of another origin, however its browser calls', async () => {
    const fields = [
      { origin: 'https://example.com' },
      { origin: 'null' },
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' },
      { ...NAVIGATION, origin: 'https://example.com' },
    ];
    for (const headers of fields as Record<string, string>[]) {
      const form = { grant_type: 'authorization_code', code: await codeFor('ada'), client_id: 'app' };
      const posted = await post({ ...form, redirect_uri: REDIRECT, code_verifier: VERIFIER }, headers);
      const answers = [posted, await authorize({ login_hint: 'ada' }, headers)];
      for (const { status, headers: answered } of answers)
        expect([headers, status, answered['access-control-allow-origin']]).toEqual([headers, 403, undefined]);
    }
  });
});

it('its provider publishes where to sign in, and its key, for pages of the origins named', async () => {
  const headers = { origin: 'http://localhost:3000' };
  const answer = await send(provider.port, 'GET', '/.well-known/openid-configuration', { headers });
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': headers.origin, vary: 'Origin' });
  expect(answer.json).toMatchObject({
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, end_session_endpoint: `${issuer}/end-session` },
    ...{ grant_types_supported: ['authorization_code', 'refresh_token'], code_challenge_methods_supported: ['S256'] },
  });
  const { keys } = (await send(provider.port, 'GET', new URL(answer.json.jwks_uri).pathname)).json;
  expect(keys).toEqual([expect.objectContaining({ kty: 'EC', alg: 'ES256', kid: 'local' })]);
  expect(keys[0]).not.toHaveProperty('d');
  expect(await send(provider.port, 'OPTIONS', '/token', { headers })).toMatchObject({ status: 204 });
  expect(await send(provider.port, 'GET', '/userinfo')).toMatchObject({ status: 404 });
});
