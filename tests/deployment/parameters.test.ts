import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import { PARAMETERS, type Parameter } from '../../serverless/parameters/parameters.js';
import { readStages } from '../../serverless/parameters/read.js';
import { stageBlocks } from '../guides/blocks.js';
import { ISSUER, SIGN_IN, VARIABLES, type Values } from '../support/settings.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyForPackaging, type Result, type Run, runAll, stagesFile } from './packaging.js';
import { type Known, readStage } from './plans.js';

const ARN = 'arn:aws:iam::123456789012:policy/boundary';
const ROLE = 'arn:aws:iam::123456789012:role/path/a-role';
const CERTIFICATE = 'arn:aws:acm:eu-central-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';
const DOMAIN = { domain: 'api.example.com', certificate: CERTIFICATE };

/** What a stage without sign-in must say. */
const OPEN_STAGE = { region: 'eu-central-1', table: 'none', tokenIssuer: 'none' };

/** For each parameter, what it takes, what it does not take, and what its stage says besides that. */
const VALUES: Record<keyof typeof PARAMETERS, Values> = {
  ...VARIABLES,
  region: { valid: ['eu-central-1', 'us-gov-west-1'], wrong: ['frankfurt', 'eu-central-1a', 'eu-central-9'] },
  frontDoor: { valid: ['', 'rest', 'http', 'url'], wrong: ['alb'] },
  signedCalls: { valid: ['', 'true', 'false'], wrong: ['1'] },
  domain: {
    valid: ['api.example.com', 'a-1.b.co', 'example.com'],
    wrong: [
      ...['Todo.example.com', 'https://api.example.com', 'todo', 'api.example.com.', '*.example.com', 'a..b.com'],
      ...['-a.example.com', 'api.example.com/live', 'todo.example.1', `${'a'.repeat(64)}.example.com`],
    ],
    beside: { ...OPEN_STAGE, ...DOMAIN },
  },
  certificate: {
    valid: [CERTIFICATE],
    wrong: ['certificate', 'arn:aws:iam::123456789012:server-certificate/a', CERTIFICATE.replace('acm', 'acm-pca')],
    beside: { ...OPEN_STAGE, ...DOMAIN },
  },
  hostedZone: {
    valid: ['', 'Z0123456789ABCDEFGHIJ'],
    wrong: ['example.com', '/hostedzone/Z1', 'z1'],
    beside: { ...OPEN_STAGE, ...DOMAIN },
  },
  defaultAddress: { valid: ['', 'true', 'false'], wrong: ['closed', '0'], beside: { ...OPEN_STAGE, ...DOMAIN } },
  throttle: { valid: ['', '1', '100000'], wrong: ['0', '1.5', '100001', 'none', '-1'] },
  memorySize: { valid: ['', '640', '10240'], wrong: ['639', '10241', '640.5', '1GB'] },
  reservedConcurrency: { valid: ['', '0', '1', 'none'], wrong: ['2', '-1', '0.5', 'all'] },
  logRetention: { valid: ['', '1', '14', '3653'], wrong: ['0', '2', '15', 'never'] },
  accessLog: { valid: ['', 'true', 'false'], wrong: ['yes'] },
  alarmEmail: { valid: ['', 'a@b.example'], wrong: ['operator', 'a@b', 'a b@c.example'] },
  dashboard: { valid: ['', 'true', 'false'], wrong: ['yes'] },
  tracing: { valid: ['', 'true', 'false'], wrong: ['all'] },
  permissionsBoundary: { valid: ['', ARN], wrong: ['boundary', ARN.replace('policy', 'role')] },
  functionRole: { valid: ['', ROLE], wrong: ['role', ARN, ROLE.replace('1', '')] },
  deploymentRole: {
    valid: ['', ROLE],
    wrong: ['role', ARN],
    beside: { ...OPEN_STAGE, functionRole: ROLE, deploymentBucket: 'a-bucket' },
  },
  deploymentBucket: { valid: ['', 'a-bucket', 'a.1'], wrong: ['ab', 'Bucket', '-bucket', 'arn:aws:s3:::bucket'] },
};

interface Stage extends Known {
  /** Variables of the shell. */
  readonly shell?: Readonly<Record<string, string>>;
  /** The command that also ends with what is rejected, in Serverless Framework. */
  readonly command?: string;
}

async function read({ shell = {}, command: _command, ...known }: Stage): Promise<object> {
  const { env } = process;
  process.env = shell;
  try {
    return await readStage(known);
  } finally {
    process.env = env;
  }
}

/** Reads those of `live`, of which nothing else is known. */
const readLive = (live: object) => read({ blocks: { live } });

