import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PROBLEMS } from '../../shared/problem-kinds.js';
import { COLLECTION } from '../support/collection.js';
import { startTables, type Tables } from '../support/dynamodb/tables.js';
import { gateways } from '../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import { startDeployed } from '../support/service/deployed.js';

const guide = readFileSync('docs/rules.md', 'utf8');
const FIRST_OF_SIGN_IN = 32;
const ORIGIN = 'https://app.example.com';

let tables: Tables;
let provider: Provider;
beforeAll(async () => {
  [tables, provider] = await Promise.all([startTables(), startProvider()]);
});
afterAll(() => Promise.all([tables.stop(), provider.stop()]));

it.each(exchanges())('rule %i shows the answers that the service gives (%s)', async (rule, _request, block) => {
  if (rule < FIRST_OF_SIGN_IN) return expectAnswers(block, block.includes(ORIGIN) ? { CORS_ORIGINS: ORIGIN } : {});
  const { issuer, sign } = provider;
  const signIn = { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, TOKEN_WRITE_SCOPE: 'todo/write' };
  const filled = block
    .replace('{ada}', await sign({ scope: 'todo/write' }))
    .replace('{bob}', await sign({ sub: 'bob', scope: 'todo/write' }))
    .replace('{reader}', await sign({ scope: 'todo/read' }));
  await expectAnswers(filled, { ...(await tables.create()).environment, ...signIn });
});

it('the rules list each error code with its status', () => {
  const listed = Array.from(guide.matchAll(/(\d{3})\s(`[a-z-]+`(?:,\s`[a-z-]+`)*)/g), ([, status, codes = '']) =>
    codes.split(/,\s/).map((code) => `${status} ${code}`),
  );
  const known = Object.entries(PROBLEMS).map(([code, { status }]) => `${status} \`${code}\``);
  expect(listed.flat().sort()).toEqual(known.sort());
});

/** All blocks of requests and answers, each with the number of its rule and its first line. */
function exchanges(): [rule: number, request: string, block: string][] {
  return guide.split(/^(?=\d+\. )/m).flatMap((rule) =>
    Array.from(rule.matchAll(/^ {3,4}```http\n(.*?)^ {3,4}```/gms), ([, indented = '']) => {
      const block = indented.replace(/^ {3,4}/gm, '');
      return [Number.parseInt(rule, 10), block.split('\n', 1).join(), block];
    }),
  );
}

/** Sends the requests of a block one after the other, to one instance, and compares the answers. */
async function expectAnswers(block: string, environment: Record<string, string>): Promise<void> {
  const gateway = gateways.find(({ prefix }) => prefix === (block.includes(' /live/') ? '/live' : ''));
  const service = startDeployed(environment, gateway);
  let key = (await service.call('GET', COLLECTION)).json[0]?.key;
  for (const exchange of block.split(/^(?=[A-Z]+ \/)/m)) {
    const [request = '', answer = ''] = exchange.split(/^(?=HTTP)/m);
    const { start, headers, body } = partsOf(request.replaceAll('{key}', key));
    const [method = '', path = ''] = start.split(' ');
    const got = await service.call(method, path.slice(service.prefix.length), { headers, ...(body && { body }) });
    if (method === 'POST' && got.status === 201) key = got.json.key;
    const shown = partsOf(answer.replaceAll('{key}', key));
    expect(`HTTP/1.1 ${got.status}`).toBe(shown.start);
    for (const [name, value] of Object.entries(shown.headers))
      expect([name, got.headers[name.toLowerCase()]]).toEqual([name, expect.stringMatching(asPattern(value))]);
    if (shown.body) expect(got.text).toMatch(asPattern(shown.body));
  }
}

function partsOf(message: string): { start: string; headers: Record<string, string>; body: string } {
  const [head = '', body = ''] = message.trim().split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  return { start, headers: Object.fromEntries(lines.map((line) => line.split(/: (.*)/))), body };
}

/** Matches a whole text. `…` stands for any text. */
function asPattern(shown: string): RegExp {
  return new RegExp(`^${shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`, 's');
}
