import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import { copyProject, packageService, runServerless } from '../support/deployment/deployment.js';
import { checkParameters, packagedAt } from '../support/deployment/derived-template.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const project = join(folder, 'project');

beforeAll(() => {
  copyProject(project);
});

/** What is said when a check or a command fails. */
async function refusalOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    const { message, stack = '' } = error as Error;
    return message || stack;
  }
  throw new Error('it did not fail');
}

describe('a parameter that is wrong', () => {
  it.each([
    [{ reservedConcurrency: '2' }, 'reservedConcurrency is "2": it takes 1 or none'],
    [{ corsOrigins: 'example.com' }, 'corsOrigins is "example.com": it takes origins like https://example.com'],
    [{ corsOrigins: 'https://a.example.com/' }, 'it takes origins like https://example.com, separated by commas, or *'],
    [{ logLevel: 'loud' }, 'logLevel is "loud": it takes debug, info, warn, error or silent'],
    [{ todoTable: 'to do' }, `todoTable is "to do": it takes a table's name (3 to 255 of the characters`],
    [{ todoTable: 'to' }, '_, - and .), or none'],
    [{ alarmEmail: 'operator' }, 'alarmEmail is "operator": it takes an e-mail address'],
    [{ accessLog: 'yes' }, 'accessLog is "yes": it takes true or false'],
  ])('is rejected, and the message says what it takes: %j', async (parameters, message) => {
    expect(await refusalOf(() => checkParameters(parameters))).toContain(message);
  });

  it('is rejected where its name is unknown, in a block or on the command line, and all are reported at once', async () => {
    const blocks = { live: { todotable: 'todo-items' }, test: null };
    const check = () => checkParameters({ logLevel: 'loud' }, { param: ['loglevel=info', 'logLevel=loud'], blocks });
    expect(await refusalOf(check)).toMatch(
      /^\n--param has loglevel, which is no parameter: there are .*\nparams.live has todotable, .*\nlogLevel is "loud".*$/,
    );
  });

  it.each([
    [
      'corsOrigins',
      'CORS_ORIGINS',
      [
        '',
        '*',
        ' * ',
        '*,',
        'http://a, *',
        'http://a,http://b:3000',
        'null',
        'a',
        'https://a/',
        `https://${'a'.repeat(260)}`,
      ],
    ],
    ['logLevel', 'LOG_LEVEL', ['', 'debug', 'info', 'warn', 'error', 'silent', 'trace', 'INFO']],
    ['todoTable', 'TODO_TABLE', ['', 'none', 'a.b-c_D', 'ab', 'a b', 'é'.repeat(3), 'a'.repeat(255), 'a'.repeat(256)]],
  ])('is one that the function would reject: %s', async (parameter, variable, values) => {
    const environment = { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    const taken = async (run: () => unknown) => refusalOf(run).then(Boolean, () => 'taken');
    for (const value of values) {
      const byFunction = await taken(() => readConfiguration({ ...environment, [variable]: value }));
      expect([value, await taken(() => checkParameters({ [parameter]: value }))]).toEqual([value, byFunction]);
    }
  });

  it.each(['package', 'print', 'deploy', 'offline'])('ends serverless %s at once', async (command) => {
    const said = await refusalOf(() => runServerless([command], project, { LOG_LEVEL: 'loud' }));
    expect(said).toContain('logLevel is "loud": it takes debug, info, warn, error or silent');
    expect(said).not.toMatch(/\n +at |Server ready/);
  });
});

describe('a stage', () => {
  it.each([
    ['dev', '', ''],
    ['dev', 'none', ''],
    ['dev', 'todo-items', 'todo-items'],
    ['live', 'none', ''],
    ['live', 'todo-items', 'todo-items'],
  ])('keeps its collection where it says: %s, "%s"', async (stage, todoTable, table) => {
    expect(await checkParameters({ todoTable }, { stage })).toHaveProperty('todoTable', table);
  });

  it('names its table in a block of its own: with a default, all stages would share one', async () => {
    const check = () => checkParameters({}, { blocks: { default: { todoTable: 'todo-items' } } });
    expect(await refusalOf(check)).toBe(
      '\nparams.default has a todoTable, which all stages would share: name one in each',
    );
  });

  it.each(['package', 'info', 'remove'])(
    'ends serverless %s with the lines to add, where it does not say so',
    async (command) => {
      // The shell is for the stage dev alone.
      const run = () => runServerless([command, '--stage', 'live'], project, { TODO_TABLE: 'todo-items' });
      const said = await refusalOf(run);
      expect(said).toContain('Nothing says where the stage live keeps its collection. Add to params in serverless.yml');
      expect(said).toContain('\n  live:\n    todoTable: todo-items-live\n');
      expect(said).toContain('\n  live:\n    todoTable: none\n');
    },
  );

  it('is deployed the same each time without any --param, whatever is in the shell', () => {
    const config = join(project, 'serverless.yml');
    const blocks = 'params:\n  live:\n    todoTable: todo-items-live\n    alarmEmail: operator@example.com\n';
    writeFileSync(config, readFileSync(config, 'utf8').replace('params:\n', blocks));
    const shell = { TODO_TABLE: 'other-items', CORS_ORIGINS: '*', LOG_LEVEL: 'debug' };
    const [first, second] = [{}, shell].map((environment, index) => {
      const { template } = packageService(join(folder, String(index)), ['--stage', 'live'], project, environment);
      return packagedAt(template, 1);
    });
    expect(second).toEqual(first);
    expect(first?.Resources.ApiLambdaFunction?.Properties.Environment.Variables).toEqual({
      TODO_TABLE: 'todo-items-live',
      CORS_ORIGINS: '',
      LOG_LEVEL: 'info',
    });
  });
});
