import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { copyProject, type Server, startServer } from './command.js';

let server: Server;
const project = copyProject();
const source = join(project, 'functions/added.ts');

beforeAll(async () => {
  mkdirSync(join(project, 'dist'));
  writeFileSync(join(project, 'dist/api.mjs'), 'what npm run build has built');
  // A handler of its own, so that the tests can change what is answered in any version of the service.
  writeFileSync(source, answerWith('first'));
  writeFileSync(join(project, 'functions/api.ts'), "export { handler } from './added.js';\n");
  server = await startServer(project, [process.execPath, 'serverless/start.mjs', '--watch']);
  await server.until('Document');
});

function answerWith(text: string): string {
  return `export async function handler() {\n  return { statusCode: 200, body: '${text}' };\n}\n`;
}

const answer = async () => (await fetch(`http://127.0.0.1:${server.port}`)).text();

async function untilAnswer(text: string): Promise<void> {
  while ((await answer()) !== text) await setTimeout(20);
}

describe('npm run dev', () => {
  it('answers with the saved code, also after an error and after an editor has replaced the file', async () => {
    expect(await answer()).toBe('first');
    writeFileSync(source, answerWith('second'));
    await untilAnswer('second');

    writeFileSync(source, 'export function handler(');
    await server.until('[ERROR]');
    await server.until('Still serving the previous build.');
    expect(await answer()).toBe('second');

    for (const text of ['third', 'fourth']) {
      rmSync(source);
      writeFileSync(source, answerWith(text));
      await untilAnswer(text);
    }
  });

  it('says at each build after the first that the collection was reset', () => {
    const lines = server.printed.split('\n').filter((line) => line.startsWith('Built in'));
    expect(lines.length).toBeGreaterThan(2);
    for (const [number, line] of lines.entries()) expect(/was reset/.test(line)).toBe(number > 0);
  });

  it('shows what a module throws while it is loaded, and errors in its types, and answers with the previous build', async () => {
    writeFileSync(source, `throw new Error('thrown');\nexport const size: number = 'two';\n${answerWith('fifth')}`);
    await server.until('What was built does not load: see above.');
    expect(server.printed).toMatch(/functions\/added\.ts:1\nthrow new Error\('thrown'\)/);
    await server.until("functions/added.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.");
    expect(await answer()).toBe('fourth');
  });

  it('serves what has errors in its types, not those of tests, and says when they are right again', async () => {
    writeFileSync(join(project, 'tests/support/wrong.ts'), "export const count: number = 'one';\n");
    writeFileSync(source, `export const count: number = 'one';\n${answerWith('sixth')}`);
    await untilAnswer('sixth');
    await server.until("functions/added.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.");
    expect(server.printed).not.toContain('The types are right again.');
    writeFileSync(source, answerWith('seventh'));
    await server.until('The types are right again.');
    expect(server.printed).not.toContain('tests/support');
  });

  it('generates the documents', async () => {
    const files = readdirSync('functions').map((name) => join(project, 'functions', name));
    const file = files.find((name) => readFileSync(name, 'utf8').includes('= resource(')) as string;
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/(?<=\/\*\*\n \* ).*(?=\n \*\n \* @param)/, 'Another summary.'),
    );
    for (const name of ['docs/swagger.json', 'docs/openapi.json']) {
      while (!readFileSync(join(project, name), 'utf8').includes('"Another summary."')) await setTimeout(20);
    }
  });

  it('leaves dist/ as it is', () => {
    expect(readFileSync(join(project, 'dist/api.mjs'), 'utf8')).toBe('what npm run build has built');
  });

  it('lets a debugger stop in the TypeScript', () => {
    const builds = join(project, '.dev/builds');
    // The last one may not have been written yet.
    const names = readdirSync(builds).map((name) => join(builds, name, 'api.mjs'));
    const built = names.findLast((name) => existsSync(`${name}.map`)) as string;
    expect(readFileSync(built, 'utf8')).toContain('//# sourceMappingURL=api.mjs.map');
    const { sources } = JSON.parse(readFileSync(`${built}.map`, 'utf8'));
    expect(sources.map((name: string) => resolve(dirname(built), name))).toContain(source);
    const files = sources.filter((name: string) => !name.startsWith('builtin:'));
    for (const name of files) expect(existsSync(resolve(dirname(built), name))).toBe(true);
  });

  it('ends with exit code 0 when it is stopped', async () => {
    expect(await server.stop()).toBe(0);
  });
});
