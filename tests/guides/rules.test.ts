import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PROBLEMS } from '../../shared/http/problem.js';
import { COLLECTION } from '../support/collection.js';
import { environmentOf, startTables, type Tables } from '../support/dynamodb/tables.js';
import { gateways } from '../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import { startDeployed } from '../support/service/deployed.js';

const guide = readFileSync('docs/rules.md', 'utf8');
const [openRules = '', signInRules = ''] = guide.split('## Sign-in');

let tables: Tables;
let provider: Provider;
beforeAll(async () => {
  [tables, provider] = await Promise.all([startTables(), startProvider()]);
});
afterAll(() => Promise.all([tables.stop(), provider.stop()]));

it.each(exchangesIn(openRules))('rule %s gets the answer that is shown (%s)', async (_rule, _request, block) => {
  const origin = 'https://app.example.com';
  await expectAnswers(block, block.includes(origin) ? { CORS_ORIGINS: origin } : {});
});

it.each(exchangesIn(signInRules))('rule %s gets the answer that is shown (%s)', async (_rule, _request, block) => {
  const { issuer, sign } = provider;
  const tokens = {
    '{ada}': await sign({ sub: 'ada', scope: 'todo/write' }),
    '{bob}': await sign({ sub: 'bob', scope: 'todo/write' }),
    '{reader}': await sign({ scope: 'todo/read' }),
    'https://login.example.com': issuer,
  };
  const settings = { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, TOKEN_WRITE_SCOPE: 'todo/write' };
  await expectAnswers(block, { ...environmentOf(await tables.create()), ...settings }, tokens);
});

it('the table of codes lists all problems with their statuses', () => {
  const rows = Array.from(guide.matchAll(/^\| (\d{3}) +\| (`[a-z-]+`(?:, `[a-z-]+`)*) +\|/gm));
  const listed = rows.flatMap(([, status, codes = '']) => codes.split(', ').map((code) => `${status} ${code}`));
  expect(listed.sort()).toEqual(
    Object.entries(PROBLEMS)
      .map(([code, { status }]) => `${status} \`${code}\``)
      .sort(),
  );
});

/** The number of each rule with a block of requests and answers, its first line, and the block. */
function exchangesIn(text: string): [rule: string, request: string, block: string][] {
  return text.split(/^(?=\d+\. )/m).flatMap((rule) =>
    Array.from(rule.matchAll(/^ {3,4}```http\n(.*?)^ {3,4}```/gms), ([, indented = '']) => {
      const block = indented.replace(/^ {3,4}/gm, '');
      return [Number.parseInt(rule, 10).toString(), block.split('\n', 1).join(), block];
    }),
  );
}

/** Sends the requests of a block one after the other, to one instance, and compares the answers. */
async function expectAnswers(block: string, environment: Record<string, string>, placeholders = {}): Promise<void> {
  const gateway = gateways.find(({ prefix }) => prefix === (block.includes(' /live/') ? '/live' : ''));
  const service = startDeployed(gateway, environment);
  let key = '';
  const filled = (text: string) =>
    Object.entries({ ...placeholders, '{key}': key }).reduce((all, [name, value]) => all.replaceAll(name, value), text);
  if (/^[A-Z]+ \S*\{key\}/.test(block)) key = (await service.call('GET', COLLECTION)).json[0].key;
  for (const [, request = '', answer = ''] of block.matchAll(
    /^([A-Z]+ \/.*?)^(HTTP\/1\.1 .*?)(?=^[A-Z]+ \/|$(?![\s\S]))/gms,
  )) {
    const { start, headers, body } = partsOf(filled(request));
    const [method = '', path = ''] = start.split(' ');
    const got = await service.call(method, path.slice(service.prefix.length), { headers, ...(body && { body }) });
    if (method === 'POST' && got.status === 201) key = got.json.key;
    const shown = partsOf(filled(answer));
    expect(`HTTP/1.1 ${got.status}`).toBe(shown.start.split(' ', 2).join(' '));
    for (const [name, value] of Object.entries(shown.headers))
      expect([name, got.headers[name.toLowerCase()]]).toEqual([name, expect.stringMatching(asPattern(value))]);
    if (shown.body) expect(got.text).toMatch(asPattern(shown.body));
  }
}

function partsOf(message: string): { start: string; headers: Record<string, string>; body: string } {
  const [head = '', body = ''] = message.trim().split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/) as [string, string]));
  return { start, headers, body };
}

/** Matches a whole text, in which `…` stands for any. */
function asPattern(shown: string): RegExp {
  return new RegExp(`^${shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`, 's');
}
