import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OfflineService, startOffline } from './support/offline.js';

let service: OfflineService;

beforeAll(async () => {
  service = await startOffline();
});

afterAll(() => service?.stop());

const withoutKeys = (text: string) => text.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'KEY');

describe('the calls in the README', () => {
  it('print what stands below them, in the wire format', () => {
    const section = readFileSync('README.md', 'utf8').split('\n## ')[2] as string;
    const blocks = Array.from(section.matchAll(/^```(sh|text)\n(.*?)^```/gms), ([, kind, text]) => ({ kind, text }));
    const commands = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text);
    const outputs = blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text);
    expect(commands.length).toBe(outputs.length);
    expect(commands.length).toBeGreaterThan(4);
    const script = commands.join('').replaceAll('http://localhost:3000', service.url);
    const printed = execFileSync('bash', ['-euc', script]).toString();
    expect(withoutKeys(printed)).toBe(withoutKeys(outputs.join('')));
  });
});
