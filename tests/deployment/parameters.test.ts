import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import {
  copyForPackaging,
  type Parameters,
  parseYaml,
  type Result,
  type Run,
  tryAll,
} from '../support/deployment/packaging.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const LIVE = ['--stage', 'live'];
const ISSUER = 'https://login.example.com';
const live = (parameters: Parameters): Run => ({
  command: ['print', ...LIVE],
  stages: { live: { table: 'none', tokenIssuer: 'none', ...parameters } },
});

/** Parameters that are rejected, and what the message says. */
const WRONG: readonly (readonly [Parameters, message: string])[] = [
  [{ reservedConcurrency: 2 }, 'reservedConcurrency is "2": it takes 1 or none'],
  [{ corsOrigins: 'example.com' }, 'corsOrigins is "example.com": it takes origins like https://example.com'],
  [{ corsOrigins: 'https://a.example.com/' }, 'or * alone (the stage dev takes it from CORS_ORIGINS)'],
  [{ logLevel: 'loud' }, 'logLevel is "loud": it takes debug, info, warn, error or silent'],
  [{ table: 'to do' }, `table is "to do": it takes a table's name (3 to 255 of the characters`],
  [{ table: 'to' }, '_, - and .), or none (the stage dev takes it from TABLE_NAME)'],
  [{ alarmEmail: 'operator' }, 'alarmEmail is "operator": it takes an e-mail address\n'],
  [{ accessLog: 'yes' }, 'accessLog is "yes": it takes true or false\n'],
  [{ frontDoor: 'alb' }, 'frontDoor is "alb": it takes rest, http or url\n'],
  [{ signedCalls: 1 }, 'signedCalls is "1": it takes true or false\n'],
  [
    { permissionsBoundary: 'boundary' },
    'permissionsBoundary is "boundary": it takes the ARN of a policy, like arn:aws',
  ],
  [{ permissionsBoundary: 'arn:aws:iam::123456789012:role/boundary' }, 'it takes the ARN of a policy'],
  [{ frontDoor: 'url', signedCalls: true }, 'signedCalls is true, but a function URL asks for a signature on every'],
  [{ tokenIssuer: 'http://login.example.com' }, 'tokenIssuer is "http://login.example.com": it takes the https URL'],
  [{ tokenAudience: 'a b' }, 'tokenAudience is "a b": it takes what the tokens have in aud'],
  [{ tokenAudience: 'todo' }, 'tokenIssuer and tokenAudience need each other'],
  [{ table: 'items', tokenIssuer: ISSUER }, 'tokenIssuer and tokenAudience need each other'],
  [{ tokenIssuer: ISSUER, tokenAudience: 'todo' }, 'tokenIssuer is set, but the lists of several people need a table'],
  [
    { table: 'items', tokenIssuer: ISSUER, tokenAudience: 'todo', signedCalls: true },
    'tokenIssuer is set and signedCalls is true, but a request has one Authorization field',
  ],
  [{ frontDoor: 'url', accessLog: true }, 'accessLog is true, but AWS keeps no log of what a function URL answers'],
];

