import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import swagger from '../../../docs/swagger.json';
import { gateways } from '../../support/gateways/gateways.js';
import { makeDeployed, startDeployed } from '../../support/service/deployed.js';
import { type Served, serve } from '../../support/service/serve.js';

const readme = readFileSync('README.md', 'utf8');
let service: Served;

beforeAll(async () => {
  service = await serve(startDeployed(gateways.find(({ prefix }) => prefix === '')));
});

afterAll(() => service?.stop());

const withoutKeys = (text: string) => text.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'KEY');

describe('the calls in the README', () => {
  it('print the output that is shown below them', async () => {
    const section = /^## Call it\n(.*?)^## /ms.exec(readme)?.[1] ?? '';
    const blocks = Array.from(section.matchAll(/^```(sh|text)\n(.*?)^```/gms), ([, language, text]) => ({
      language,
      text,
    }));
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
    const outputs = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);
    expect(commands.length).toBe(outputs.length);
    expect(commands.length).toBeGreaterThan(2);
    const script = commands.join('').replaceAll('http://localhost:3000', service.url);
    const { stdout: printed } = await promisify(execFile)('bash', ['-euc', script]);
    expect(withoutKeys(printed)).toBe(withoutKeys(outputs.join('')));
  });
});

describe('the README', () => {
  it('shows the declaration as it is in the code', () => {
    const [, shown] = /^```ts\n(.*?)\n```/ms.exec(readme) ?? [];
    const file = readFileSync('functions/todo.ts', 'utf8');
    const code = file.replaceAll('template: ITEM', "template: '/api/todo/{id}'");
    expect(code).toContain(shown as string);
  });

  it('shows an excerpt of the document as it is', () => {
    const [, shown] = /^```json\n(.*?)\n```/ms.exec(readme) ?? [];
    const excerpt = JSON.parse(`{${shown}}`, (_, value) =>
      typeof value === 'string' && value.endsWith(' …') ? expect.stringContaining(value.slice(0, -2)) : value,
    );
    expect(swagger.paths).toMatchObject(excerpt);
  });
});

describe('the console guide', () => {
  const shown = Array.from(
    readFileSync('docs/console.md', 'utf8').matchAll(/^```json\n(.*?)^```/gms),
    ([, json = '']) => json,
  );

  it.each([
    ["API Gateway's test console", 0],
    ["Lambda's test console", 2],
  ])('shows what the service answers to %s', async (_name, index) => {
    const [event, answer] = shown.slice(index, index + 2) as [string, string];
    const result = JSON.stringify(await makeDeployed()(JSON.parse(event)));
    expect(JSON.parse(withoutKeys(result))).toEqual(JSON.parse(withoutKeys(answer)));
  });
});
