import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';

const RUNS = 40 * Number(process.env.FUZZ_RUNS ?? 50);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

let provider: Provider;
let service: Service;
let token: string;

beforeAll(async () => {
  provider = await startProvider();
  const authenticate = createAuthenticator({ issuer: provider.issuer, audience: AUDIENCE }, openLog('silent'));
  service = startService(undefined, { authenticate });
  token = await provider.sign();
});

afterAll(() => provider.stop());

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url');

const anyHeader = fc.record(
  {
    alg: fc.constantFrom('ES256', 'RS256', 'PS512', 'EdDSA', 'HS256', 'none', '', 7, null, {}),
    kid: fc.constantFrom<unknown>('ES256', 'x', '__proto__', '', 7, null, []),
    typ: fc.constantFrom<unknown>('JWT', 'at+jwt', 'x', 7, null),
    crit: fc.constantFrom<unknown>([], ['exp'], ['b64'], 'exp', 7),
    b64: fc.constantFrom<unknown>(false, true, 'x'),
    jwk: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);

/** The last character of a part has bits that mean nothing. */
const bytesOf = (text: string) =>
  text
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('hex'))
    .join('.');

/** A token of the provider's that was changed in some way. */
const anyChange = fc.oneof(
  // One character is another.
  fc.tuple(fc.nat(), fc.string({ minLength: 1, maxLength: 1 })).map(([at, character]) => (valid: string) => {
    const index = at % valid.length;
    return valid.slice(0, index) + character + valid.slice(index + 1);
  }),
  // One part is another.
  fc.tuple(fc.nat(2), fc.oneof(anyHeader.map(base64), fc.jsonValue().map(base64), fc.base64String(), fc.string())).map(
    ([part, instead]) =>
      (valid: string) =>
        valid.split('.').with(part, instead).join('.'),
  ),
  // Parts are missing, doubled or in another order.
  fc.array(fc.nat(2), { maxLength: 6 }).map((parts) => (valid: string) => {
    const all = valid.split('.');
    return parts.map((part) => all[part]).join('.');
  }),
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => () => text),
);

it(
  `any text instead of a token returns 401, never a 5xx (FUZZ_SEED=${SEED})`,
  async () => {
    const property = fc.asyncProperty(anyChange, fc.constantFrom('Bearer ', 'bearer  ', ''), async (change, scheme) => {
      const changed = change(token);
      if (bytesOf(changed) === bytesOf(token)) return;
      const { status } = await service.call('GET', PARCELS, { headers: { Authorization: scheme + changed } });
      expect(status).toBe(401);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  },
  120_000 + 100 * RUNS,
);
