// `npm run your-own` replaces to-dos in a copy of the project as docs/your-own.md says, and runs the tests that depend on functions/.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What is generated or installed. */
const LEFT_OUT = /^(\.git|dist|coverage|\.dev|\.serverless|\.dynamodb)$|(^|\/)node_modules$/;
/** Of the packages, only the bundled ones are copied, because their paths are in the source map. */
const BUNDLED = ['aws4', 'jose', 'uuid'];
/** These load nothing of functions/ (tests/shared/floor.test.ts), or would show again what npm test has just shown. */
const INDEPENDENT = '/tests/(own|runtime|shared|page|docs/page|start|deployment/parameters)|/node_modules/';

// A name with a space and another alphabet's letter, and below a time zone that is 5:45 ahead: all must work there, too.
const parent = mkdtempSync(join(tmpdir(), 'todo-'));
const folder = join(parent, 'your own ü');
const env = { ...process.env, TZ: 'Asia/Kathmandu' };
try {
  mkdirSync(folder);
  cpSync('.', folder, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    const [from, to] = [resolve('node_modules', name), join(folder, 'node_modules', name)];
    if (BUNDLED.includes(name)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to, 'junction');
  }
  // Biome reads .gitignore only in a repository.
  run('git', 'init', '--quiet');
  run('bash', '-euo', 'pipefail', 'tests/own/expenses/replace.sh');
  run('npx', 'tsc');
  run('npm', 'run', 'build');
  run('npx', 'jest', '--testPathIgnorePatterns', INDEPENDENT);
} finally {
  rmSync(parent, { recursive: true });
}

function run(program, ...options) {
  const { status } = spawnSync(program, options, { cwd: folder, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${options.join(' ')} ended with ${status}`);
}
