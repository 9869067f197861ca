import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyForPackaging, parseYaml, type Result, type Run, tryAll } from './packaging.js';

/** What is run before the tests, all in one process. */
const runs: Run[] = [];
const results: Result[] = [];
const project = join(temporaryFolder(), 'project');
beforeAll(async () => results.push(...(await tryAll(copyForPackaging(project), runs))));

type Variables = Run['variables'];
const run = (command: string, stages: object = {}, variables: Variables = {}): Run => {
  return { command: command.split(' '), stages, variables };
};
const printLive = (parameters: object, variables: Variables = {}) =>
  run('print --stage live', { live: { table: 'none', tokenIssuer: 'none', ...parameters } }, variables);

function isRejected(name: string, command: Run, ...messages: (string | RegExp)[]): void {
  const index = runs.push(command) - 1;
  it(name, () => {
    const { code, printed } = results[index] as Result;
    expect(code).toBe(1);
    for (const message of messages) expect(printed).toMatch(message);
    // The message is not lost in a stack.
    expect(printed).not.toMatch(/\n +at /);
  });
}

function isAccepted(name: string, command: Run, variables: object): void {
  const index = runs.push(command) - 1;
  it(name, () => {
    const { code, printed } = results[index] as Result;
    expect([code, parseYaml(printed)]).toMatchObject([0, { provider: { environment: variables } }]);
  });
}

const ISSUER = 'https://login.example.com';
const signIn = { table: 'items', tokenIssuer: ISSUER, tokenAudience: 'todo' };
const signInVariables = { TABLE_NAME: 'items', TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: 'todo' };

/** Expects what a parameter takes and rejects, in the function, too, if that has it in a variable. */
function parameter(name: string, takes: string, valid: readonly unknown[], wrong: readonly unknown[], variable = '') {
  const isForTokens = name.startsWith('token');
  const configure = (value: unknown) => {
    const aws = { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    return readConfiguration({ ...aws, ...(isForTokens && signInVariables), [variable]: String(value) });
  };
  const set = (value: unknown) => printLive({ ...(isForTokens && signIn), [name]: value });
  const source = variable && ` (the stage dev takes it from ${variable})`;
  describe(`${name} takes ${takes}`, () => {
    const short = (value: unknown) => String(value).slice(0, 30);
    for (const value of valid)
      isAccepted(`such as ${short(value)}`, set(value), variable ? { [variable]: value === 'none' ? '' : value } : {});
    for (const value of wrong)
      isRejected(`but not ${short(value)}`, set(value), `\n${name} is "${value}": it takes ${takes}${source}\n`);
    if (!variable) return;
    it(`in the function, as ${variable}`, () => {
      for (const value of valid) configure(value);
      for (const value of wrong) expect(() => configure(value)).toThrow(variable);
    });
  });
}

const url = (length: number) => 'https://'.padEnd(length, 'a');
const ORIGINS = 'origins like https://example.com, separated by commas, or * alone';
const origins = ['*', ' * ', 'http://a,http://b:3000', url(267)];
const noOrigins = ['*,', 'http://a, *', 'null', 'example.com', 'https://a/', url(268)];
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];
const TABLE = "a table's name (3 to 255 of the characters a-z, A-Z, 0-9, _, - and .), or none";
const URLS = 'the https URL of an OpenID Connect provider, letter by letter as in the iss of its tokens, or none';
const noIssuers = ['http://login.example.com', 'https://a?b', 'https://a#b', 'https://a b', url(513)];
const AUDIENCE = 'what the tokens have in aud, or in client_id: visible characters';
const ARN = 'arn:aws:iam::123456789012:policy/boundary';

parameter('corsOrigins', ORIGINS, origins, noOrigins, 'CORS_ORIGINS');
parameter('logLevel', 'debug, info, warn, error or silent', LEVELS, ['trace', 'INFO'], 'LOG_LEVEL');
parameter('table', TABLE, ['none', 'a.b-c_D', 'a'.repeat(255)], ['ab', 'a b', 'ééé', 'a'.repeat(256)], 'TABLE_NAME');
parameter('tokenIssuer', URLS, [`${ISSUER}/`, 'http://localhost:8080/a', url(512)], noIssuers, 'TOKEN_ISSUER');
parameter('tokenAudience', AUDIENCE, ['a', '!~'], ['a b', 'é', 'a'.repeat(513)], 'TOKEN_AUDIENCE');
parameter('frontDoor', 'rest, http or url', ['rest', 'http', 'url'], ['alb']);
parameter('signedCalls', 'true or false', [true, false], [1, 'yes']);
parameter('accessLog', 'true or false', [true, false], [1, 'yes']);
parameter('alarmEmail', 'an e-mail address', ['a@b.example'], ['operator', 'a@b']);
parameter('reservedConcurrency', '1 or none', [1, 'none'], [2]);
parameter(
  'permissionsBoundary',
  `the ARN of a policy, like ${ARN}`,
  [ARN],
  ['boundary', ARN.replace('policy', 'role')],
);

