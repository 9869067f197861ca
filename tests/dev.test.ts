import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Command, startCommand } from './support/command.js';
import { freePort } from './support/emulator.js';

const FILES = ['esbuild.ts', 'package.json', 'tsconfig.json', 'serverless.yml', 'serverless'];

const project = mkdtempSync(join(tmpdir(), 'todo-dev-'));
const source = join(project, 'functions/added.ts');
let command: Command;
let url: string;

beforeAll(async () => {
  for (const name of [...FILES, 'functions', 'shared', 'docs', 'tests/support']) {
    cpSync(name, join(project, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'), 'junction');
  // Something to change that no change of the service takes away.
  writeFileSync(source, answerWith('first'));
  const api = join(project, 'functions/api.ts');
  writeFileSync(api, readFileSync(api, 'utf8').replace('handler(', 'original('));
  writeFileSync(api, `${readFileSync(api, 'utf8')}\nexport { handler } from './added.js';\n`);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  command = startCommand('tests/support/dev.ts', port, { cwd: project });
  await command.until('Document');
});

afterAll(async () => {
  await command?.stop();
  rmSync(project, { recursive: true });
});

function answerWith(text: string): string {
  return `export async function handler() {\n  return { statusCode: 200, body: '${text}' };\n}\n`;
}

const answer = async () => (await fetch(url)).text();

async function untilAnswer(text: string): Promise<void> {
  while ((await answer()) !== text) await setTimeout(20);
}

describe('npm run dev', () => {
  it('answers with what was saved, also after an error and after an editor has replaced the file', async () => {
    expect(await answer()).toBe('first');
    writeFileSync(source, answerWith('second'));
    await untilAnswer('second');

    writeFileSync(source, 'export function handler(');
    await command.until('[ERROR]');
    expect(await answer()).toBe('second');

    for (const text of ['third', 'fourth']) {
      rmSync(source);
      writeFileSync(source, answerWith(text));
      await untilAnswer(text);
    }
  });

  it('leads a debugger to the TypeScript', () => {
    const builds = join(project, 'dist/builds');
    // The last one may not have been written yet.
    const names = readdirSync(builds).map((name) => join(builds, name, 'api.mjs'));
    const built = names.findLast((name) => existsSync(`${name}.map`)) as string;
    expect(readFileSync(built, 'utf8')).toContain('//# sourceMappingURL=api.mjs.map');
    const { sources } = JSON.parse(readFileSync(`${built}.map`, 'utf8'));
    expect(sources.map((name: string) => resolve(dirname(built), name))).toContain(source);
    const files = sources.filter((name: string) => !name.startsWith('builtin:'));
    for (const name of files) expect(existsSync(resolve(dirname(built), name))).toBe(true);
  });
});
