import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import { PARAMETERS } from '../../serverless/parameters.cjs';
import { copyForPackaging, parseYaml, type Result, type Run, runAll, stagesFile } from './packaging.js';

const ISSUER = 'https://login.example.com';
const SIGN_IN = { TABLE_NAME: 'items', TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: 'todo' };
const ARN = 'arn:aws:iam::123456789012:policy/boundary';
const url = (length: number) => 'https://'.padEnd(length, 'a');
const noIssuers = ['http://login.example.com', 'https://a?b', 'https://a#b', 'https://a b', url(513)];
const VALUES: Record<keyof typeof PARAMETERS, { readonly valid: string[]; readonly wrong: string[] }> = {
  table: { valid: ['none', 'a.b-c_D', 'a'.repeat(255)], wrong: ['ab', 'a b', 'ééé', 'a'.repeat(256)] },
  corsOrigins: {
    valid: ['*', ' * ', 'http://a,http://b:3000', url(267)],
    wrong: ['*,', 'http://a, *', 'null', 'example.com', 'https://a/', url(268)],
  },
  logLevel: { valid: ['debug', 'info', 'warn', 'error', 'silent'], wrong: ['trace', 'INFO'] },
  tokenIssuer: { valid: [`${ISSUER}/`, 'http://localhost:8080/a', url(512)], wrong: noIssuers },
  tokenAudience: { valid: ['a', '!~'], wrong: ['a b', 'é', 'a'.repeat(513)] },
  frontDoor: { valid: ['rest', 'http', 'url'], wrong: ['alb'] },
  signedCalls: { valid: ['true', 'false'], wrong: ['1'] },
  accessLog: { valid: ['true', 'false'], wrong: ['yes'] },
  alarmEmail: { valid: ['a@b.example'], wrong: ['operator', 'a@b'] },
  reservedConcurrency: { valid: ['1', 'none'], wrong: ['2'] },
  permissionsBoundary: { valid: [ARN], wrong: ['boundary', ARN.replace('policy', 'role')] },
};

