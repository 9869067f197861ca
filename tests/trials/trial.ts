// `npm run your-own:trial` makes a service of its own of a copy of the project, sees that no file speaks of to-dos, and runs the tests
// that another resource or other guides could fail; with --all, all of them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inCopy } from './copy.mjs';
import { CURE, leftOvers } from './left-over.js';

/** The name begins with a vowel, and the title has an apostrophe and a letter beyond ASCII. No other file has these words. */
const [NAME, ...OTHERS] = ['evening-class', '/v3/evening-classes', "Zoë's Evening Classes"] as const;
/**
 * These load nothing of functions/ (tests/shared/imports.test.ts), and nothing from which the web app is taken out; or they take long,
 * and what they try is the same for any resource: how a command fails, rolls back, builds again.
 */
const INDEPENDENT =
  'tests/(runtime|shared|page|generator/markup|start/(ci|dev|scripts)|deployment/(deployments|domain|open-stage|versions)|smoke/interruption)';
/** Guides are others there, so the tests that read one run as well. */
const READS_A_GUIDE = /['"`/][\w-]+\.md\b/;
/** Lock files name packages, and tests may speak of to-dos where it makes no difference to them. */
const NOT_READ = /package-lock\.json$|^tests\//;

inCopy((folder, run) => {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  // The command wants a repository without changes.
  run('git', 'init', '--quiet');
  run('git', 'add', '--all');
  run('git', '-c', 'user.name=Trial', '-c', 'user.email=trial@example.com', 'commit', '--quiet', '--message', 'A copy');
  run('npm', 'run', '--silent', 'your-own', '--', NAME, ...OTHERS);

  run('git', 'add', '--all');
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: folder, encoding: 'utf8' });
  const files = stdout.split('\0').filter((file) => file !== '');
  const left = files.filter((file) => !NOT_READ.test(file)).flatMap((file) => leftOvers(file, read(file)));
  if (left.length > 0) throw new Error([...left, CURE].join('\n'));

  run('npx', 'biome', 'check', '--error-on-warnings', '.');
  run('npm', 'run', 'build');
  const isLeftOut = (file: string) => new RegExp(`^${INDEPENDENT}`).test(file) && !READS_A_GUIDE.test(read(file));
  const tests = files.filter((file) => file.endsWith('.test.ts') && !file.startsWith('tests/runtime/'));
  if (process.argv.includes('--all')) run('npx', 'jest');
  else run('npx', 'jest', '--runTestsByPath', ...tests.filter((file) => !isLeftOut(file)));

  // Each member that the schema offers.
  const file = `functions/${NAME}.ts`;
  writeFileSync(join(folder, file), read(file).replaceAll('    // /**', '    /**'));
  run('npm', 'run', 'docs');
  run('npx', 'tsc');
});
