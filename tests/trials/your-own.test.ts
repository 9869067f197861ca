import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { namesOf } from '../../docs/your-own/names.js';
import { resourceFile } from '../../docs/your-own/resource-file.js';
import { ownText } from '../../docs/your-own/texts.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// That the service it makes passes its tests is seen by `npm run your-own:trial`.

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
    ['service', '/lunch', 'Lunch', '"service" is taken'],
    ['list-items', '/lunch', 'Lunch', '"list-items" is taken'],
    ['lunch', 'lunch', 'Lunch', '"lunch" is no path of a list'],
    ['lunch', '/', 'Lunch', 'is no path'],
    ['lunch', '/lunch/', 'Lunch', 'is no path'],
    ['lunch', '/lunch/{id}', 'Lunch', 'is no path'],
    ['lunch', '/Swagger/lunch', 'Lunch', 'Take another path'],
    ['lunch', '/lunch', ' ', 'is no title'],
    ['lunch', '/lunch', 'L'.repeat(41), 'is too long'],
  ])('refuses %j, %j and %j with a sentence', (name, path, title, reason) => {
    expect(() => namesOf(name, path, title, ['service', 'listItems'])).toThrow(reason);
  });

  it('takes a path of one segment', () => {
    expect(namesOf('meal', '/meals', 'Meals', [])).toMatchObject({ operations: 'Meals', service: 'meals' });
  });

  it('leaves no word of to-dos in the file of the resource', () => {
    const todo = readFileSync('functions/todo.ts', 'utf8');
    expect(resourceFile(todo, names)).not.toMatch(/to-?do/i);
    expect(() => resourceFile(`${todo}// Buy to-dos.\n`, names)).toThrow(
      'has a word about to-dos that has no other one',
    );
    expect(() => resourceFile(todo.replace('todoItem =', 'item ='), names)).toThrow('does not begin as expected');
  });

  it('takes out of guides what is gone, and links to it', () => {
    const text = `# To-do Item Service

<!-- to-dos -->

Gone.

<!-- /to-dos -->

It takes 10 µs ([performance](performance.md)), see [how](performance.md#how) and \`npm run bench\` in \`tests/bench\`.

| To-do items     | [operate](operate.md)         |
| the measurement | [performance](performance.md) |
`;
    expect(ownText('docs/scaling.md', text, names)).toBe(`# Lunch Order Service

It takes 10 µs, see how and a benchmark in tests/bench.

| items     | [operate](operate.md)         |
`);
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
    writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
    expect(refusal(...words)).toMatch(/^Files have changes, or are not in the repository/);
    commit();
    expect(refusal('lunch-order')).toBe('It takes a name, a path and a title; got 1 words.');
    expect(refusal('todo', ...words.slice(1))).toMatch(/^"todo" is taken/);
    writeFileSync(join(folder, 'serverless/stages.yml'), 'default: {}\nlive:\n  table: items-live\n');
    commit();
    expect(refusal(...words)).toMatch(
      /^serverless\/stages\.yml has live: a stage that is deployed would lose its items/,
    );
    expect(run('git', 'status', '--porcelain').stdout).toBe('');
  });
});
