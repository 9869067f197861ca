import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fill, ISSUER_PLACEHOLDER } from '../../functions/placeholders.js';
import { isIssuer } from '../../shared/openid/issuer.js';
import { gateways, restUnder } from '../support/gateways/gateways.js';
import { startProvider } from '../support/openid/provider.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION } from '../support/service/documented.js';

const service = startDeployed();
const get = (path: string, headers: Record<string, string> = {}) => service.call('GET', path, { headers });

const committed = (name: string) => JSON.parse(readFileSync(`docs/${name}`, 'utf8'));

it.each(['swagger.json', 'openapi.json'])('GET /swagger/v1/%s answers the document', async (name) => {
  const { status, headers, json } = await get(`/swagger/v1/${name}`);
  expect(status).toBe(200);
  expect(headers).toEqual({
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    etag: expect.any(String),
  });
  expect(json).toEqual({ ...committed(name), ...(name === 'openapi.json' && { servers: [{ url: service.prefix }] }) });
});

it.each([...gateways, restUnder("/$&a,b/$'c%20d")])(
  'behind $name, the OpenAPI document leads clients to where they got it, with an entity tag for each prefix: $prefix',
  async (gateway) => {
    const { call, prefix } = startDeployed(gateway);
    const path = '/swagger/v1/openapi.json';
    const { json, headers } = await call('GET', path);
    expect(json).toEqual({ ...committed('openapi.json'), servers: [{ url: prefix || '/' }] });
    const known = { 'If-None-Match': `"other", ${headers.etag}` };
    expect(await call('GET', path, { headers: known })).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    for (const other of ['', '/other'].filter((other) => other !== prefix)) {
      const elsewhere = await startDeployed(restUnder(other)).call('GET', path, { headers: known });
      expect(elsewhere).toMatchObject({ status: 200, json: { servers: [{ url: other || '/' }] } });
    }
    expect((await call('GET', '/swagger/v1/swagger.json')).json).toEqual(committed('swagger.json'));
  },
);

const PATHS = ['/swagger/v1/swagger.json', '/swagger/v1/openapi.json', '/swagger/ui'];

it.each(PATHS)('%s has a strong entity tag, and answers 304 to a caller who has it', async (path) => {
  const gzip = { 'Accept-Encoding': 'gzip' };
  const { etag } = (await get(path, gzip)).headers as { etag: string };
  expect(etag).toMatch(/^"[\w-]{27}[!#-~]*"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get(path, { ...gzip, 'If-None-Match': known });
    expect(answer).toMatchObject({ status: 304, text: '', headers: { etag, 'cache-control': 'no-cache' } });
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(answer.headers).not.toHaveProperty('content-encoding');
  }
  for (const other of ['"other"', 'malformed']) expect((await get(path, { 'If-None-Match': other })).status).toBe(200);
});

it('what the build has left no place for is an error that names it', () => {
  const fillIn = () => fill('{"description":"A token."}', { [ISSUER_PLACEHOLDER]: 'https://login.example.com' });
  expect(fillIn).toThrow('The build has left no https://issuer.invalid to put https://login.example.com in its place');
});

