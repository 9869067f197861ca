import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { Command, copyProject, install, unusedPort } from './command.js';

const project = copyProject();
const source = join(project, 'functions/added.ts');
let command: Command;
let port: number;

beforeAll(async () => {
  install(project);
  mkdirSync(join(project, 'dist'));
  writeFileSync(join(project, 'dist/api.mjs'), 'what npm run build has built');
  // A handler of its own, so that the tests can change what is answered in any version of the service.
  writeFileSync(source, answerWith('first'));
  writeFileSync(join(project, 'functions/api.ts'), "export { handler } from './added.js';\n");
  port = await unusedPort();
  command = new Command(project, [process.execPath, 'serverless/local/start.mjs', '--watch', '--httpPort', `${port}`]);
  await command.until('Document');
});

/** Saves the handler in one step, because a build could read a file that is half written. */
function save(code: string): void {
  writeFileSync(`${source}.new`, code);
  renameSync(`${source}.new`, source);
}

function answerWith(text: string): string {
  return `export async function handler() {\n  return { statusCode: 200, body: '${text}' };\n}\n`;
}

const answer = async () => (await fetch(`http://127.0.0.1:${port}`)).text();

async function untilAnswer(text: string): Promise<void> {
  while ((await answer()) !== text) await setTimeout(20);
}

// One story: each step begins with what the one before has left.
it('npm run dev serves what is saved, shows what is wrong while it serves the previous build, and ends with exit code 0', async () => {
  await servesWhatIsSaved();
  await watchesNewFolders();
  await showsWhatIsWrong();
  await checksTypesAndGenerates();
  await namesWrongDocuments();
  await leavesTheBuild();
  expect(await command.stop()).toBe(0);
  // It checks types several times, each of which takes a minute on a busy machine.
}, 600_000);

/** Serves what is saved, also when an editor replaces the file, and says that this reset the collection. */
async function servesWhatIsSaved(): Promise<void> {
  expect(await answer()).toBe('first');
  expect(command.printed).not.toContain('was reset');
  rmSync(source);
  save(answerWith('second'));
  await untilAnswer('second');
  await command.until('The collection in memory was reset.');
}

/** Sees what is saved in a folder that was made since the start, and builds whatever way of importing what Node.js has. */
async function watchesNewFolders(): Promise<void> {
  const folder = join(project, 'shared/later');
  mkdirSync(join(folder, 'below'), { recursive: true });
  writeFileSync(join(folder, 'below/text.ts'), "export const text = 'made';\n");
  const code = [
    "import * as all from 'node:buffer';",
    "import { type Blob as B, isUtf8 } from 'node:buffer';",
    "import path, { join as joined } from 'node:path';",
    "import { default as url } from 'node:url';",
    "import { text } from '../shared/later/below/text.js';",
    'export async function handler() {',
    "  const { hash } = await import('node:crypto');",
    "  const end = (await import('node:os')).default.EOL;",
    '  const blob: B = new all.Blob([text]);',
    "  const found = [isUtf8(Buffer.from('a')), path.join === joined, typeof url.parse, typeof hash, typeof end, blob.size];",
    "  return { statusCode: 200, body: [await blob.text(), ...found].join(' ') };",
    '}\n',
  ];
  save(code.join('\n'));
  await untilAnswer('made true true function function string 4');
  // Nothing else is saved.
  writeFileSync(join(folder, 'below/text.ts'), "export const text = 'changed';\n");
  await untilAnswer('changed true true function function string 7');
  save(answerWith('second'));
  await untilAnswer('second');
  // As fast as a change of branches adds and removes them, so that some are gone before they are read.
  for (let time = 0; time < 100; time += 1) {
    mkdirSync(join(folder, 'below/again'), { recursive: true });
    if (time % 3 === 0) await setTimeout(1);
    rmSync(folder, { recursive: true });
  }
}