describe('a parameter takes what AWS and the function take, and a message names what it does not take', () => {
  it.each(Object.entries(VALUES))('%s', async (name, { valid, wrong, beside: others = OPEN_STAGE }) => {
    for (const value of valid) expect(await readLive({ ...others, [name]: value })).toHaveProperty(name);
    for (const value of wrong) {
      const { stack } = await readLive({ ...others, [name]: value }).catch((error) => error);
      expect([value, stack]).toEqual([value, expect.stringMatching(new RegExp(`^\n${name} (is|has|need)`))]);
      expect(stack.trim().split('\n')).toHaveLength(1);
    }
  });

  it('takes the days of logs that Serverless Framework takes, and no others', () => {
    const source = readFileSync('node_modules/serverless/lib/plugins/aws/provider.js', 'utf8');
    const [, days = ''] = /awsLogRetentionInDays: \{.*?enum: \[([^\]]*)\]/s.exec(source) ?? [];
    const numbers = Array.from({ length: 10_000 }, (_, day) => String(day));
    expect(numbers.filter((day) => PARAMETERS.logRetention.accepts?.(day))).toEqual(days.match(/\d+/g));
  });

  it('takes the regions that Serverless Framework takes, and no others', () => {
    const source = readFileSync('node_modules/serverless/lib/plugins/aws/provider.js', 'utf8');
    const [, regions = ''] = /region: \{\s*enum: \[([^\]]*)\]/.exec(source) ?? [];
    const names = regions.match(/[\w-]+/g) ?? [];
    expect(names.filter((name) => !PARAMETERS.region.accepts?.(name))).toEqual([]);
    expect(PARAMETERS.region.takes).toContain(` ${names.length} regions `);
  });

  it('takes as many variables as Lambda does, counted with `none` as what is deployed for it', async () => {
    expect(await readLive({ ...OPEN_STAGE, corsOrigins: origins(3_928) })).toHaveProperty('table', 'none');
  });

  it('takes sign-in without a table if all share a list, which memory can hold', async () => {
    expect(await readLive({ ...SIGN_IN, table: 'none', listBy: 'all' })).toMatchObject({
      table: 'none',
      listBy: 'all',
    });
  });

  it('takes any number of instances with a table, because all share it', async () => {
    expect(await readLive({ ...SIGN_IN, reservedConcurrency: 50 })).toMatchObject({ reservedConcurrency: '50' });
  });
});

it('docs/parameters.md has a row for each parameter: its variable, and what holds where nobody says anything', () => {
  const rows = Array.from(
    readFileSync('docs/parameters.md', 'utf8')
      .replace(/^## Front doors.*/ms, '')
      .matchAll(/^\| `(\w+)`(?: \(`(\w+)`\))? +\|.*\| ([^|]*?) +\|$/gm),
    ([, name = '', variable, otherwise]) => [name, { variable, otherwise }] as const,
  );
  for (const [name, { variable, default: otherwise }] of Object.entries<Parameter>(PARAMETERS)) {
    const row = Object.fromEntries(rows)[name];
    expect([name, row?.variable]).toEqual([name, variable]);
    if (otherwise) expect([name, row?.otherwise?.replaceAll('`', '')]).toEqual([name, otherwise]);
  }
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(PARAMETERS).sort());
});

const live = (parameters: object): Stage => ({ blocks: { live: { ...OPEN_STAGE, ...parameters } } });

/** Origins whose list has this many bytes. */
const origins = (bytes: number) =>
  'https://a.example,'
    .repeat(bytes)
    .slice(0, bytes - (bytes % 18))
    .padEnd(bytes, ',');

