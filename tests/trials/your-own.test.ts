import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isGone, ownScripts } from '../../docs/your-own/gone.js';
import { namesOf } from '../../docs/your-own/names.js';
import { resourceFile } from '../../docs/your-own/resource-file.js';
import { ownVersion } from '../../docs/your-own/texts.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { CURE, leftOvers } from './left-over.js';

// That the service it makes passes its tests is tried by `npm run your-own:trial`.

/** Files that are made from the declarations, and those that may speak of to-dos: lock files, and tests but for their guide. */
const WRITTEN_ANEW =
  /^(README\.md|CHANGELOG\.md|docs\/(requests\.http|swagger\.json|openapi\.json))$|package-lock\.json$|^tests\/(?!README)/;

const folder = temporaryFolder();
const names = namesOf('lunch-order', '/v2/lunch-orders', 'Lunch Order Service', []);

describe('npm run your-own', () => {
  it('makes all names of three words', () => {
    expect(names).toEqual({
      name: 'lunch-order',
      identifier: 'lunchOrder',
      schema: 'LunchOrder',
      words: 'lunch order',
      path: '/v2/lunch-orders',
      operations: 'V2LunchOrders',
      title: 'Lunch Order Service',
      service: 'lunch-order-service',
    });
  });

  it.each([
    ['Lunch', '/lunch', 'Lunch', '"Lunch" is no name'],
    ['lunch order', '/lunch', 'Lunch', 'is no name'],
    ['lunch-', '/lunch', 'Lunch', 'is no name'],
    ['class', '/lunch', 'Lunch', "is a word of TypeScript's own"],
    ['await', '/lunch', 'Lunch', "is a word of TypeScript's own"],
    ['undefined', '/lunch', 'Lunch', "is a word of TypeScript's own"],
    ['constructor', '/lunch', 'Lunch', "is a word of TypeScript's own"],
    ['to-string', '/lunch', 'Lunch', "is a word of TypeScript's own"],
    ['parse-int', '/lunch', 'Lunch', "is a word of TypeScript's own"],
    ['problem', '/lunch', 'Lunch', 'describe an item as Problem, but that is the name of the definition of errors'],
    ['stored-item', '/lunch', 'Lunch', 'as StoredItem, but such a name is made of the title of another schema'],
    ['shot-put', '/lunch', 'Lunch', 'as ShotPut, but such a name'],
    ['service', '/lunch', 'Lunch', '"service" is taken'],
    ['list-items', '/lunch', 'Lunch', '"list-items" is taken'],
    ['lunch', 'lunch', 'Lunch', '"lunch" is no path of a list'],
    ['lunch', '/', 'Lunch', 'is no path'],
    ['lunch', '/lunch/', 'Lunch', 'is no path'],
    ['lunch', '/lunch/{id}', 'Lunch', 'is no path'],
    ['lunch', '/Swagger/lunch', 'Lunch', 'Take another path'],
    ['lunch', '/lunch', ' ', '" " is no title, because of " "'],
    ['lunch', '/lunch', "'Lunch'", 'because of "\'": it takes letters of any language'],
    ['lunch', '/lunch', 'Lunch "now"', 'because of "\\""'],
    ['lunch', '/lunch', 'Lunch $name', 'because of "$"'],
    ['lunch', '/lunch', 'L'.repeat(41), 'is too long'],
    ['l'.repeat(33), '/lunch', '昼食', 'is too long'],
  ])('refuses %j, %j and %j with a sentence', (name, path, title, reason) => {
    expect(() => namesOf(name, path, title, ['service', 'listItems'])).toThrow(reason);
  });

  it.each([
    ["Müller's Spare Parts", 'mullers-spare-parts'],
    ['L’Éclair & Cie.', 'leclair-cie'],
    ['Straße (Nord)', 'strasse-nord'],
    ['Łódź 2', 'lodz-2'],
    ['昼食', 'lunch-service'],
    ['Lunch 昼', 'lunch-service'],
    ['3 Lunches', 'lunch-service'],
  ])('takes the title %j, and calls stacks %j', (title, service) => {
    expect(namesOf('lunch', '/lunch', title, [])).toMatchObject({ title, service });
  });

  it('takes a path of one segment', () => {
    expect(namesOf('meal', '/meals', 'Meals', [])).toMatchObject({ operations: 'Meals', service: 'meals' });
  });

  it('leaves no word of to-dos in the file of the resource', () => {
    const todo = readFileSync('functions/todo.ts', 'utf8');
    expect(resourceFile(todo, names)).not.toMatch(/to-?do/i);
    expect(() => resourceFile(`${todo}// TODO: buy one.\n`, names)).toThrow(
      'has a word about to-dos that has no other one',
    );
    expect(() => resourceFile(todo.replace('todoItem =', 'item ='), names)).toThrow('does not begin as expected');
  });

  it('says in guides what the service is called, and takes out what is gone, links to it, and rows about it', () => {
    const text = `# To-do Item Service

<!-- to-dos -->

Gone.

<!-- /to-dos -->

It takes 10 µs ([performance](performance.md)), see [how](performance.md#how).<!-- to-dos --> \`npm run bench\` shows it
here.<!-- /to-dos --> A to-do is a whole to-do item of a
to-do list.

| To-do items     | [operate](operate.md)         |
| the measurement | [performance](performance.md) |
| the benchmark   | \`npm run bench\`               |
`;
    expect(ownVersion('docs/scaling.md', text, names)).toBe(`# Lunch Order Service

It takes 10 µs, see how. An item is a whole item of a
list.

| Items     | [operate](operate.md)         |
`);
  });

  it('takes out of code and configurations what is marked, and folders that are gone', () => {
    const code = 'one();\n  // <to-dos>\n  two();\n  // </to-dos>\nthree();\n';
    expect(ownVersion('serverless/start.mjs', code, names)).toBe('one();\nthree();\n');
    expect(ownVersion('.ci/run', '# <to-dos>\nnpm run recipes\n# </to-dos>\nnpm test\n', names)).toBe('npm test\n');
    const lists =
      '{ "exclude": ["tests/contract/clients", "docs/page"], "files": ["tests/contract", "tests/bench/x"] }';
    expect(ownVersion('tsconfig.json', lists, names)).toBe('{ "exclude": ["docs/page"], "files": ["tests/contract"] }');
  });

  it('takes the scripts that are about what is gone out of package.json, and commands that only prepare it', () => {
    const scripts = {
      start: 'node serverless/start.mjs',
      bench: 'npm run build && tsx tests/bench/run.mjs',
      check: 'tsc && tsc --project docs/front-end && npm run bench && biome check',
      'check:all': 'npm run check && npm run benchmarks',
    };
    expect(ownScripts(scripts)).toEqual({
      start: 'node serverless/start.mjs',
      check: 'tsc && biome check',
      'check:all': 'npm run check && npm run benchmarks',
    });
  });

  it('leaves the packages of the web app out of package.json and package-lock.json', () => {
    const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) =>
      JSON.parse(ownVersion(file, readFileSync(file, 'utf8'), names)),
    );
    const { '': root, ...packages } = lock.packages;
    expect([lock.name, root.name]).toEqual([names.service, names.service]);
    expect(root.devDependencies).toEqual(manifest.devDependencies);
    expect(Object.keys(packages)).toContain('node_modules/jest');
    expect(JSON.stringify([manifest, lock])).not.toMatch(/oidc-client-ts|openapi-fetch|jwt-decode/);
  });

  it('keeps the authors of this service named in the licence', () => {
    const license = ownVersion('LICENSE', readFileSync('LICENSE', 'utf8'), names);
    expect(license).toContain(`Copyright (c) ${new Date().getFullYear()} The authors of Lunch Order Service\n`);
    expect(license).toContain('Copyright (c) 2026 The authors of the service that it was made from\n');
  });

  it('leaves nothing about to-dos in any file, nor names what is gone', () => {
    const { stdout } = spawnSync('git', ['ls-files', '-z'], { encoding: 'utf8' });
    const files = stdout.split('\0').filter((file) => existsSync(file) && !isGone(file) && !WRITTEN_ANEW.test(file));
    expect(files).toContain('docs/rules.md');
    const evening = namesOf('evening-class', '/v3/evening-classes', "Zoë's Evening Classes", []);
    const left = files.flatMap((file) => leftOvers(file, ownVersion(file, readFileSync(file, 'utf8'), evening)));
    expect([left, left.length > 0 && CURE]).toEqual([[], false]);
  });

  it('refuses, and changes nothing, where something could be lost', () => {
    for (const name of ['docs', 'functions', 'shared', 'serverless', 'package.json', 'tsconfig.json'])
      cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
    writeFileSync(join(folder, 'serverless/stages.yml'), 'default: {}\n');
    const run = (program: string, ...options: string[]) =>
      spawnSync(program, options, { cwd: folder, encoding: 'utf8' });
    const refusal = (...words: string[]) => {
      const { status, stderr } = run(process.execPath, '--import=tsx', 'docs/your-own/make.ts', ...words);
      expect(status).toBe(1);
      return stderr.split('\n')[0];
    };
    const words = ['lunch-order', '/v2/lunch-orders', 'Lunch Order Service'];
    const commit = () => {
      run('git', 'add', '--all', '--', '.', ':!node_modules');
      run('git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--message', 'Begin');
    };
    expect(refusal(...words)).toBe('This is no Git repository, so nothing could be undone: clone the project.');
    run('git', 'init', '--quiet');
    writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\nreports/\n');
    expect(refusal(...words)).toMatch(/^Files have changes, or are not in the repository/);
    commit();
    expect(refusal('lunch-order')).toBe('It takes a name, a path and a title; got 1 words.');
    expect(refusal('todo', ...words.slice(1))).toMatch(/^"todo" is taken/);
    expect(refusal('reports', ...words.slice(1))).toMatch(/^"reports" is no name: .gitignore has it/);
    writeFileSync(join(folder, 'serverless/stages.yml'), 'default: {}\nlive:\n  table: items-live\n');
    commit();
    expect(refusal(...words)).toMatch(
      /^serverless\/stages\.yml has live: a stage that is deployed would lose its items/,
    );
    expect(run('git', 'status', '--porcelain').stdout).toBe('');
  });
});
