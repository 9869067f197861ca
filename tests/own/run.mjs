// `npm run your-own:trial` makes a service of its own of a copy of the project, and runs the tests that depend on functions/.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A name of two words that stands nowhere else. */
const NAMES = ['field-note', '/v3/field-notes', 'Field Note Service'];
/** What is generated or installed. */
const LEFT_OUT = /^(\.git|dist|coverage|\.dev|\.serverless|\.dynamodb)$|(^|\/)node_modules$/;
/** Of the packages, only the bundled ones are copied, because their paths are in the source map. */
const BUNDLED = ['aws4', 'jose', 'uuid'];
/** These load nothing of functions/ (tests/shared/imports.test.ts), or would show again what npm test has just shown. */
const INDEPENDENT = '/tests/(own|runtime|shared|page|docs/page|start|deployment/parameters)|/node_modules/';

// A name with a space and another alphabet's letter, and below a time zone that is 5:45 ahead: all must work there, too.
const parent = mkdtempSync(join(tmpdir(), 'todo-'));
const folder = join(parent, 'your own ü');
const env = { ...process.env, TZ: 'Asia/Kathmandu' };
try {
  mkdirSync(folder);
  cpSync('.', folder, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  // The command wants a repository without changes. What an operator decides is nothing that it depends on.
  writeFileSync(join(folder, 'serverless/stages.yml'), 'default: {}\n');
  run('git', 'init', '--quiet');
  run('git', 'add', '--all');
  run('git', '-c', 'user.name=Trial', '-c', 'user.email=trial@example.com', 'commit', '--quiet', '--message', 'A copy');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    const [from, to] = [resolve('node_modules', name), join(folder, 'node_modules', name)];
    if (BUNDLED.includes(name)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to, 'junction');
  }
  run('npm', 'run', '--silent', 'your-own', '--', ...NAMES);
  run('npx', 'biome', 'check', '--error-on-warnings', '.');
  run('npm', 'run', 'build');
  run('npx', 'jest', '--testPathIgnorePatterns', INDEPENDENT);
  // Each member that the schema offers.
  const file = join(folder, `functions/${NAMES[0]}.ts`);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('    // /**', '    /**'));
  run('npm', 'run', 'docs');
  run('npx', 'tsc');
} finally {
  rmSync(parent, { recursive: true });
}

function run(program, ...options) {
  const { status } = spawnSync(program, options, { cwd: folder, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${options.join(' ')} ended with ${status}`);
}