/** What is rejected, and with which words. */
const REJECTED: readonly (readonly [what: string, stage: Stage, ...messages: RegExp[]])[] = [
  ['an audience alone', live({ tokenAudience: 'todo' }), /tokenIssuer.* tokenAudience/],
  ['sign-in without a table', live({ ...SIGN_IN, table: 'none' }), /table names no table/],
  ['a list of many without sign-in', live({ listBy: 'all' }), /listBy is set.* tokenIssuer/],
  ['a scope for reading alone', live({ ...SIGN_IN, readScope: 'r' }), /readScope needs writeScope/],
  ['tokens and signatures', live({ ...SIGN_IN, signedCalls: true }), /tokenIssuer.* signedCalls/],
  ['signed calls of a URL', live({ frontDoor: 'url', signedCalls: true }), /signedCalls is true.* frontDoor/],
  ['an access log of a URL', live({ frontDoor: 'url', accessLog: true }), /accessLog is true.* frontDoor/],
  [
    'unknown names, in a block or on the command line, together with all else that is wrong',
    { command: 'print', blocks: { live: { Table: 'items' }, test: null }, param: ['loglevel=a', 'logLevel=loud'] },
    /\n--param has loglevel, which is no parameter: there are .*\nlive has Table, .*\nlogLevel is "loud": it takes debug.*\nNothing says/,
  ],
  [
    "several settings of the function at once, under the names of parameters, but the shell's under their own",
    { command: 'print', stage: 'dev', param: ['corsOrigins=a'], shell: { LOG_LEVEL: 'loud', TOKEN_AUDIENCE: 'b' } },
    /\ncorsOrigins has "a": .*\nLOG_LEVEL is "loud": .*\nTOKEN_ISSUER and TOKEN_AUDIENCE /,
  ],
  [
    'a value that reads like a variable or has line breaks, which stays as it is',
    live({ corsOrigins: 'TOKEN_ISSUER\nLOG_LEVEL', logLevel: 'LOG_LEVEL' }),
    /^\ncorsOrigins has "TOKEN_ISSUER\nLOG_LEVEL": .*\nlogLevel is "LOG_LEVEL": [^\n]*$/,
  ],
  [
    'a region of AWS that osls does not know',
    live({ region: 'eusc-de-east-1' }),
    /region is "eusc-de-east-1": it takes/,
  ],
  [
    'such a region, which the shell says',
    { stage: 'dev', shell: { AWS_REGION: 'eusc-de-east-1' } },
    /region is "eusc-de-east-1": it takes/,
  ],
  ['more variables than Lambda takes', live({ corsOrigins: origins(3_929) }), / 4097 bytes .* 4096.* corsOrigins/],
  ['a throttle of a URL', live({ frontDoor: 'url', throttle: 100 }), /throttle is set.* frontDoor/],
  ['a domain of a URL', live({ ...DOMAIN, frontDoor: 'url' }), /domain is set.* frontDoor/],
  ['a domain without a certificate', live({ domain: 'a.example.com' }), /domain.* certificate/],
  ['a certificate without a domain', live({ certificate: CERTIFICATE }), /domain.* certificate/],
  ['a zone alone', live({ hostedZone: 'Z1234' }), /hostedZone is set.* domain/],
  ['no address at all', live({ defaultAddress: false }), /defaultAddress is false.* domain/],
  [
    'a certificate of another region',
    live({ ...DOMAIN, certificate: CERTIFICATE.replace('eu-central-1', 'us-east-1') }),
    /certificate is of another region/,
  ],
  [
    'a certificate of another region than dev is in, which the shell says',
    { stage: 'dev', blocks: { dev: DOMAIN }, shell: { AWS_REGION: 'eu-west-1' } },
    /certificate is of another region/,
  ],
  ['a domain of all stages', { stage: 'dev', blocks: { default: DOMAIN } }, /default has a domain/],
  [
    'a domain of two stages',
    { blocks: { live: { ...OPEN_STAGE, ...DOMAIN }, staging: { ...OPEN_STAGE, ...DOMAIN } } },
    /domain is "api.example.com".* staging/,
  ],
  ['several instances in memory', live({ reservedConcurrency: 2 }), /reservedConcurrency is above 1.* table/],
  [
    'a role of CloudFormation, with the right to make no roles, without a role of the function',
    live({ deploymentRole: ROLE, deploymentBucket: 'a-bucket' }),
    /deploymentRole is set.* functionRole/,
  ],
  [
    'a role of CloudFormation, with the right to make no buckets, without one',
    live({ deploymentRole: ROLE, functionRole: ROLE }),
    /deploymentRole is set.* deploymentBucket/,
  ],
  [
    'a boundary of a role that the stack does not make',
    live({ functionRole: ROLE, permissionsBoundary: ARN }),
    /permissionsBoundary .* functionRole/,
  ],
  [
    'another region in the options or in the shell',
    { command: 'print', blocks: { live: OPEN_STAGE }, region: 'us-east-1', shell: { AWS_REGION: 'us-east-2' } },
    /\nregion is "eu-central-1", but --region says "us-east-1".*\nregion is "eu-central-1", but AWS_REGION says "us-east-2"/,
  ],
  [
    'another region for dev',
    { stage: 'dev', blocks: { dev: { region: 'eu-west-1' } }, shell: { AWS_REGION: 'us-east-2' } },
    /region is "eu-west-1".* AWS_REGION/,
  ],
  [
    'no region: only dev takes it from the shell',
    { command: 'info', blocks: { live: { ...OPEN_STAGE, region: '' } }, shell: { AWS_REGION: 'eu-west-1' } },
    /region the stage live .*\nlive:\n {2}region: eu-west-1\n/s,
  ],
  [
    'a stage whose function would have too long a name for Lambda',
    { command: 'print', stage: 's'.repeat(60 - name.length), param: ['frontDoor=alb'] },
    new RegExp(
      `\nfrontDoor is .*\nThe function would be called ${name}-s+-api, which has 65 characters\\. Lambda takes 64`,
    ),
  ],
  ['a table of all stages', { stage: 'dev', blocks: { default: { table: 'items' } } }, /default has a table/],
  [
    'no table: only dev takes it from the shell',
    { command: 'remove', shell: { TABLE_NAME: 'a-table' } },
    /the stage live keeps its items.*\nlive:\n {2}table: items-live\n.*\nlive:\n {2}table: none\n/s,
  ],
  [
    'no callers, whatever the stage is called',
    { stage: 'test', blocks: { test: { region: 'eu-central-1', table: 'none' } } },
    /who may call the stage test/,
  ],
  ['no callers where calls are signed', live({ signedCalls: true, tokenIssuer: '' }), /who may call the stage live/],
  [
    'no callers: only dev takes them from the shell',
    { command: 'package', blocks: { live: { table: 'items' } }, shell: { TOKEN_ISSUER: ISSUER } },
    /who may call the stage live.*\nlive:\n {2}tokenIssuer: https:\/\/login.example.com\n {2}tokenAudience: https:\/\/api.example.com\n/s,
    /\nlive:\n {2}tokenIssuer: none\n/,
  ],
];

