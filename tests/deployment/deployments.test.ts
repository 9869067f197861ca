import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Account, type Refusal } from './account.js';
import { copyForPackaging, type Result, type Run, runAll, stagesFile } from './packaging.js';
import { DOMAIN, PIPELINE } from './stages.js';

const FUNCTION = `${name}-live-api`;
const TABLE = { region: 'eu-central-1', table: 'items-live', tokenIssuer: 'none' };
const project = copyForPackaging(temporaryFolder());

type Accounts = [Account, Account, Account, Account, Account];
type Step = readonly [command: string, files?: object];
type Outcome = Result & { readonly state: readonly [code: number, current: string | undefined, versions: string] };

/**
 * Runs commands for each account, one after the other in one process, because starting it takes longer than ten of them. Returns how
 * each one ended, with the account's state after it: `[exit code, current version, versions]`, as a list of the versions shows them.
 */
async function runEach(...stories: readonly (readonly [Account, readonly Step[]])[]): Promise<Outcome[][]> {
  const runs: Run[] = [];
  for (const [account, steps] of stories) {
    const variables = await account.open();
    for (const [command, files = {}] of steps) {
      runs.push({ command: `${command} --stage live`, files: files as Record<string, string>, variables });
      runs.push({ command: 'versions --stage live', variables });
    }
  }
  const results = await runAll(project, runs);
  return stories.map(([account, steps]) => {
    account.close();
    return steps.map(() => {
      const [run, list] = results.splice(0, 2) as [Result, Result];
      const rows = list.printed.matchAll(/^(\d+)(?: \(current\))? +20/gm);
      const current = /reach version (\d+)/.exec(list.printed)?.[1];
      return { ...run, state: [run.code, current, Array.from(rows, ([, number]) => number).join()] };
    });
  });
}

const deployed = (parameters: object, code?: string): readonly [string, object] => [
  'deploy',
  { ...stagesFile({ live: { ...TABLE, ...parameters } }), ...(code !== undefined && { 'dist/api.mjs': code }) },
];

const DENIED: Refusal = [403, 'AccessDeniedException', 'You are not authorized to perform: lambda:GetAlias'];

