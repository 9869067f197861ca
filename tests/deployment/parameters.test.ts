import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import { PARAMETERS } from '../../serverless/parameters.cjs';
import { copyForPackaging, parseYaml, type Result, type Run, runAll, stagesFile } from './packaging.js';

const ISSUER = 'https://login.example.com';
const ARN = 'arn:aws:iam::123456789012:policy/boundary';
const url = (length: number) => 'https://'.padEnd(length, 'a');
const noIssuers = ['http://login.example.com', 'https://a?b', 'https://a#b', 'https://a b', url(513)];
const VALUES: Record<keyof typeof PARAMETERS, readonly [valid: string[], wrong: string[]]> = {
  table: [
    ['none', 'a.b-c_D', 'a'.repeat(255)],
    ['ab', 'a b', 'ééé', 'a'.repeat(256)],
  ],
  corsOrigins: [
    ['*', ' * ', 'http://a,http://b:3000', url(267)],
    ['*,', 'http://a, *', 'null', 'example.com', 'https://a/', url(268)],
  ],
  logLevel: [
    ['debug', 'info', 'warn', 'error', 'silent'],
    ['trace', 'INFO'],
  ],
  tokenIssuer: [[`${ISSUER}/`, 'http://localhost:8080/a', url(512)], noIssuers],
  tokenAudience: [
    ['a', '!~'],
    ['a b', 'é', 'a'.repeat(513)],
  ],
  frontDoor: [['rest', 'http', 'url'], ['alb']],
  signedCalls: [['true', 'false'], ['1']],
  accessLog: [['true', 'false'], ['yes']],
  alarmEmail: [['a@b.example'], ['operator', 'a@b']],
  reservedConcurrency: [['1', 'none'], ['2']],
  permissionsBoundary: [[ARN], ['boundary', ARN.replace('policy', 'role')]],
};

describe('the values of a parameter', () => {
  const parameters: Record<string, { takes: string; accepts(value: string): boolean; variable?: string }> = PARAMETERS;
  it.each(Object.entries(VALUES))('are as good for a deployment as for the function: %s', (name, [valid, wrong]) => {
    const { takes, accepts = () => undefined, variable } = parameters[name] ?? {};
    expect(takes).toMatch(/\w/);
    expect([valid.filter((value) => !accepts(value)), wrong.filter(accepts)]).toEqual([[], []]);
    if (!variable) return;
    const signIn = name.startsWith('token') && { TABLE_NAME: 'items', TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: 'todo' };
    const others = { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's', ...signIn };
    for (const value of valid) readConfiguration({ ...others, [variable]: value });
    for (const value of wrong) expect(() => readConfiguration({ ...others, [variable]: value })).toThrow(variable);
  });
});

const run = (command: string, blocks: object = {}, variables: Run['variables'] = {}): Run => {
  return { command, files: stagesFile(blocks), variables };
};
const live = (parameters: object) =>
  run('print --stage live', { live: { table: 'none', tokenIssuer: 'none', ...parameters } });
const signIn = { table: 'items', tokenIssuer: ISSUER, tokenAudience: 'todo' };