describe('a stage is rejected for', () => {
  it.each(REJECTED)('%s', async (_what, stage, ...messages) => {
    const { stack } = await read(stage).catch((error) => error);
    for (const message of messages) expect(stack).toMatch(message);
    expect(stack).not.toMatch(/\n +at /);
  });
});

describe('the region of dev', () => {
  it.each<[what: string, stage: Stage, region: string]>([
    ['its parameter', { blocks: { dev: { region: 'eu-west-1' } } }, 'eu-west-1'],
    ['--region', { region: 'us-east-1' }, 'us-east-1'],
    ['AWS_REGION', { shell: { AWS_REGION: 'us-east-2' } }, 'us-east-2'],
    // A certificate of there fits, too.
    ['what is the default if nobody says anything', { blocks: { dev: DOMAIN } }, 'eu-central-1'],
  ])('is %s', async (_what, stage, region) => {
    expect(await read({ stage: 'dev', ...stage })).toHaveProperty('region', region);
  });
});

it('a stage without a domain does not share it with another one', async () => {
  const blocks = { live: OPEN_STAGE, staging: { ...OPEN_STAGE, domain: '' } };
  expect(await read({ blocks })).toHaveProperty('domain', '');
});

describe('stages.yml', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'serverless'));

  /** Reads a file with a text, or none. As in Serverless Framework, a missing one and one with comments alone are null. */
  async function readText(text: string | undefined): Promise<unknown> {
    const [file, project] = [join(folder, 'serverless/stages.yml'), process.cwd()];
    rmSync(file, { force: true });
    if (text !== undefined) writeFileSync(file, text);
    process.chdir(folder);
    const resolveVariable = async (variable: string) => {
      expect(variable).toBe('file(./serverless/stages.yml), null');
      if (text?.trim() === '') throw new Error('It is blank.');
      return text ? parseYaml(text) : null;
    };
    return readStages({ resolveVariable }).finally(() => process.chdir(project));
  }

  it.each([
    ['that is missing', undefined],
    ['that is empty', ''],
    ['that is blank', ' \n'],
    ['with comments alone', '# live:\n'],
  ])('%s says nothing about any stage', async (_what, text) => {
    expect(await readText(text)).toEqual({ default: {} });
  });

  it('has a block for each stage', async () => {
    expect(await readText('live:\n  table: items\n')).toEqual({ live: { table: 'items' } });
  });
});

const run = (command: string, blocks: object = {}, variables: Run['variables'] = {}): Run => {
  return { command, files: stagesFile(blocks), variables };
};

/** What ends commands with a message, which is not lost in a stack. */
const ENDED = REJECTED.flatMap(
  ([what, { stage = 'live', command, blocks, param = [], region, shell }, ...messages]) => {
    const options = [...param.map((parameter) => ` --param=${parameter}`), region ? ` --region ${region}` : ''];
    return command
      ? [{ what, run: run(`${command} --stage ${stage}${options.join('')}`, blocks, shell), messages }]
      : [];
  },
);

