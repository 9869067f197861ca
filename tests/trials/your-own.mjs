// `npm run your-own:trial` makes a service of its own of a copy of the project, and runs the tests that depend on functions/.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inCopy } from './copy.mjs';

/** A name of two words that stands nowhere else. */
const NAMES = ['field-note', '/v3/field-notes', 'Field Note Service'];
/** These load nothing of functions/ (tests/shared/imports.test.ts), or would show again what npm test has just shown. */
const INDEPENDENT = '/tests/(runtime|shared|page|generator/markup|start|deployment/parameters)|/node_modules/';

inCopy((folder, run) => {
  // The command wants a repository without changes.
  run('git', 'init', '--quiet');
  run('git', 'add', '--all');
  run('git', '-c', 'user.name=Trial', '-c', 'user.email=trial@example.com', 'commit', '--quiet', '--message', 'A copy');
  run('npm', 'run', '--silent', 'your-own', '--', ...NAMES);
  run('npx', 'biome', 'check', '--error-on-warnings', '.');
  run('npm', 'run', 'build');
  run('npx', 'jest', '--testPathIgnorePatterns', INDEPENDENT);
  // Each member that the schema offers.
  const file = join(folder, `functions/${NAMES[0]}.ts`);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('    // /**', '    /**'));
  run('npm', 'run', 'docs');
  run('npx', 'tsc');
});
