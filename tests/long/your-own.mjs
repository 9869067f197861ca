// Follows docs/your-own.md in a copy of the project, block by block, and runs the tests that use the resource there, except
// those of the wire format. It fails if a test fails, if one spells to-dos, or if no test of a file ran.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hasBrowser } from '../support/browser/installed.mjs';

/** What is generated or installed. */
const LEFT_OUT = /^(node_modules|\.git|dist|coverage|\.dev|\.serverless|\.dynamodb)$|(^|\/)node_modules$/;
/** Jest runs the tests related to these files: those that import what tests send, and those that read the documents. */
const RELATED = ['tests/docs/generator', 'tests/documentation']
  .flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`))
  .concat('tests/support/service/resource.ts');
/** These don't depend on the resource. The first one needs installed packages, and in the copy they are only linked. */
const LEFT_OUT_TESTS = ['/tests/deployment/package\\.', '/tests/runtime/', '/node_modules/'];
/** A few runs are enough to see that these tests work: `npm test` has run them for longer with to-dos. */
const EFFORT = { MODEL_STEPS: '200', HISTORIES: '1', FUZZ_RUNS: '10' };
const NOT_WIRE_FORMAT = '^(?!.*wire format)';
const SPELLED = /api\\?\/todo|ApiTodo|todoItem|TodoItem|isComplete|functions\/todo|Item1/;

const folder = mkdtempSync(join(tmpdir(), 'your-own-'));
try {
  for (const name of readdirSync('.')) {
    if (!LEFT_OUT.test(name))
      cpSync(name, join(folder, name), { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  // Biome reads .gitignore only in a repository.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  followGuide();
  expectNoToDos();
  test();
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the guide's commands, and writes its code to the files that the guide names. */
function followGuide() {
  const guide = readFileSync('docs/your-own.md', 'utf8');
  const blocks = [...guide.matchAll(/^([^\n]*)\n\n?^```(sh|ts)\n(.*?)^```$/gms)];
  if (blocks.length !== 6) throw new Error(`docs/your-own.md has ${blocks.length} blocks, of which this knows 6`);
  let file = '';
  for (const [, before, language, text] of blocks) {
    file = [...before.matchAll(/`([\w/.-]+\.ts)`/g)].at(-1)?.[1] ?? file;
    if (language === 'sh') run('bash', '-euo', 'pipefail', '-c', text);
    else write(file, text);
  }
}

/** Code that begins with an import is a whole file. Other code replaces the declaration of the same name. */
function write(file, text) {
  const path = join(folder, file);
  if (/^import /m.test(text)) return writeFileSync(path, text);
  const [, name] = /^(?:export )?const (\w+)/m.exec(text);
  const declaration = new RegExp(`^(/\\*\\*(?:(?!\\*/).)*\\*/\\n)?(export )?const ${name} = .*?;\\n(?=\\n)`, 'ms');
  const code = readFileSync(path, 'utf8');
  if (!declaration.test(code)) throw new Error(`${file} does not declare ${name}`);
  return writeFileSync(
    path,
    code.replace(declaration, () => text),
  );
}

/** Expects no to-dos in test files without “wire format”. In the other files, the run of the tests finds them. */
function expectNoToDos() {
  const spelled = readdirSync(join(folder, 'tests'), { recursive: true })
    .filter((name) => /\.(ts|mjs|cjs)$/.test(name) && !/^(bench|long)\/|\/events\//.test(name))
    .map((name) => [name, readFileSync(join(folder, 'tests', name), 'utf8')])
    .filter(([, code]) => !code.includes('wire format') && SPELLED.test(code))
    .map(([name, code]) => `tests/${name}: ${SPELLED.exec(code)[0]}`);
  if (spelled.length > 0) throw new Error(`These tests use to-dos, not resource.ts:\n${spelled.join('\n')}`);
}

/** Checks the types, runs the tests, and counts them: a suite that did not run proves nothing. */
function test() {
  run(process.execPath, 'node_modules/typescript/bin/tsc');
  const jest = [process.execPath, 'node_modules/jest/bin/jest.js'];
  const ignored = [...LEFT_OUT_TESTS, ...(hasBrowser() ? [] : ['/tests/page/'])];
  const options = ['--testPathIgnorePatterns', ...ignored, '--testNamePattern', NOT_WIRE_FORMAT];
  run(...jest, ...options, '--json', '--outputFile=results.json', '--findRelatedTests', ...RELATED);
  const { numTotalTestSuites, testResults } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  const suites = testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed'),
  );
  const passed = suites.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'passed'));
  console.log(`${suites.length} of ${numTotalTestSuites} suites, ${passed.length} tests passed with another resource.`);
  const files = testResults.map(({ name }) => name).filter((name) => !suites.some((suite) => suite.name === name));
  const silent = files.filter((name) => !readFileSync(name, 'utf8').includes('wire format'));
  if (silent.length > 0) throw new Error(`These suites have run no test: ${silent.join(', ')}`);
}

function run(program, ...options) {
  const { status } = spawnSync(program, options, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...EFFORT } });
  if (status !== 0) throw new Error(`${program} ${options.join(' ').slice(0, 200)} ended with ${status}`);
}