/** Values that both a parameter and the function's variable take, and values that neither does. */
const long = (length: number) => `https://${'a'.repeat(length - 8)}`;
const VALUES: readonly (readonly [parameter: string, variable: string, valid: string[], wrong: string[]])[] = [
  [
    'corsOrigins',
    'CORS_ORIGINS',
    ['*', ' * ', 'http://a,http://b:3000', long(267)],
    ['*,', 'http://a, *', 'null', 'a', 'https://a/', long(268)],
  ],
  ['logLevel', 'LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], ['trace', 'INFO']],
  [
    'tokenIssuer',
    'TOKEN_ISSUER',
    ['https://login.example.com/', 'http://localhost:8080/a', `https://${'a'.repeat(504)}`],
    ['http://login.example.com', 'https://a?b', 'https://a#b', 'https://a b', `https://${'a'.repeat(505)}`],
  ],
  ['tokenAudience', 'TOKEN_AUDIENCE', ['a', '!~'], ['a b', 'é', 'a'.repeat(513)]],
  ['table', 'TABLE_NAME', ['none', 'a.b-c_D', 'a'.repeat(255)], ['ab', 'a b', 'ééé', 'a'.repeat(256)]],
];

/** What these parameters need beside them, and these variables. */
const SIGN_IN: Readonly<Record<string, Parameters>> = {
  tokenIssuer: { table: 'items', tokenAudience: 'todo' },
  tokenAudience: { table: 'items', tokenIssuer: ISSUER },
};
const VARIABLES: Readonly<Record<string, object>> = {
  tokenIssuer: { TABLE_NAME: 'items', TOKEN_AUDIENCE: 'todo' },
  tokenAudience: { TABLE_NAME: 'items', TOKEN_ISSUER: ISSUER },
};

/** Blocks for serverless/stages.yml, as the guides have them. */
const GUIDES = ['deploy', 'authorization', 'deploy-from-ci'].flatMap((guide) =>
  Array.from(readFileSync(`docs/${guide}.md`, 'utf8').matchAll(/^```yml\n(.*?)^```/gms), ([, yaml]) => yaml as string),
);

const OPEN = { TOKEN_ISSUER: '', TOKEN_AUDIENCE: '' };
const shell = { TABLE_NAME: 'a-table', CORS_ORIGINS: 'http://a', LOG_LEVEL: 'debug' };
/** What is run, by name: all in one process. */
const RUNS: Readonly<Record<string, Run>> = {
  ...Object.fromEntries(WRONG.map(([parameters]) => [JSON.stringify(parameters), live(parameters)])),
  ...Object.fromEntries(
    VALUES.flatMap(([name, , valid, wrong]) =>
      [...valid, ...wrong].map((value) => [`${name} ${value}`, live({ ...SIGN_IN[name], [name]: value })]),
    ),
  ),
  'an unknown name': {
    command: ['print', ...LIVE, '--param=loglevel=info', '--param=logLevel=loud'],
    stages: { default: {}, live: { Table: 'items' }, test: null },
  },
  'the former name': {
    command: ['package', ...LIVE, '--param=todoTable=none'],
    stages: { live: { todoTable: 'items' } },
  },
  'the former variable': { command: ['package'], stages: { default: {} }, variables: { TODO_TABLE: 'items' } },
  'a default table': { command: ['print', ...LIVE], stages: { default: { table: 'items' } } },
  'no table': { command: ['remove', ...LIVE], stages: { default: {} }, variables: { TABLE_NAME: 'a-table' } },
  ...Object.fromEntries(
    GUIDES.map((yaml) => [yaml, { command: ['package', ...LIVE], stages: parseYaml(yaml) as object }]),
  ),
  'no issuer': {
    command: ['package', ...LIVE],
    stages: { live: { table: 'items' } },
    variables: { TOKEN_ISSUER: 'https://login.example.com' },
  },
  'an issuer without a table': {
    command: ['offline'],
    stages: { default: {} },
    variables: { TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: 'todo' },
  },
  'a misspelled setting': { command: ['package', ...LIVE], added: 'pakage: {}\n' },
  'a wrong variable': { command: ['offline'], stages: { default: {} }, variables: { LOG_LEVEL: 'loud' } },
  dev: { command: ['print'], stages: { default: { logLevel: 'warn' } }, variables: shell },
  'dev with an option': { command: ['print', '--param=logLevel=error'], stages: { dev: null }, variables: shell },
  defaults: { command: ['print'], stages: { default: null } },
  'a default': {
    command: ['print', ...LIVE],
    stages: {
      default: { logLevel: 'warn', corsOrigins: '*', tokenIssuer: 'none' },
      live: { table: 'items', logLevel: 'error' },
    },
    variables: shell,
  },
};
const folder = temporaryFolder();
let results: Record<string, Result>;

beforeAll(async () => {
  const project = copyForPackaging(join(folder, 'project'));
  const ended = await tryAll(project, Object.values(RUNS));
  results = Object.fromEntries(Object.keys(RUNS).map((name, index) => [name, ended[index] as Result]));
});

const messageOf = (name: string) => {
  const { code, printed } = results[name] as Result;
  expect([name, code]).toEqual([name, 1]);
  return printed;
};
const environmentOf = (name: string) => {
  const { code, printed } = results[name] as Result;
  expect([printed, code]).toEqual([expect.anything(), 0]);
  return (parseYaml(printed) as { provider: { environment: object } }).provider.environment;
};

describe('a parameter that is wrong', () => {
  it.each(WRONG)('is rejected, and the message says what it takes: %j', (parameters, message) => {
    expect(messageOf(JSON.stringify(parameters))).toContain(message);
  });

  it('is rejected if its name is unknown, in a stage or on the command line; all are reported at once', () => {
    expect(messageOf('an unknown name')).toMatch(
      /\n--param has loglevel, which is no parameter: there are .*\nlive has Table, .*\nlogLevel is "loud".*\nNothing says/,
    );
  });

  it('is rejected under its former name, and the message says the new one', () => {
    const message = 'has todoTable, which is now called table: rename it';
    expect(messageOf('the former name')).toContain(`\n--param ${message}\nlive ${message}\n`);
    expect(messageOf('the former variable')).toContain('TODO_TABLE is now called TABLE_NAME: set that instead');
  });

  it.each(VALUES)('is wrong for the function, too: %s', (parameter, variable, valid, wrong) => {
    const environment = { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    const configure = (value: string) =>
      readConfiguration({ ...environment, ...VARIABLES[parameter], [variable]: value });
    for (const value of valid) {
      configure(value);
      expect(environmentOf(`${parameter} ${value}`)).toHaveProperty(variable, value === 'none' ? '' : value);
    }
    for (const value of wrong) {
      expect(() => configure(value)).toThrow(variable);
      expect(messageOf(`${parameter} ${value}`)).toContain(`${parameter} is "${value}"`);
    }
  });

  it('makes serverless offline fail at once, without a stack', () => {
    const message = messageOf('a wrong variable');
    expect(message).toContain('logLevel is "loud": it takes debug, info, warn, error or silent');
    expect(message).not.toMatch(/\n +at |Server ready/);
  });
});

it('a misspelled setting in serverless.yml makes packaging fail', () => {
  expect(messageOf('a misspelled setting')).toContain("unrecognized property 'pakage'");
});

describe('a stage', () => {
  it('is deployed as the guides say', () => {
    expect(GUIDES).toHaveLength(4);
    for (const yaml of GUIDES) expect(results[yaml]).toMatchObject({ code: 0 });
  });

  it('must name its table in its own block, because all stages would share a default', () => {
    expect(messageOf('a default table')).toContain('default has a table, which all stages would share');
  });

  it('without a table makes any command fail with the lines to add: only dev takes it from the shell', () => {
    const message = messageOf('no table');
    expect(message).toContain('Nothing says where the stage live keeps its items. Add to serverless/stages.yml, for a');
    expect(message).toContain('\nlive:\n  table: items-live\n');
    expect(message).toContain('\nlive:\n  table: none\n');
  });

  it('that does not say who may call makes any command fail with the lines to add', () => {
    const message = messageOf('no issuer');
    expect(message).toContain(
      'Nothing says who may call the stage live. Add to serverless/stages.yml, for a list for each',
    );
    expect(message).toContain('\nlive:\n  tokenIssuer: https://login.example.com\n  tokenAudience: todo\n');
    expect(message).toContain('\nlive:\n  tokenIssuer: none\n');
  });

  it('whose callers sign in needs a table, which npm run local has', () => {
    expect(messageOf('an issuer without a table')).toContain('or on this machine take npm run local');
  });

  it('keeps its items in memory if it is dev and nobody says anything', () => {
    const nothing = { TABLE_NAME: '', TODO_TABLE: '', CORS_ORIGINS: '', LOG_LEVEL: 'info', ...OPEN };
    expect(environmentOf('defaults')).toEqual(nothing);
  });

  it('takes what the shell says if it is dev, unless the command says otherwise', () => {
    // For one release, the function has the name of its table under the former variable, too.
    expect(environmentOf('dev')).toEqual({ ...shell, TODO_TABLE: 'a-table', ...OPEN });
    expect(environmentOf('dev with an option')).toHaveProperty('LOG_LEVEL', 'error');
  });

  it('takes what stages.yml says for it, then for all stages, and nothing from the shell', () => {
    const taken = { TABLE_NAME: 'items', TODO_TABLE: 'items', CORS_ORIGINS: '*', LOG_LEVEL: 'error', ...OPEN };
    expect(environmentOf('a default')).toEqual(taken);
  });
});
