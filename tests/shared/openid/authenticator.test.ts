import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { aRequest } from '../../support/service/request.js';

const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const NOW = 1_800_000_000_000;

let provider: Provider;
let usual: Authenticate;
let key: KeyObject;

type Authenticate = ReturnType<typeof createAuthenticator>['authenticate'];

const startAsking = ({ issuer }: Provider): Authenticate =>
  createAuthenticator({ issuer, audience: AUDIENCE }, openLog('silent')).authenticate;

/** Starts a provider for one test, which prepares it before anybody asks for its keys. */
async function askOwn(prepare: (own: Provider) => unknown): Promise<Authenticate> {
  const own = await startProvider();
  stops.push(own.stop);
  await prepare(own);
  return startAsking(own);
}

const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW);
  provider = await startProvider();
  for (const algorithm of ALGORITHMS) {
    const jwk = await provider.addKey(algorithm);
    if (algorithm === 'ES256') key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  }
  usual = startAsking(provider);
  stops.push(provider.stop);
});

afterAll(() => Promise.all(stops.map((stop) => stop())));

/** What a request with a token leads to: the owner, or the detail of a 401. */
async function outcomeOf(token: string, authenticate = usual): Promise<string | undefined> {
  const outcome = await authenticate(aRequest({ headers: { authorization: `Bearer ${token}` } }));
  if (!('rejected' in outcome)) return outcome.owner;
  const { status, body = '' } = outcome.rejected;
  expect(status).toBe(401);
  for (const part of token.split('.')) if (part.length > 4) expect(body).not.toContain(part);
  return JSON.parse(body).detail;
}

const inSeconds = (count: number) => NOW / 1_000 + count;

const claims = () => ({ iss: provider.issuer, sub: 'ada', aud: AUDIENCE, exp: inSeconds(600) });

const base64 = (part: object | string) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part), 'latin1').toString('base64url');