const SHELL = { TABLE_NAME: 'a-table', CORS_ORIGINS: 'http://a', LOG_LEVEL: 'debug' };
const ASKED = { TOKEN_READ_SCOPE: '', TOKEN_WRITE_SCOPE: '', TOKEN_CLIENT: '' };
const OPEN = { TABLE_NAME: '', TOKEN_ISSUER: '', TOKEN_AUDIENCE: '', LIST_BY: '', ...ASKED };
const FROM_SHELL = { ...OPEN, ...SHELL };
const DEFAULTS = { default: { logLevel: 'warn', corsOrigins: '*', tokenIssuer: 'none' } };
const ofBlocks = run(
  'print --stage live',
  { ...DEFAULTS, live: { region: 'eu-central-1', table: 'items', logLevel: 'error' } },
  SHELL,
);
const FROM_BLOCKS = { ...OPEN, TABLE_NAME: 'items', CORS_ORIGINS: '*', LOG_LEVEL: 'error' };
/** What guides show: whole stages, and lines in a stage that has a table and, unless they exclude it, sign-in. */
const stages = stageBlocks().map(({ text, isWhole }) => {
  const shown = parseYaml(isWhole ? text : `live:\n${text}`) as { live: object };
  const base = {
    ...('signedCalls' in shown.live ? OPEN_STAGE : SIGN_IN),
    ...(('hostedZone' in shown.live || 'defaultAddress' in shown.live) && DOMAIN),
  };
  return isWhole ? shown : { live: { ...base, ...shown.live } };
});

const NOTHING_SAID = { ...OPEN, CORS_ORIGINS: '', LOG_LEVEL: 'info' };
const stagesYml = (text: string): Run => ({ command: 'print', files: { 'serverless/stages.yml': text } });
const longestStage = 's'.repeat(59 - name.length);
const longest = run(`print --stage ${longestStage}`, { [longestStage]: OPEN_STAGE });

const ACCEPTED: readonly (readonly [what: string, run: Run, variables: object])[] = [
  ['items in memory for dev', run('print', { default: null }), { ...OPEN, CORS_ORIGINS: '', LOG_LEVEL: 'info' }],
  ['an empty stages.yml', stagesYml(''), NOTHING_SAID],
  ['a stages.yml with comments alone', stagesYml('# live:\n'), NOTHING_SAID],
  ['a stage whose function has the longest name that Lambda takes', longest, {}],
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
  const project = copyForPackaging(temporaryFolder());
  const settings = readFileSync(join(project, 'serverless.yml'), 'utf8');
  const misspelled: Run = { command: 'print', files: { 'serverless.yml': `${settings}pakage: {}\n` } };
  const withoutStages: Run = { command: 'print', files: { 'serverless/stages.yml': null } };
  const runs = [...ENDED.map(({ run }) => run), ...ACCEPTED.map(([, run]) => run), withoutStages, misspelled];
  let results: Result[];
  beforeAll(async () => {
    results = await runAll(project, runs);
  });

  it.each(ENDED)('ends with what is rejected: $what', ({ run, messages }) => {
    const { code, printed } = results[runs.indexOf(run)] as Result;
    expect(code).toBe(1);
    for (const message of messages) expect(printed).toMatch(message);
    expect(printed).not.toMatch(/\n +at /);
  });

  it.each(ACCEPTED)('takes %s', (_what, run, variables) => {
    const { code, printed } = results[runs.indexOf(run)] as Result;
    expect([code, parseYaml(printed)]).toMatchObject([0, { provider: { environment: variables } }]);
  });

  it('takes a project without a stages.yml', () => {
    const { code, printed } = results[runs.indexOf(withoutStages)] as Result;
    expect([code, parseYaml(printed)]).toMatchObject([0, { provider: { environment: NOTHING_SAID } }]);
  });

  it('deploys dev to eu-central-1 if nobody says anything, and serves it to this machine alone, in one process', () => {
    const run = ACCEPTED.find(([what]) => what === 'items in memory for dev')?.[1] as Run;
    expect(parseYaml(results[runs.indexOf(run)]?.printed ?? '')).toMatchObject({
      provider: { region: 'eu-central-1' },
      // In workers of its own, each call would have its own collection.
      custom: { 'serverless-offline': { host: '127.0.0.1', useInProcess: true } },
    });
  });

  it('rejects a misspelled setting', () => {
    expect(results.at(-1)).toMatchObject({
      code: 1,
      printed: expect.stringContaining("unrecognized property 'pakage'"),
    });
  });
});