describe('the page (rules 26 and 27)', () => {
  it('is compressed if Accept-Encoding allows it, with an entity tag of its own', async () => {
    const compressed = await get('/swagger/ui', { 'Accept-Encoding': 'gzip, deflate, br' });
    const plain = await get('/swagger/ui', { 'Accept-Encoding': 'gzip;q=0' });
    for (const { headers } of [compressed, plain])
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding' });
    expect([compressed, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', undefined]);
    expect(gunzipSync(compressed.content).toString()).toBe(plain.text);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    // The smaller one, if the caller takes both as gladly.
    for (const coding of ['identity, gzip', '*'])
      expect((await get('/swagger/ui', { 'Accept-Encoding': coding })).headers).toEqual(compressed.headers);
  });

  it('has a policy that allows its own script and style by hash, and nothing else', async () => {
    const { headers, text } = await get('/swagger/ui');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    expect(text).not.toMatch(/<(script|link|img)[^>]* (src|href)="(?!data:)/);
  });
});

describe('where people sign in (rules 28, 33 and 38)', () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(() => provider.stop());

  const asking = (variables: Record<string, string> = {}) => {
    const environment = { TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: 'todo', LIST_BY: 'all', ...variables };
    return startDeployed(undefined, environment);
  };
  /** Every character that RFC 3986 has, and what `replace` would take for something else. */
  const ODD = "https://login.example.com/a-b_c~d!$&'()*+,;=:$$1%20/";

  it.each(['swagger.json', 'openapi.json'])(
    '%s says whose token is needed, in the scheme and in the example of 401',
    async (name) => {
      for (const issuer of ['https://login.example.com', ODD]) {
        if (!isIssuer(issuer)) throw new Error(issuer);
        const { json, text, headers } = await asking({ TOKEN_ISSUER: issuer }).call('GET', `/swagger/v1/${name}`);
        const scheme = json.securityDefinitions?.token ?? json.components.securitySchemes.token;
        expect(scheme.description).toContain(`A token that ${issuer} has issued for this service.`);
        const { examples, content } = json.paths[COLLECTION].get.responses[401];
        const { detail } = examples?.['application/problem+json'] ?? content['application/problem+json'].example;
        expect(detail).toBe(`A token of ${issuer} is needed. Send it as Authorization: Bearer TOKEN.`);
        expect(/issuer\.invalid/.exec(text)).toBeNull();
        expect(headers.etag).toMatch(/^"[\w-]{27}[!#-~]*"$/);
        expect(headers.etag).toContain(issuer);
      }
    },
  );

  it('401 says it, too', async () => {
    const { status, json } = await asking({ TOKEN_ISSUER: ODD }).call('GET', COLLECTION);
    expect([status, json.detail]).toEqual([
      401,
      `A token of ${ODD} is needed. Send it as Authorization: Bearer TOKEN.`,
    ]);
  });

  it('the page names the issuer beside its field, and has no button without a client', async () => {
    const { text, headers } = await asking({ TOKEN_ISSUER: ODD }).call('GET', '/swagger/ui');
    const [, about] = /id="token-about">(.*?) Sent in/.exec(text) ?? [];
    expect(about).toBe(`A token that ${ODD.replace('&', '&#38;')} has issued for this service.`);
    expect(/issuer\.invalid/.exec(text)).toBeNull();
    expect(/id="sign-in"[^>]*>/.exec(text)?.[0]).toBe('id="sign-in" hidden>');
    expect(headers['content-security-policy']).toContain("; connect-src 'self'; ");
  });

  it('the page that was served without a button, while the provider failed, has one later', async () => {
    provider.instead = (_request, response) => response.writeHead(500).end();
    const { call } = asking({ TOKEN_CLIENT: 'page' });
    const isSignInOffered = async () => (await call('GET', '/swagger/ui')).text.includes('data-authorize');
    expect(await isSignInOffered()).toBe(false);
    provider.instead = undefined;
    // The first fetch is repeated without a pause.
    expect(await isSignInOffered()).toBe(true);
  });

  it('the page of a provider with two hosts may fetch from the one that gives tokens, and no URL of it gets out of its attribute', async () => {
    const odd = '/?a=1&b="><script>';
    provider.published = {
      authorization_endpoint: `http://localhost:1/sign-in${odd}`,
      token_endpoint: `http://127.0.0.1:2/token${odd}`,
    };
    const { text, headers } = await asking({ TOKEN_CLIENT: 'page' }).call('GET', '/swagger/ui');
    provider.published = {};
    const [, authorize, token] = /id="sign-in" data-authorize="([^"]*)" data-token="([^"]*)" hidden>/.exec(text) ?? [];
    expect(authorize).toMatch(
      /^http:\/\/localhost:1\/sign-in\/\?a=1&#38;b=%22%3E%3Cscript%3E&#38;response_type=code&#38;/,
    );
    expect(token).toBe('http://127.0.0.1:2/token/?a=1&#38;b=&#34;&#62;&#60;script&#62;');
    expect(headers['content-security-policy']).toContain("; connect-src 'self' http://127.0.0.1:2; base-uri 'none'; ");
  });

  it('the page with a client has a button with the two URLs, and a policy with the origin of one', async () => {
    const { call } = asking({ TOKEN_CLIENT: 'a"<&' });
    const { text, headers } = await call('GET', '/swagger/ui');
    const asked =
      'response_type=code&#38;client_id=a%22%3C%26&#38;scope=openid&#38;code_challenge_method=S256&#38;audience=todo';
    expect(/id="sign-in"[^>]*>/.exec(text)?.[0]).toBe(
      `id="sign-in" data-authorize="${provider.issuer}/authorize?${asked}" data-token="${provider.issuer}/token" hidden>`,
    );
    expect(headers['content-security-policy']).toContain(`; connect-src 'self' ${provider.issuer}; base-uri 'none'; `);
    const compressed = await call('GET', '/swagger/ui', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(compressed.content).toString() === text).toBe(true);
    const tags = [headers.etag, compressed.headers.etag, (await asking().call('GET', '/swagger/ui')).headers.etag];
    expect(new Set(tags).size).toBe(3);
    const known = { 'If-None-Match': `${headers.etag}` };
    expect((await call('GET', '/swagger/ui', { headers: known })).status).toBe(304);
    // The same text becomes the same bytes on every system: this one would name it.
    expect(compressed.content[9]).toBe(0xff);
    // The scripts are those that the policy names, whatever was filled in.
    const other = await asking({ TOKEN_ISSUER: ODD }).call('GET', '/swagger/ui');
    const scripts = ({ headers }: typeof other) =>
      /script-src [^;]*/.exec(headers['content-security-policy'] ?? '')?.[0];
    expect(scripts(other)).toBe(scripts({ ...other, headers }));
  });
});