describe('deployments and rollbacks', () => {
  let [steps, failed, repeated, unread, byRole, atDomain, many, unknown]: Outcome[][] = [];
  beforeAll(async () => {
    const [failing, refusing, closed, full, unreadable] = Array.from({ length: 5 }, () => new Account()) as Accounts;
    failing.publish({});
    failing.ends.push('undone');
    refusing.ends.push('well', 'refused', 'undone');
    for (let version = 0; version < 12; version += 1) full.publish({ TABLE_NAME: 'items-live', LOG_LEVEL: 'info' });
    unreadable.refused = [`GET ${FUNCTION}/aliases/current`, DENIED];
    closed.refused = ['GetTemplate', [403, 'AccessDenied', 'not authorized to perform: cloudformation:GetTemplate']];
    [steps, failed, repeated, unread, byRole, atDomain, many, unknown] = await runEach(
      [
        new Account(),
        [
          deployed({}),
          deployed({ logLevel: 'warn' }),
          deployed({ logLevel: 'warn', dashboard: true }),
          ['versions --to 1'],
          deployed({ logLevel: 'warn', alarmEmail: 'me@example.com' }),
          ['versions --to 2'],
          deployed({ logLevel: 'warn' }, '// changed'),
          deployed({ corsOrigins: '*' }, '// changed'),
          ['versions --to 3'],
          ['versions --to 3 --force'],
          ['deploy function --function api'],
          ['rollback'],
          ['rollback function --function api --function-version 1'],
        ],
      ],
      [failing, [deployed({}, '// failed'), deployed({}, '// failed')]],
      [refusing, ['', '// new', '// new', '// new', '// new'].map((code) => deployed({ frontDoor: 'http' }, code))],
      [closed, [deployed({ frontDoor: 'http' }, ''), deployed({ frontDoor: 'http' }, '')]],
      [new Account(), ['', ''].map((code) => deployed({ ...PIPELINE, frontDoor: 'http' }, code))],
      [
        new Account(),
        [
          deployed({}, ''),
          deployed(DOMAIN),
          deployed({ ...DOMAIN, frontDoor: 'http', defaultAddress: false }),
          deployed({}),
        ],
      ],
      [full, [deployed({})]],
      [unreadable, [deployed({})]],
    );
  });

  it.each([
    [0, 'the first deployment makes a version', 0, '1', '1'],
    [1, 'another variable makes a second one, which callers reach', 0, '2', '2,1'],
    [2, 'a deployment of the same code and variables makes none', 0, '2', '2,1'],
    [3, 'a rollback lets callers reach the former one', 0, '1', '2,1'],
    [4, 'a deployment of the same code and variables leaves callers there, and fails', 1, '1', '2,1'],
    [5, 'callers can be moved to what is deployed', 0, '2', '2,1'],
    [6, 'other code makes a version', 0, '3', '3,2,1'],
    [7, 'other variables make a version', 0, '4', '4,3,2,1'],
    [8, 'a rollback past another variable is refused', 1, '4', '4,3,2,1'],
    [9, 'unless it is forced', 0, '3', '4,3,2,1'],
    [10, '`serverless deploy function` is refused', 1, '3', '4,3,2,1'],
    [11, '`serverless rollback` is refused', 1, '3', '4,3,2,1'],
    [12, '`serverless rollback function` is refused', 1, '3', '4,3,2,1'],
  ])('step %i: %s', (step, _what, ...state) => {
    expect(steps?.[step]?.state).toEqual(state);
  });

  it('a deployment that leaves callers at another version says so in its last line, with what to type', () => {
    const lines = (steps ?? []).map(({ printed }) => printed.trim().split('\n').at(-1));
    expect(lines[4]).toBe(
      'Callers still reach version 1, to which a rollback has moved them. To let them reach what is deployed: npm run rollback -- --stage live --to 2',
    );
    for (const step of [0, 1, 2, 6, 7]) expect(lines[step]).not.toContain('still reach');
  });

  it.each([
    [10, 'Deploy the stage: npm run deploy -- --stage live'],
    [11, 'To go back: npm run rollback -- --stage live'],
    [12, 'To go back: npm run rollback -- --stage live'],
  ])('what is refused in step %i says what to type: %s', (step, command) => {
    expect(steps?.[step]?.printed).toContain(command);
  });

  it('`npm run rollback` is that command', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).scripts.rollback).toMatch(/&& serverless versions$/);
  });
  it('a deployment that failed can be repeated: the version that it made is gone', () => {
    expect(failed?.map(({ state }) => state)).toEqual([
      [1, '1', '1'],
      [0, '3', '3,1'],
    ]);
  });

  it('a deployment that was refused or failed can be repeated, although its uploads are there; one that changes nothing is skipped', () => {
    expect(repeated?.map(({ state }) => state)).toEqual([
      [0, '1', '1'],
      [1, '1', '1'],
      [1, '1', '1'],
      [0, '3', '3,1'],
      [0, '3', '3,1'],
    ]);
    const isSkipped = repeated?.map(({ printed }) => printed.includes('Deployment skipped'));
    expect(isSkipped).toEqual([false, false, false, false, true]);
  });

  it.each([
    ['the stack can not be read', () => unread],
    ['CloudFormation acts as a role', () => byRole],
  ])('no deployment is skipped where %s', (_where, outcomes) => {
    expect(outcomes()?.map(({ code, printed }) => [code, printed.includes('Deployment skipped')])).toEqual([
      [0, false],
      [0, false],
    ]);
  });

  it('a deployment that adds, closes the other address of, or removes a domain makes no version, so the instances stay', () => {
    expect(atDomain?.map(({ state }) => state)).toEqual(Array(4).fill([0, '1', '1']));
  });

  it('a deployment keeps the version that callers reach, and the ten latest others', () => {
    expect(many?.map(({ state }) => state)).toEqual([[0, '13', '13,12,11,10,9,8,7,6,5,4,3']]);
  });

  it('a deployment says so if it is unknown which version callers reach', () => {
    expect(unknown).toMatchObject([
      { code: 1, printed: expect.stringMatching(/The stack is deployed, but .*GetAlias/) },
    ]);
  });
});