/** Shows why code does not compile or load, and what is wrong with its types, and serves the previous build. */
async function showsWhatIsWrong(): Promise<void> {
  save('export function handler(');
  await command.until('[ERROR]');
  await command.until('Still serving the previous build.');
  save("export const handler = () => import('./later.js');\n");
  await command.until('functions/later.ts is loaded later, but gets no file of its own: add it to LOADED_LATER');
  save(`throw new Error('thrown');\nexport const size: number = 'two';\n${answerWith('third')}`);
  await command.until('What was built does not load: see above.');
  expect(command.printed).toMatch(/functions\/added\.ts:1\nthrow new Error\('thrown'\)/);
  await command.until("functions/added.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.");
  expect(await answer()).toBe('second');
}

/** Serves what has errors in its types, says when they are right again, and generates the documents. */
async function checksTypesAndGenerates(): Promise<void> {
  const before = command.printed.length;
  mkdirSync(join(project, 'tests'));
  writeFileSync(join(project, 'tests/wrong.ts'), "export const count: number = 'one';\n");
  save(`export const count: number = 'one';\n${answerWith('fourth')}`);
  await untilAnswer('fourth');
  await command.until('Built in', before);
  await command.until(
    "functions/added.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.",
    before,
  );
  // A check of a former build may still end before this one is served.
  const served = command.printed.indexOf('Built in', before);
  expect(command.printed.slice(served)).not.toContain('The types are right again.');
  const file = join(project, 'functions/todo.ts');
  // They are replaced: who has one open, as a build may, reads all of the former one.
  const open = openSync(join(project, 'docs/openapi.json'), 'r');
  const former = readFileSync('docs/openapi.json', 'utf8');
  const summary = /(?<=\/\*\*\n \* ).*(?=\n \*\n \* @param)/;
  writeFileSync(file, readFileSync(file, 'utf8').replace(summary, 'Another summary.'));
  save(answerWith('fifth'));
  await command.until('The types are right again.', before);
  expect(command.printed).not.toContain('tests/wrong.ts');
  for (const name of ['docs/swagger.json', 'docs/openapi.json']) {
    while (!readFileSync(join(project, name), 'utf8').includes('"Another summary."')) await setTimeout(20);
  }
  expect(readFileSync(open, 'utf8')).toBe(former);
  closeSync(open);
}

/** Names a document that is not valid JSON, and says how to generate it. */
async function namesWrongDocuments(): Promise<void> {
  const file = join(project, 'docs/openapi.json');
  // A generation that is still running may replace it.
  while (!command.printed.includes('docs/openapi.json is not valid JSON')) {
    if (readFileSync(file, 'utf8') !== '') writeFileSync(file, '');
    await setTimeout(20);
  }
  await command.until('npm run docs generates it anew.');
}

/** Leaves dist/ as it is, and lets a debugger stop in the TypeScript. */
async function leavesTheBuild(): Promise<void> {
  expect(readFileSync(join(project, 'dist/api.mjs'), 'utf8')).toBe('what npm run build has built');
  const builds = join(project, '.dev/builds');
  // The last one may not have been written yet.
  const names = readdirSync(builds).map((name) => join(builds, name, 'api.mjs'));
  const built = names.findLast((name) => existsSync(`${name}.map`)) as string;
  expect(readFileSync(built, 'utf8')).toContain('//# sourceMappingURL=api.mjs.map');
  const { sources } = JSON.parse(readFileSync(`${built}.map`, 'utf8'));
  const files = sources.filter((name: string) => !name.startsWith('builtin:'));
  const paths = files.map((name: string) => resolve(dirname(built), name));
  expect(paths).toContain(source);
  expect(paths.filter((path: string) => !existsSync(path))).toEqual([]);
}

it('ends when a process behind it fails later on, because what that does would be missing', async () => {
  const later = "process.send?.('there');\nsetTimeout(() => {\n  throw new Error('nobody expects it');\n}, 10);\n";
  writeFileSync(join(project, 'fails.ts'), later);
  const code = [
    "const { runTypeScript } = await import('./serverless/local/child.ts');",
    "console.log(await runTypeScript(['fails.ts'], 'It did not start'));",
    'setInterval(() => {}, 1_000);',
  ];
  const options = ['--import', 'tsx', '--input-type=module', '--eval', code.join('\n')];
  const failing = new Command(project, [process.execPath, ...options]);
  expect(await failing.code).toBe(1);
  expect(failing.printed).toMatch(
    /^there\n.*Error: nobody expects it.*\nStopped, because a process behind it has failed: see above\.\n$/s,
  );
});