/** Makes a token with a key of the provider's, or another one. The payload may be a text. */
function genuine(header: object, payload: object | string = claims(), signing = key): string {
  const input = `${base64({ alg: 'ES256', kid: 'ES256', ...header })}.${base64(payload)}`;
  const signature = sign('sha256', Buffer.from(input), { key: signing, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

const foreign = generateKeyPairSync('rsa', { modulusLength: 2_048 });
/** Makes a token with a key that the provider does not have. */
const withForeignKey = (header: object) =>
  genuine({ alg: 'RS256', kid: 'RS256', ...header }, claims(), foreign.privateKey);

describe('a token of the provider (rule 34)', () => {
  it.each(ALGORITHMS)('gives the owner if it is signed by %s', async (kid) => {
    expect(await outcomeOf(await provider.sign({}, { kid }))).toBe(`${provider.issuer} ada`);
  });

  it.each<[string, object, { typ?: unknown }?]>([
    ['its audience is one of several', { aud: ['other', AUDIENCE] }],
    ["it has no audience but a client_id, as Cognito's access tokens", { aud: undefined, client_id: AUDIENCE }],
    ['it expired within the last minute', { exp: inSeconds(-59) }],
    ['it is valid from within the next minute', { nbf: inSeconds(60), iat: inSeconds(60) }],
    ['it does not say from when it is valid', { nbf: undefined, iat: undefined }],
    ['it has no type', {}, { typ: undefined }],
    ['it has the type of access tokens', {}, { typ: 'application/at+jwt' }],
    ['its type is in small letters', {}, { typ: 'jwt' }],
  ])('is valid if %s', async (_case, changed, header = {}) => {
    expect(await outcomeOf(await provider.sign(changed, header))).toBe(`${provider.issuer} ada`);
  });

  it.each<[string, string, object, { typ?: unknown }?]>([
    ['expired', 'has expired', { exp: inSeconds(-60) }],
    ['does not say when it expires', 'does not say when it expires', { exp: undefined }],
    ['has a time of expiry that is no number', 'not a signed JSON Web Token', { exp: '2100-01-01' }],
    ['is not valid yet', 'not valid yet', { nbf: inSeconds(61) }],
    ['was issued in the future', 'issued in the future', { iat: inSeconds(61) }],
    ['is of an issuer with a slash more', 'of another issuer', { iss: 'http://localhost/' }],
    ['is for another audience, whatever its client_id', 'for another audience', { aud: 'other', client_id: AUDIENCE }],
    ['is for an audience that begins like this one', 'for another audience', { aud: `${AUDIENCE}/admin` }],
    ['is for an audience that ends like this one', 'for another audience', { aud: `https://${AUDIENCE}` }],
    ['is for audiences in one text', 'for another audience', { aud: `other ${AUDIENCE} more` }],
    ['is for audiences that only begin like this one', 'for another audience', { aud: [`${AUDIENCE}s`] }],
    [
      'has a client_id that begins like this audience',
      'for another audience',
      { aud: undefined, client_id: `${AUDIENCE}s` },
    ],
    ['is for an empty list of audiences', 'for another audience', { aud: [], client_id: AUDIENCE }],
    ['is for nobody', 'for another audience', { aud: undefined }],
    ['has no subject', 'no subject', { sub: undefined }],
    ['has an empty subject', 'no subject', { sub: '' }],
    ['has a subject of 256 characters', 'no subject', { sub: 'a'.repeat(256) }],
    ['has half a surrogate pair as its subject', 'no subject', { sub: 'a\ud83d' }],
    [
      'reports events, as logout tokens do',
      'is no access token',
      { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
    ],
    ['is of another type', 'of another type', {}, { typ: 'logout+jwt' }],
    ['has a type that begins like that of access tokens', 'of another type', {}, { typ: 'at+jwt+x' }],
    ['has a type that is no text', 'of another type', {}, { typ: ['JWT'] }],
  ])('is rejected if it %s', async (_case, detail, changed, header = {}) => {
    expect(await outcomeOf(await provider.sign(changed, header))).toContain(detail);
  });

  it.each(['[]', '"a"', '{', '{"sub":"\xff"}'])('is rejected if its payload is %j', async (payload) => {
    expect(await outcomeOf(genuine({}, payload))).toContain('not a signed JSON Web Token');
  });

  it('needs no kid if only one key fits, but is rejected if several do', async () => {
    expect(await outcomeOf(genuine({ kid: undefined }))).toMatch(/ ada$/);
    const asking = await askOwn((own) => own.addKey('ES256', 'a second one'));
    expect(await outcomeOf(genuine({ kid: undefined }), asking)).toContain('does not name the key');
  });
});

describe('a forged token (rule 34)', () => {
  const jwk = foreign.publicKey.export({ format: 'jwk' });
  const ELSEWHERE = 'http://127.0.0.1:1/keys';

  it.each<[string, () => string | Promise<string>, string?]>([
    ['is not signed', () => withForeignKey({ alg: 'none' }).replace(/[^.]*$/, ''), 'algorithm'],
    ['is signed with another key under a known kid', () => withForeignKey({}), 'signature'],
    ['names an unknown key', () => withForeignKey({ kid: 'own' }), 'not among those of the issuer'],
    ["names another algorithm's key", () => withForeignKey({ kid: 'ES256' }), 'not among those of the issuer'],
    [
      'brings its own key, or names where it is',
      () => withForeignKey({ jwk, jku: ELSEWHERE, x5u: ELSEWHERE }),
      'signature',
    ],
    ['has an extension that it says is critical', () => genuine({ crit: ['x'], x: 1 })],
    ['is encrypted', () => 'eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkExMjhHQ00ifQ.AAAA.AAAA.AAAA.AAAA'],
    ['is a token in a token', async () => genuine({ cty: 'JWT' }, await provider.sign())],
    ['has thousands of segments', () => '.'.repeat(8_000)],
  ])('is rejected if it %s', async (_case, make, detail = 'not a signed JSON Web Token') => {
    expect(await outcomeOf(await make())).toContain(detail);
  });

  it('is rejected if it uses the public key as a secret', async () => {
    const secret = createPublicKey(key).export({ type: 'spki', format: 'pem' });
    const input = genuine({ alg: 'HS256' }).replace(/\.[^.]*$/, '');
    const signature = createHmac('sha256', secret).update(input).digest('base64url');
    expect(await outcomeOf(`${input}.${signature}`)).toContain('algorithm');
  });

  it.each<[string, object, string]>([
    ['is broken', { x: 'AQAB' }, 'cannot be used'],
    ['is for encryption', { use: 'enc' }, 'not among those of the issuer'],
    ['is for another algorithm', { alg: 'ES384' }, 'not among those of the issuer'],
  ])("is rejected if the provider's key for it %s", async (_case, changed, detail) => {
    const published = { ...createPublicKey(key).export({ format: 'jwk' }), kid: 'ES256', ...changed };
    const asking = await askOwn((own) => {
      const { issuer } = own;
      own.instead = ({ url }, response) =>
        response.end(JSON.stringify(url === '/jwks' ? { keys: [published] } : { issuer, jwks_uri: `${issuer}/jwks` }));
    });
    expect(await outcomeOf(await provider.sign(), asking)).toContain(detail);
  });
});
