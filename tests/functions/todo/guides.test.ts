import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import swagger from '../../../docs/swagger.json';
import { sendTo } from '../../../serverless/local/dynamodb.js';
import { environmentOf, startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { openShell } from '../../support/guide-shell.js';
import { AUDIENCE, startProvider } from '../../support/openid/provider.js';
import { expectStatus } from '../../support/service/answer.js';
import { startDeployed } from '../../support/service/deployed.js';
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

it('the README shows a call, and below it what it prints', async () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, section = ''] = /^## Try it\n(.*?)^## /ms.exec(readme) ?? [];
  const call = blocksOf(section, 'sh').find((block) => block.startsWith('curl')) ?? '';
  const served = await serve(startDeployed(gateways.find(({ prefix }) => prefix === '')));
  const printed = await run(`set -u\n${call.replace('http://localhost:3000', served.url)}`);
  served.stop();
  expect(printed).toContain('"key"');
  expect(withoutKeys(printed)).toBe(withoutKeys(blocksOf(section, 'text').join('').trimEnd()));
});

describe('the guide to the architecture', () => {
  const guide = readFileSync('docs/architecture.md', 'utf8');

  it('shows a declaration as it is in the code', () => {
    const file = readFileSync('functions/todo.ts', 'utf8');
    expect(file.replaceAll('template: ITEM', "template: '/api/todo/{id}'")).toContain(blocksOf(guide, 'ts')[0]);
  });

  it('shows an excerpt of the document as it is', () => {
    expect(swagger.paths).toMatchObject(JSON.parse(`{${blocksOf(guide, 'json')[0]}}`));
  });
});

describe('the rules and the guide to web apps', () => {
  const provider = startProvider();

  afterAll(async () => (await provider).stop());

  const guides = ['rules', 'front-end'].map((name) => readFileSync(`docs/${name}.md`, 'utf8')).join('\n');
  const shown = guides.matchAll(/^( *)```http\n(.*?)^\1```/gms);
  const blocks = Array.from(shown, ([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

  it.each(blocks.map((block) => [block.split('\n', 1)[0], block]))(
    'show the answer to %s',
    async (_first, block = '') => {
      const { issuer } = await provider;
      const gateway = gateways.find(({ prefix }) => prefix === (block.includes(' /dev') ? '/dev' : ''));
      const asksForTokens = block.includes('Authorization');
      const settings = { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, LIST_BY: 'all' };
      const service = startDeployed(gateway, asksForTokens ? settings : {});
      let key = '';
      if (block.includes('{key}') && !block.includes('POST'))
        key = (await service.call('GET', '/api/todo')).json[0].key;
      // A request and its answer are two parts each, and the second one, the body, may be missing.
      for (const [, request = '', answer = ''] of block.matchAll(
        /^([A-Z]+ \/.*?)^(HTTP\/1\.1 .*?)(?=^[A-Z]+ \/|(?![\s\S]))/gms,
      )) {
        const { start, fields, body } = partsOf(request.replaceAll('{key}', key));
        const [method = '', path = ''] = start.split(' ');
        const called = path.slice(service.prefix.length) || '/';
        const got = await service.call(method, called, { headers: fields, ...(body && { body }) });
        const promised = partsOf(answer.replaceAll('{key}', key).replaceAll('https://login.example.com', issuer));
        expect(got.status).toBe(Number(promised.start.split(' ')[1]));
        for (const [name, value] of Object.entries(promised.fields))
          expect([name, got.headers[name.toLowerCase()]]).toEqual([name, expect.stringMatching(whole(value))]);
        if (promised.body) expect(got.text).toMatch(whole(promised.body));
        if (method === 'POST' && got.status === 201) key = got.json.key;
      }
    },
  );

  it('show so many of them', () => expect(blocks.length).toBeGreaterThan(15));
});

/** Takes a request or an answer apart, as a guide shows it. */
function partsOf(text: string): { start: string; fields: Record<string, string>; body: string } {
  const [head = '', body = ''] = text.trim().split('\n\n');
  const [start = '', ...lines] = head.split('\n');
  const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/) as [string, string]));
  return { start, fields, body };
}

/** Matches a whole text, in which `…` stands for any. */
function whole(shown: string): RegExp {
  return new RegExp(`^${shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`);
}

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
