import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import { copyForPackaging, parseYaml, runServerless } from '../support/deployment/deployment.js';
import { checkParameters } from '../support/deployment/derived-template.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const project = copyForPackaging(join(temporaryFolder(), 'project'));

/** What is said when a check or a command fails. */
async function messageOf(run: () => unknown): Promise<string> {
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
    [{ table: 'to do' }, `table is "to do": it takes a table's name (3 to 255 of the characters`],
    [{ table: 'to' }, '_, - and .), or none (the stage dev takes it from TABLE_NAME)'],
    [{ alarmEmail: 'operator' }, 'alarmEmail is "operator": it takes an e-mail address'],
    [{ accessLog: 'yes' }, 'accessLog is "yes": it takes true or false'],
  ])('is rejected, and the message says what it takes: %j', async (parameters, message) => {
    expect(await messageOf(() => checkParameters(parameters))).toContain(message);
  });

  it('is rejected if its name is unknown, in a block or on the command line; all are reported at once', async () => {
    const blocks = { live: { todotable: 'items' }, test: null };
    const check = () => checkParameters({ logLevel: 'loud' }, { param: ['loglevel=info', 'logLevel=loud'], blocks });
    expect(await messageOf(check)).toMatch(
      /^\n--param has loglevel, which is no parameter: there are .*\nparams.live has todotable, .*\nlogLevel is "loud".*$/,
    );
  });

  it('is rejected under its former name, and the message says the new one', async () => {
    const check = () => checkParameters({}, { param: ['todoTable=none'], blocks: { live: { todoTable: 'items' } } });
    expect(await messageOf(check)).toBe(
      '\n--param has todoTable, which is now called table: rename it' +
        '\nparams.live has todoTable, which is now called table: rename it',
    );
    const said = await messageOf(() => runServerless(['package'], project, { TODO_TABLE: 'items' }));
    expect(said).toContain('TODO_TABLE is now called TABLE_NAME: set that instead');
  });

  const long = (length: number) => `https://${'a'.repeat(length - 8)}`;
  it.each([
    [
      'corsOrigins',
      'CORS_ORIGINS',
      ['', '*', ' * ', 'http://a,http://b:3000', long(267)],
      ['*,', 'http://a, *', 'null', 'a', 'https://a/', long(268)],
    ],
    ['logLevel', 'LOG_LEVEL', ['', 'debug', 'info', 'warn', 'error', 'silent'], ['trace', 'INFO']],
    ['table', 'TABLE_NAME', ['none', 'a.b-c_D', 'a'.repeat(255)], ['ab', 'a b', 'ééé', 'a'.repeat(256)]],
  ])('is wrong for the function, too: %s', async (parameter, variable, valid, wrong) => {
    const environment = { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    const configure = async (value: string) => readConfiguration({ ...environment, [variable]: value });
    for (const run of [configure, (value: string) => checkParameters({ [parameter]: value })]) {
      for (const value of valid) await run(value);
      for (const value of wrong)
        expect([value, await messageOf(() => run(value))]).toEqual([value, expect.any(String)]);
    }
  });

  it.each(['package', 'offline'])('makes serverless %s fail at once', async (command) => {
    const said = await messageOf(() => runServerless([command], project, { LOG_LEVEL: 'loud' }));
    expect(said).toContain('logLevel is "loud": it takes debug, info, warn, error or silent');
    expect(said).not.toMatch(/\n +at |Server ready/);
  });
});

describe('a stage', () => {
  it.each([
    ['dev', '', ''],
    ['dev', 'none', ''],
    ['dev', 'items', 'items'],
    ['live', 'none', ''],
    ['live', 'items', 'items'],
  ])('keeps its collection where its parameter says: %s, "%s"', async (stage, table, used) => {
    expect(await checkParameters({ table }, { stage })).toHaveProperty('table', used);
  });

  it('must name its table in its own block, because all stages would share a default', async () => {
    const check = () => checkParameters({}, { blocks: { default: { table: 'items' } } });
    expect(await messageOf(check)).toBe('\nparams.default has a table, which all stages would share: name one in each');
  });

  it('without that parameter makes any command fail with the lines to add: only dev takes it from the shell', async () => {
    const said = await messageOf(() =>
      runServerless(['remove', '--stage', 'live'], project, { TABLE_NAME: 'a-table' }),
    );
    expect(said).toContain('Nothing says where the stage live keeps its collection. Add to params in serverless.yml');
    expect(said).toContain('\n  live:\n    table: items-live\n');
    expect(said).toContain('\n  live:\n    table: none\n');
  });

  it('takes its parameters from the shell if it is dev', async () => {
    const shell = { TABLE_NAME: 'a-table', CORS_ORIGINS: 'http://a', LOG_LEVEL: 'debug' };
    const printed = await runServerless(['print'], project, shell);
    // For one release, the function has the name of its table under the former variable, too.
    expect(parseYaml(printed)).toHaveProperty('provider.environment', { ...shell, TODO_TABLE: 'a-table' });
  });
});