describe('the values of a parameter', () => {
  const parameters: Record<string, { takes: string; accepts(value: string): boolean; variable?: string }> = PARAMETERS;
  it.each(Object.entries(VALUES))('are as good for a deployment as for the function: %s', (name, { valid, wrong }) => {
    const { takes, accepts = () => undefined, variable } = parameters[name] ?? {};
    expect(takes).toMatch(/\w/);
    expect([valid.filter((value) => !accepts(value)), wrong.filter(accepts)]).toEqual([[], []]);
    if (!variable) return;
    const others = { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    const configure = (value: string) =>
      readConfiguration({ ...others, ...(name.startsWith('token') && SIGN_IN), [variable]: value });
    for (const value of valid) configure(value);
    for (const value of wrong) expect(() => configure(value)).toThrow(variable);
  });
});

const run = (command: string, blocks: object = {}, variables: Run['variables'] = {}): Run => {
  return { command, files: stagesFile(blocks), variables };
};
const live = (parameters: object) =>
  run('print --stage live', { live: { table: 'none', tokenIssuer: 'none', ...parameters } });
const signIn = { table: 'items', tokenIssuer: ISSUER, tokenAudience: 'todo' };
const unknown = run('print --stage live --param=loglevel=a --param=logLevel=loud', {
  live: { Table: 'items' },
  test: null,
});
const former = run('package --stage live --param=todoTable=none', { live: { todoTable: 'items' } });
const noCallers = run('package --stage live', { live: { table: 'items' } }, { TOKEN_ISSUER: ISSUER });

/** What ends any command with a message, which is not lost in a stack. */
const REJECTED: readonly (readonly [what: string, run: Run, ...messages: (string | RegExp)[]])[] = [
  ['an audience alone', live({ tokenAudience: 'todo' }), 'tokenIssuer and tokenAudience need each other'],
  ['sign-in without a table', live({ ...signIn, table: 'none' }), 'lists of several people need a table'],
  ['tokens and signatures', live({ ...signIn, signedCalls: true }), 'a request has one Authorization'],
  ['signed calls of a URL', live({ frontDoor: 'url', signedCalls: true }), 'a signature on every path or on none'],
  ['an access log of a URL', live({ frontDoor: 'url', accessLog: true }), 'AWS keeps no log of what a function URL'],
  [
    'unknown names, in a block or on the command line, together with all else that is wrong',
    unknown,
    /\n--param has loglevel, which is no parameter: there are .*\nlive has Table, .*\nlogLevel is "loud": it takes debug/,
    / or silent \(the stage dev takes it from LOG_LEVEL\)\nNothing says/,
  ],
  [
    'parameters under a former name',
    former,
    /\n--param (has todoTable, which is now called table: rename it\n)live \1/,
  ],
  ['a variable under a former name', run('package', {}, { TODO_TABLE: 'items' }), 'is now called TABLE_NAME: set that'],
  ['a table of all stages', run('print', { default: { table: 'items' } }), 'has a table, which all stages would share'],
  [
    'no table: only dev takes it from the shell',
    run('remove --stage live', {}, { TABLE_NAME: 'a-table' }),
    /Nothing says where the stage live keeps its items.*\nlive:\n {2}table: items-live\n.*\nlive:\n {2}table: none\n/s,
  ],
  [
    'no callers: only dev takes them from the shell',
    noCallers,
    /Nothing says who may call the stage live.*\nlive:\n {2}tokenIssuer: https:\/\/login.example.com\n {2}tokenAudience: todo\n/s,
    /\nlive:\n {2}tokenIssuer: none\n/,
  ],
];

const SHELL = { TABLE_NAME: 'a-table', CORS_ORIGINS: 'http://a', LOG_LEVEL: 'debug' };
// For one release, the function has the name of its table under the former variable, too.
const OPEN = { TABLE_NAME: '', TODO_TABLE: '', TOKEN_ISSUER: '', TOKEN_AUDIENCE: '' };
const FROM_SHELL = { ...OPEN, ...SHELL, TODO_TABLE: 'a-table' };
const DEFAULTS = { default: { logLevel: 'warn', corsOrigins: '*', tokenIssuer: 'none' } };
const ofBlocks = run('print --stage live', { ...DEFAULTS, live: { table: 'items', logLevel: 'error' } }, SHELL);
const FROM_BLOCKS = { ...OPEN, TABLE_NAME: 'items', TODO_TABLE: 'items', CORS_ORIGINS: '*', LOG_LEVEL: 'error' };
const guides = ['deploy', 'authorization', 'deploy-from-ci'].map((name) => readFileSync(`docs/${name}.md`, 'utf8'));
const stages = Array.from(
  guides.join('').matchAll(/^```yml\n(.*?)^```/gms),
  ([, yaml = '']) => parseYaml(yaml) as object,
);

const ACCEPTED: readonly (readonly [what: string, run: Run, variables: object])[] = [
  ['items in memory for dev', run('print', { default: null }), { ...OPEN, CORS_ORIGINS: '', LOG_LEVEL: 'info' }],
  ['what the shell says for dev', run('print', { default: { logLevel: 'warn' } }, SHELL), FROM_SHELL],
  [
    'the command first',
    run('print --param=logLevel=error', { dev: null }, SHELL),
    { ...FROM_SHELL, LOG_LEVEL: 'error' },
  ],
  ['from blocks for other stages, first its own, and nothing from the shell', ofBlocks, FROM_BLOCKS],
  ...stages.map(
    (blocks) => [`the stage of a guide: ${JSON.stringify(blocks)}`, run('print --stage live', blocks), {}] as const,
  ),
];

describe('Serverless Framework', () => {
  const project = copyForPackaging();
  const settings = `${readFileSync(join(project, 'serverless.yml'), 'utf8')}pakage: {}\n`;
  const misspelled: Run = { command: 'print --stage live', files: { 'serverless.yml': settings } };
  const runs = [...[...REJECTED, ...ACCEPTED].map(([, run]) => run), misspelled];
  let results: Result[];
  beforeAll(async () => {
    results = await runAll(project, runs);
  });

  it.each(REJECTED)('rejects %s', (_what, run, ...messages) => {
    const { code, printed } = results[runs.indexOf(run)] as Result;
    expect(code).toBe(1);
    for (const message of messages) expect(printed).toMatch(message);
    expect(printed).not.toMatch(/\n +at /);
  });

  it.each(ACCEPTED)('takes %s', (_what, run, variables) => {
    const { code, printed } = results[runs.indexOf(run)] as Result;
    expect([code, parseYaml(printed)]).toMatchObject([0, { provider: { environment: variables } }]);
  });

  it('rejects a misspelled setting', () => {
    expect(results.at(-1)).toMatchObject({
      code: 1,
      printed: expect.stringContaining("unrecognized property 'pakage'"),
    });
  });
});
