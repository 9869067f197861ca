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

describe('the session in the README', () => {
  it('goes just as it stands there', () => {
    const [, session] = /```console\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) as unknown as [string, string];
    const commands = session.split('\n').filter((line) => line.startsWith('$ '));
    // Each command is shown before it runs, and what it prints is ended with a new line, as at a prompt.
    const script = commands.map((line) => `echo ${quote(line)}\n${run(line.slice(2))}\n`).join('');
    const printed = execFileSync('bash', ['-euc', script.replaceAll('http://localhost:3000', service.url)]).toString();
    expect(withoutKeys(printed).replaceAll(service.url, 'http://localhost:3000')).toBe(withoutKeys(session));
  });
});

function run(command: string): string {
  return /^\w+=/.test(command) ? command : `${command} | awk 1`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