/** What ends any command with a message, which is not lost in a stack. */
const REJECTED: readonly (readonly [what: string, run: Run, message: string | RegExp])[] = [
  ['an audience alone', live({ tokenAudience: 'todo' }), 'tokenIssuer and tokenAudience need each other'],
  ['an issuer alone', live({ ...signIn, tokenAudience: '' }), 'tokenIssuer and tokenAudience need each other'],
  ['sign-in without a table', live({ ...signIn, table: 'none' }), 'lists of several people need a table'],
  ['tokens and signatures', live({ ...signIn, signedCalls: true }), 'a request has one Authorization'],
  ['signed calls of a URL', live({ frontDoor: 'url', signedCalls: true }), 'a signature on every path or on none'],
  ['an access log of a URL', live({ frontDoor: 'url', accessLog: true }), 'AWS keeps no log of what a function URL'],
  [
    'unknown names, in a block or on the command line, together with all else that is wrong',
    run('print --stage live --param=loglevel=info --param=logLevel=loud', { live: { Table: 'items' }, test: null }),
    /\n--param has loglevel, which is no parameter: there are .*\nlive has Table, .*\nlogLevel is "loud": it takes debug, info, warn, error or silent \(the stage dev takes it from LOG_LEVEL\)\nNothing says/,
  ],
  [
    'a parameter under its former name',
    run('package --stage live --param=todoTable=none', { live: { todoTable: 'items' } }),
    /\n--param (has todoTable, which is now called table: rename it\n)live \1/,
  ],
  [
    'a variable under its former name',
    run('package', {}, { TODO_TABLE: 'items' }),
    'TODO_TABLE is now called TABLE_NAME: set that',
  ],
  [
    'a table of all stages',
    run('print', { default: { table: 'items' } }),
    'default has a table, which all stages would share',
  ],
  [
    'no table: only dev takes it from the shell',
    run('remove --stage live', {}, { TABLE_NAME: 'a-table' }),
    /Nothing says where the stage live keeps its items.*\nlive:\n {2}table: items-live\n.*\nlive:\n {2}table: none\n/s,
  ],
  [
    'no callers: only dev takes them from the shell',
    run('package --stage live', { live: { table: 'items' } }, { TOKEN_ISSUER: ISSUER }),
    /Nothing says who may call the stage live.*\nlive:\n {2}tokenIssuer: https:\/\/login.example.com\n {2}tokenAudience: todo\n.*\nlive:\n {2}tokenIssuer: none\n/s,
  ],
];

const SHELL = { TABLE_NAME: 'a-table', CORS_ORIGINS: 'http://a', LOG_LEVEL: 'debug' };
// For one release, the function has the name of its table under the former variable, too.
const OPEN = { TABLE_NAME: '', TODO_TABLE: '', TOKEN_ISSUER: '', TOKEN_AUDIENCE: '' };
const FROM_SHELL = { ...OPEN, ...SHELL, TODO_TABLE: 'a-table' };
const DEFAULTS = { logLevel: 'warn', corsOrigins: '*', tokenIssuer: 'none' };
const FROM_BLOCKS = { ...OPEN, TABLE_NAME: 'items', TODO_TABLE: 'items', CORS_ORIGINS: '*', LOG_LEVEL: 'error' };

const ACCEPTED: readonly (readonly [what: string, run: Run, variables: object])[] = [
  [
    'nothing: dev keeps items in memory',
    run('print', { default: null }),
    { ...OPEN, CORS_ORIGINS: '', LOG_LEVEL: 'info' },
  ],
  ['what the shell says for dev', run('print', { default: { logLevel: 'warn' } }, SHELL), FROM_SHELL],
  [
    'before that, what the command says',
    run('print --param=logLevel=error', { dev: null }, SHELL),
    { ...FROM_SHELL, LOG_LEVEL: 'error' },
  ],
  [
    'for other stages, what the block says, then what all blocks share, and nothing from the shell',
    run('print --stage live', { default: DEFAULTS, live: { table: 'items', logLevel: 'error' } }, SHELL),
    FROM_BLOCKS,
  ],
  ...['deploy', 'authorization', 'deploy-from-ci'].flatMap((guide) =>
    Array.from(
      readFileSync(`docs/${guide}.md`, 'utf8').matchAll(/^```yml\n(.*?)^```/gms),
      ([, yaml = '']) =>
        [`a stage as docs/${guide}.md has it`, run('print --stage live', parseYaml(yaml) as object), {}] as const,
    ),
  ),
];

describe('Serverless Framework', () => {
  const runs = [...REJECTED, ...ACCEPTED].map(([, run]) => run);
  const project = copyForPackaging();
  let results: Result[];
  beforeAll(async () => {
    results = await runAll(project, runs);
  });

  it.each(REJECTED)('rejects %s', (_what, run, message) => {
    const { code, printed } = results[runs.indexOf(run)] as Result;
    expect(code).toBe(1);
    expect(printed).toMatch(message);
    expect(printed).not.toMatch(/\n +at /);
  });

  it.each(ACCEPTED)('takes %s', (_what, run, variables) => {
    const { code, printed } = results[runs.indexOf(run)] as Result;
    expect([code, parseYaml(printed)]).toMatchObject([0, { provider: { environment: variables } }]);
  });
});
