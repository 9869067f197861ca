import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import swagger from '../../../docs/swagger.json';
import { sendTo } from '../../../serverless/local/dynamodb.js';
import { environmentOf, startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { openShell } from '../../support/guide-shell.js';
import { AUDIENCE, startProvider } from '../../support/openid/provider.js';
import { expectStatus } from '../../support/service/answer.js';
import { makeDeployed, startDeployed } from '../../support/service/deployed.js';
import { captureLog } from '../../support/service/log.js';
import { serve } from '../../support/service/serve.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Runs commands with what they may call of this machine. */
const run = openShell(temporaryFolder(), { tools: ['curl', 'cut', 'grep', 'openssl', 'tail'] });

const withoutKeys = (text: string) => text.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'KEY');

/** The blocks of code in a text that are in a language. */
function blocksOf(text: string, language: string): string[] {
  return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms')), ([, code = '']) => code);
}

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');

  it('shows calls, and below them what they print', async () => {
    const [, section = ''] = /^## Call it\n(.*?)^## /ms.exec(readme) ?? [];
    const [commands, outputs] = [blocksOf(section, 'sh'), blocksOf(section, 'text')];
    const served = await serve(startDeployed(gateways.find(({ prefix }) => prefix === '')));
    const script = commands.join('').replaceAll('http://localhost:3000', served.url);
    const printed = await run(`set -u\n${script}`);
    served.stop();
    expect(printed).toContain('204');
    expect(withoutKeys(printed)).toBe(withoutKeys(outputs.join('')));
  });

  it('shows a declaration as it is in the code', () => {
    const file = readFileSync('functions/todo.ts', 'utf8');
    expect(file.replaceAll('template: ITEM', "template: '/api/todo/{id}'")).toContain(blocksOf(readme, 'ts')[0]);
  });

  it('shows an excerpt of the document as it is', () => {
    expect(swagger.paths).toMatchObject(JSON.parse(`{${blocksOf(readme, 'json')[0]}}`));
  });
});

describe('the console guide', () => {
  const [event, answer, other, otherAnswer] = blocksOf(readFileSync('docs/console.md', 'utf8'), 'json');

  it.each([
    ["API Gateway's test console", event, answer],
    ["Lambda's test console", other, otherAnswer],
  ])('shows what the service answers to %s', async (_name, event = '', answer = '') => {
    const result = JSON.stringify(await makeDeployed()(JSON.parse(event)));
    expect(JSON.parse(withoutKeys(result))).toEqual(JSON.parse(withoutKeys(answer)));
  });
});

describe('the guide to operation', () => {
  const tables = startTables();
  const provider = startProvider();

  afterAll(async () => {
    await (await tables).stop();
    await (await provider).stop();
  });

  it('names the partitions of a list of each kind of owner, and computes what the log calls somebody', async () => {
    const guide = readFileSync('docs/operate.md', 'utf8');
    const table = await (await tables).create();
    const { issuer, sign } = await provider;
    const environment = { ...environmentOf(table), TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, LOG_LEVEL: 'info' };
    const headers = { Authorization: `Bearer ${await sign({ sub: 'ada', org_id: 'blue' })}`, 'Idempotency-Key': '"k"' };
    const lines = captureLog();
    for (const LIST_BY of ['sub', 'org_id', 'all']) {
      const service = startDeployed(undefined, { ...environment, LIST_BY });
      await expectStatus(201, service.call('POST', '/api/todo', { headers, body: { name: 'x' } }));
    }
    jest.restoreAllMocks();
    const rows = JSON.parse((await sendTo(table)('Scan')).text).Items as Record<string, { readonly S?: string }>[];
    const stored = rows.map((row) => Object.values(row).find(({ S }) => S?.startsWith('todo'))?.S);
    const words: Record<string, string> = { ISSUER: issuer, SUBJECT: 'ada', NAME: 'org_id', VALUE: 'blue' };
    const named = Array.from(guide.matchAll(/`(todo(?:\/[^`]*)?)`/g), ([, text = '']) =>
      text.replace(/[A-Z]{4,}/g, (word) => words[word] ?? word),
    );
    expect([...new Set(named)].sort()).toEqual([...stored].sort());
    const [, command = ''] = /(printf .*cut.*)/.exec(guide) ?? [];
    const printed = await run(`set -u; issuer=${issuer} sub=ada; ${command}`);
    expect(lines.map(({ caller }) => `${caller}\n`)).toEqual([printed, printed, printed]);
  });
});