describe('parameters that exclude each other are rejected, with the reason:', () => {
  const needEachOther = 'tokenIssuer and tokenAudience need each other';
  const noSignature = 'signedCalls is true, but a function URL asks for a signature on every';
  const noLog = 'accessLog is true, but AWS keeps no log of what a function URL answers';
  for (const [name, parameters, reason] of [
    ['an audience alone', { tokenAudience: 'todo' }, needEachOther],
    ['an issuer alone', { ...signIn, tokenAudience: '' }, needEachOther],
    ['sign-in without a table', { ...signIn, table: 'none' }, 'lists of several people need a table'],
    ['tokens and signatures', { ...signIn, signedCalls: true }, 'a request has one Authorization'],
    ['signed calls of a URL', { frontDoor: 'url', signedCalls: true }, noSignature],
    ['an access log of a URL', { frontDoor: 'url', accessLog: true }, noLog],
  ] as const)
    isRejected(name, printLive(parameters), reason);
});

describe('a stage is rejected by any command, with what to do, if it', () => {
  isRejected(
    'has unknown names, in its block or on the command line: they are reported with all else that is wrong',
    run('print --stage live --param=loglevel=info --param=logLevel=loud', { live: { Table: 'items' }, test: null }),
    /\n--param has loglevel, which is no parameter: there are .*\nlive has Table, .*\nlogLevel is "loud".*\nNothing says/,
  );
  const renamed = 'has todoTable, which is now called table: rename it\n';
  const old = run('package --stage live --param=todoTable=none', { live: { todoTable: 'items' } });
  isRejected('has a parameter under its former name', old, `\n--param ${renamed}live ${renamed}`);
  const oldVariable = run('package', {}, { TODO_TABLE: 'items' });
  isRejected('has a variable under its former name', oldVariable, 'TODO_TABLE is now called TABLE_NAME: set that');
  isRejected('has a wrong variable', run('print', {}, { LOG_LEVEL: 'loud' }), 'logLevel is "loud": it takes debug');
  const signInHere = run('print', {}, { TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: 'todo' });
  isRejected('lets callers sign in to this machine without a table', signInHere, 'on this machine use npm run local');
  const shared = run('print --stage live', { default: { table: 'items' } });
  isRejected('has its table by default', shared, 'default has a table, which all stages would share');
  isRejected(
    'names no table: only dev takes it from the shell',
    run('remove --stage live', {}, { TABLE_NAME: 'a-table' }),
    'Nothing says where the stage live keeps its items. Add to serverless/stages.yml, for a',
    /\nlive:\n {2}table: items-live\n.*\nlive:\n {2}table: none\n/s,
  );
  isRejected(
    'does not say who may call: only dev takes it from the shell',
    run('package --stage live', { live: { table: 'items' } }, { TOKEN_ISSUER: ISSUER }),
    'Nothing says who may call the stage live. Add to serverless/stages.yml, for a list for each',
    /\nlive:\n {2}tokenIssuer: https:\/\/login.example.com\n {2}tokenAudience: todo\n.*\nlive:\n {2}tokenIssuer: none\n/s,
  );
  const misspelled = { ...printLive({}), command: ['package', '--stage', 'live'], added: 'pakage: {}\n' };
  isRejected('is packaged with a misspelled setting', misspelled, "unrecognized property 'pakage'");
});

describe('a stage', () => {
  for (const guide of ['deploy', 'authorization', 'deploy-from-ci']) {
    const blocks = readFileSync(`docs/${guide}.md`, 'utf8').matchAll(/^```yml\n(.*?)^```/gms);
    for (const [, yaml = ''] of blocks) {
      const index = runs.push(run('package --stage live', parseYaml(yaml) as object)) - 1;
      it(`is packaged as docs/${guide}.md has it`, () => expect(results[index]).toHaveProperty('code', 0));
    }
  }

  // For one release, the function has the name of its table under the former variable, too.
  const open = { TABLE_NAME: '', TODO_TABLE: '', TOKEN_ISSUER: '', TOKEN_AUDIENCE: '' };
  const nothing = { ...open, CORS_ORIGINS: '', LOG_LEVEL: 'info' };
  const alone = run('print', { default: null });
  isAccepted('keeps its items in memory if it is dev and nobody says anything', alone, nothing);

  const shell = { TABLE_NAME: 'a-table', CORS_ORIGINS: 'http://a', LOG_LEVEL: 'debug' };
  const fromShell = { ...open, ...shell, TODO_TABLE: 'a-table' };
  isAccepted(
    'takes what the shell says if it is dev',
    run('print', { default: { logLevel: 'warn' } }, shell),
    fromShell,
  );
  const level = run('print --param=logLevel=error', { dev: null }, shell);
  isAccepted('takes what the command says before that', level, { ...fromShell, LOG_LEVEL: 'error' });

  const defaults = { logLevel: 'warn', corsOrigins: '*', tokenIssuer: 'none' };
  const blocks = { default: defaults, live: { table: 'items', logLevel: 'error' } };
  const fromBlocks = { ...open, TABLE_NAME: 'items', TODO_TABLE: 'items', CORS_ORIGINS: '*', LOG_LEVEL: 'error' };
  const name = 'takes what its block says, then what all blocks share, and nothing from the shell';
  isAccepted(name, run('print --stage live', blocks, shell), fromBlocks);
});
