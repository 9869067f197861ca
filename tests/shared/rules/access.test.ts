import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import type { TokenPolicy } from '../../../shared/openid/policy.js';
import { startTables } from '../../support/dynamodb/tables.js';
import { gateways, typicalGateways } from '../../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { expectStatus } from '../../support/service/answer.js';
import { captureLog } from '../../support/service/log.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, type ServiceOptions, startService } from '../../support/service/service.js';

const tables = startTables();
let provider: Provider;

beforeAll(async () => {
  provider = await startProvider();
});

afterEach(() => void jest.restoreAllMocks());

afterAll(async () => {
  await provider.stop();
  await (await tables).stop();
});

/** Starts a service that asks for tokens, with a table of its own unless one is named. */
async function start(policy: Partial<TokenPolicy>, options: ServiceOptions = {}, gateway = gateways[0]) {
  const asked = { issuer: provider.issuer, audience: AUDIENCE, ...policy };
  const authenticate = createAuthenticator(asked, openLog(options.logLevel ?? 'silent')).authenticate;
  return startService(gateway, { table: await (await tables).create(), authenticate, ...options });
}

/** The header fields of somebody whose token has some claims. */
async function bearer(claims: object) {
  return { Authorization: `Bearer ${await provider.sign(claims)}` };
}

async function labelsOf(service: Service, claims: object): Promise<string[]> {
  const headers = await bearer(claims);
  const { json } = await expectStatus(200, service.call('GET', PARCELS, { headers }));
  return json.map(({ label }: { label: string }) => label);
}

async function create(service: Service, claims: object, label: string) {
  const headers = await bearer(claims);
  return (await expectStatus(201, service.call('POST', PARCELS, { headers, body: { label } }))).json;
}

describe.each(typicalGateways)(
  'where scopes and a claim are asked for, behind $name (rules 5, 35 and 37)',
  (gateway) => {
    it('401 comes before the scope, the scope before the list, and both before everything else about the request', async () => {
      const service = await start({ readScope: 'read', writeScope: 'write', listBy: 'org_id' }, {}, gateway);
      const calls = [
        ['GET', 'read', PARCELS, `${PARCELS}?limit=0`],
        ['HEAD', 'read', `${PARCELS}/1`, PARCELS],
        ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) => [method, 'write', `${PARCELS}/1`] as const),
        ['POST', 'write', PARCELS],
      ] as const;
      const other = { read: 'write', write: 'read' };
      for (const [method, scope, ...paths] of calls)
        for (const path of paths) {
          const ask = async (status: number, headers: object) => {
            const sent = { 'If-Match': '2', 'Idempotency-Key': '', ...headers };
            const body = /^P/.test(method) ? '{' : undefined;
            const answer = await expectStatus(status, service.call(method, path, { headers: sent, body }));
            return [answer.json?.detail, answer.headers['www-authenticate']];
          };
          const isRead = method === 'HEAD';
          await ask(401, await bearer({ aud: 'other', scope: other[scope] }));
          expect(await ask(403, await bearer({ scope: other[scope] }))).toEqual([
            isRead
              ? undefined
              : `The token lacks the scope ${scope}, which ${method} needs. Ask the identity provider for a token that has it.`,
            `Bearer realm="items", error="insufficient_scope", scope="${scope}"`,
          ]);
          const noList = 'The token names no list: its claim org_id is not text of 1 to 255 characters.';
          expect(await ask(403, await bearer({ scope }))).toEqual([
            isRead ? undefined : `${noList} An administrator of the identity provider can add it.`,
            undefined,
          ]);
          const { status } = await service.call(method, path, { headers: await bearer({ scope, org_id: 'blue' }) });
          expect([200, 204, 400, 404]).toContain(status);
        }
      const from = { ...(await bearer({ aud: 'other' })), 'Sec-Fetch-Site': 'cross-site' };
      await expectStatus(403, service.call('DELETE', `${PARCELS}/1`, { headers: from }));
      await expectStatus(204, service.call('OPTIONS', PARCELS));
    });

    it('those who have the same value in the claim share a list, which no subject of that spelling reaches', async () => {
      const table = await (await tables).create();
      const byTeam = await start({ listBy: 'org_id' }, { table }, gateway);
      const item = await create(byTeam, { sub: 'ada', org_id: 'blue' }, 'For all of blue');
      expect(await labelsOf(byTeam, { sub: 'bob', org_id: 'blue' })).toEqual(['first', 'For all of blue']);
      const claims = [{ org_id: 'Blue' }, { org_id: 'blue ' }, { org_id: 'ada' }, { sub: 'blue', org_id: 'red' }];
      for (const claim of claims) expect(await labelsOf(byTeam, { sub: 'ada', ...claim })).toEqual(['first']);
      const byPerson = await start({}, { table }, gateway);
      for (const sub of ['ada', 'blue', `claim org_id ${provider.issuer} blue`, `org_id ${provider.issuer} blue`])
        expect(await labelsOf(byPerson, { sub, org_id: 'blue' })).toEqual(['first']);
      const headers = await bearer({ sub: 'ada', org_id: 'red' });
      await expectStatus(404, byTeam.call('DELETE', `${PARCELS}/${item.key}`, { headers }));
    });
  },
);

it('all who sign in share the list that is there without sign-in, in a table and in memory', async () => {
  for (const table of [await (await tables).create(), undefined]) {
    const service = await start({ listBy: 'all' }, { table });
    await expectStatus(401, service.call('GET', PARCELS));
    await create(service, { sub: 'ada' }, 'For all');
    expect(await labelsOf(service, { sub: 'bob' })).toEqual(['first', 'For all']);
    if (!table) continue;
    const { json } = await startService(undefined, { table }).call('GET', PARCELS);
    expect(json).toMatchObject([{ label: 'first' }, { label: 'For all' }]);
  }
});

it('the same Idempotency-Key is used by each list for itself, and by all who share a list', async () => {
  const service = await start({ listBy: 'org_id' });
  const post = async (claims: object, label: string) => {
    const headers = { ...(await bearer(claims)), 'Idempotency-Key': '"k"' };
    return (await service.call('POST', PARCELS, { headers, body: { label } })).status;
  };
  expect(await post({ sub: 'ada', org_id: 'blue' }, 'a')).toBe(201);
  expect(await post({ sub: 'bob', org_id: 'blue' }, 'b')).toBe(422);
  expect(await post({ sub: 'ada', org_id: 'red' }, 'c')).toBe(201);
});

it('the log tells callers apart without naming them, in the line of each request whose token is valid', async () => {
  const lines = captureLog();
  const service = await start({ writeScope: 'write', listBy: 'org_id' }, { logLevel: 'info' });
  const call = async (method: string, claims: object) =>
    service.call(method, `${PARCELS}/1`, { headers: await bearer(claims) });
  await call('GET', { sub: 'ada', org_id: 'blue' });
  await call('DELETE', { sub: 'ada', org_id: 'blue' });
  await call('GET', { sub: 'bob' });
  await call('GET', { sub: 'bob', aud: 'other' });
  await service.call('OPTIONS', PARCELS);
  const pseudonym = (sub: string) =>
    createHash('sha256').update(`${provider.issuer} ${sub}`).digest('hex').slice(0, 16);
  expect(lines.map(({ status, caller }) => [status, caller])).toEqual([
    [404, pseudonym('ada')],
    [403, pseudonym('ada')],
    [403, pseudonym('bob')],
    [401, undefined],
    [204, undefined],
  ]);
});
