// `npm run your-own -- NAME PATH TITLE`: makes this service one of your own. It works in a copy, and moves the result here at the end.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import * as todo from '../../functions/todo.js';
import { GONE_FOLDERS, isGone } from './gone.js';
import { changelogOf, readmeOf, requestsOf } from './guides.js';
import { type Names, namesOf } from './names.js';
import { resourceFile } from './resource-file.js';
import { ownVersion } from './texts.js';

const USAGE = 'Usage: npm run your-own -- lunch-order /v2/lunch-orders "Lunch Order Service"';
/** What the file of a resource imports or declares, and what the shared code of all operations is called. */
const TAKEN = ['answer', 'route', 'resource', 'object', 'key', 'items', ...Object.keys(todo)];

/**
 * Checks that this checkout can become a service of your own.
 *
 * @param words - The command's arguments.
 * @throws Error with a sentence about the first thing that is in the way.
 */
export function readNames(words: readonly string[]): Names {
  const [name, path, title, ...more] = words;
  if (!name || !path || !title || more.length > 0)
    throw new Error(`It takes a name, a path and a title; got ${words.length} words.\n${USAGE}`);
  const status = git('status', '--porcelain');
  if (status === undefined)
    throw new Error('This is no Git repository, so nothing could be undone: clone the project.');
  if (status !== '') throw new Error('Files have changes, or are not in the repository: commit or remove them first.');
  const stages = Object.keys(Object(load(readFileSync('serverless/stages.yml', 'utf8')))).filter(
    (name) => name !== 'default',
  );
  if (stages.length > 0)
    throw new Error(
      `serverless/stages.yml has ${stages[0]}: a stage that is deployed would lose its items. Remove it there, and in AWS.`,
    );
  const files = readdirSync('functions').map((file) => file.replace(/\..*/, ''));
  const names = namesOf(name, path, title, [...files, ...TAKEN]);
  const ignored = git('check-ignore', `tests/functions/${name}/${name}.test.ts`);
  if (ignored) throw new Error(`"${name}" is no name: .gitignore has it, so ${ignored} would be in no clone.`);
  return names;
}

function git(...options: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', options, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Makes the service in a folder with the files of this one, whose packages are linked there. */
function make(folder: string, files: readonly string[], names: Names): void {
  const at = (file: string) => join(folder, file);
  const change = (file: string, by: (text: string) => string) => {
    const text = readFileSync(at(file), 'utf8');
    const changed = by(text);
    // Pictures are no text: they would not stay as they are.
    if (changed !== text) writeFileSync(at(file), changed);
  };

  const resource = resourceFile(readFileSync('functions/todo.ts', 'utf8'), names);
  const test = readFileSync('docs/your-own/resource.test.txt', 'utf8')
    .replaceAll('/PATH', names.path)
    .replaceAll('WORDS', names.words);
  for (const file of files.filter(isGone)) rmSync(at(file));
  for (const file of files.filter((file) => !isGone(file))) change(file, (text) => ownVersion(file, text, names));
  writeFileSync(at(`functions/${names.name}.ts`), resource);
  mkdirSync(at(`tests/functions/${names.name}`), { recursive: true });
  writeFileSync(at(`tests/functions/${names.name}/${names.name}.test.ts`), test);
  run(folder, 'npx', 'tsx', 'docs/generate.ts');
  const document = JSON.parse(readFileSync(at('docs/openapi.json'), 'utf8'));
  writeFileSync(at('README.md'), readmeOf(names, document));
  writeFileSync(at('CHANGELOG.md'), changelogOf(names));
  writeFileSync(at('docs/requests.http'), requestsOf(names, document));
  run(folder, 'npx', 'biome', 'check', '--write', '.');
  run(folder, 'npx', 'tsc');
}

function run(cwd: string, program: string, ...options: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, options, { cwd, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`Nothing was changed, because ${program} ${options.join(' ')} failed:\n${stdout}${stderr}`);
}

/** Copies the files of the repository to a folder of its own, and links the packages there. */
function copyTo(folder: string, files: readonly string[]): void {
  for (const file of files) cpSync(file, join(folder, file));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  // Biome reads .gitignore only in a repository.
  run(folder, 'git', 'init', '--quiet');
}

/** Moves the result here, and removes the files that are gone in the copy. */
function moveHere(folder: string, files: readonly string[]): void {
  for (const file of files) if (!existsSync(join(folder, file))) rmSync(file);
  for (const name of readdirSync(folder).filter((name) => name !== '.git' && name !== 'node_modules'))
    cpSync(join(folder, name), name, { recursive: true });
  for (const path of GONE_FOLDERS) rmSync(path, { recursive: true, force: true });
}

function main(words: readonly string[]): void {
  const names = readNames(words);
  const files = (git('ls-files', '-z') ?? '').split('\0').filter((file) => file !== '');
  const folder = mkdtempSync(join(tmpdir(), 'your-own-'));
  try {
    copyTo(folder, files);
    make(folder, files, names);
    moveHere(folder, files);
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`This is ${names.title} now, whose stacks will be called ${names.service}-STAGE. What is left to you:
1. Write the schema of an item in functions/${names.name}.ts, and run npm run docs.
2. Write what callers rely on in tests/functions/${names.name}, and run npm test.
3. Decide what docs/your-own.md lists, commit, and deploy.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
