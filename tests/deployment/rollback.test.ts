import { readFileSync } from 'node:fs';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import { type Asked, rollBack } from '../../serverless/rollback/rollback.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Account, type Refusal } from './account.js';
import { copyForPackaging, type Result, type Run, runAll, stagesFile } from './packaging.js';
import { DOMAIN } from './stages.js';

const FUNCTION = `${name}-live-api`;
const TABLE = { region: 'eu-central-1', table: 'items-live', tokenIssuer: 'none' };
const project = copyForPackaging(temporaryFolder());

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
  let [steps, failed, atDomain, many, unknown]: Outcome[][] = [];
  beforeAll(async () => {
    const [failing, full, unreadable] = [new Account(), new Account(), new Account()];
    failing.publish({});
    failing.failures = 1;
    for (let version = 0; version < 12; version += 1) full.publish({ TABLE_NAME: 'items-live', LOG_LEVEL: 'info' });
    unreadable.refused = [`GET ${FUNCTION}/aliases/current`, DENIED];
    [steps, failed, atDomain, many, unknown] = await runEach(
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

describe('npm run rollback', () => {
  let account: Account;
  let lambda: LambdaClient;
  const MEMORY = { TABLE_NAME: '', LOG_LEVEL: 'info' };
  const ITEMS = { TABLE_NAME: 'items-live', LOG_LEVEL: 'info' };

  beforeEach(async () => {
    account = new Account();
    const { AWS_ENDPOINT_URL: endpoint = '' } = await account.open();
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    lambda = new LambdaClient({ region: 'eu-central-1', endpoint, credentials });
  });
  afterEach(() => {
    lambda.destroy();
    account.close();
  });

  /** What the command prints, or why it does nothing. */
  async function run(asked: Asked): Promise<string[]> {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    await rollBack({ lambda, name: FUNCTION, alias: 'current', stage: 'live' }, asked, print).catch((error) =>
      lines.push(`${error.name}: ${error.message}`),
    );
    return lines;
  }

  it('without --to lists the versions, with the names of the variables that differ, and changes nothing', async () => {
    for (const variables of [
      MEMORY,
      { ...ITEMS, TOKEN_ISSUER: 'https://login.example.com' },
      ITEMS,
      { ...ITEMS, LOG_LEVEL: 'warn' },
    ])
      account.publish(variables);
    expect(await run({})).toEqual([
      `Callers of ${FUNCTION} reach version 4.`,
      '',
      'Version         Deployed (UTC)    Variables beside those of the last deployment',
      '4 (current)     2026-11-24 18:40  the same',
      '3               2026-11-23 18:40  other LOG_LEVEL',
      '2               2026-11-22 18:40  other LOG_LEVEL, TOKEN_ISSUER',
      '1               2026-11-21 18:40  other LOG_LEVEL, TABLE_NAME',
      '',
      'To let callers reach another one: npm run rollback -- --stage live --to VERSION',
    ]);
    expect(account.changes).toEqual([]);
  });

  it('prints what docs/incidents.md shows', async () => {
    for (const LOG_LEVEL of ['warn', 'info', 'info']) account.publish({ ...ITEMS, LOG_LEVEL });
    const guide = readFileSync('docs/incidents.md', 'utf8');
    const blocks = Array.from(guide.matchAll(/^```text\n(.*?)\n```/gms), ([, text = '']) => text.split('\n'));
    const shown = (beginning: string) => blocks.find(([first = '']) => first.startsWith(beginning)) ?? [];
    const list = await run({});
    expect(shown('Callers of')).toEqual(list.slice(0, -2));
    const moved = await run({ to: '2' });
    expect(shown('New requests')).toEqual([moved[0], '…', moved.at(-1)]);
  });

  it('with --to lets callers reach just that version, and says how to undo it; twice is the same as once', async () => {
    for (const LOG_LEVEL of ['info', 'info', 'warn']) account.publish({ ...ITEMS, LOG_LEVEL });
    expect(await run({ to: '2' })).toEqual([
      'New requests reach version 2. Those under way end in version 3.',
      'What the former code does to later items: docs/later-changes.md#a-revert',
      'To undo it: npm run rollback -- --stage live --to 3',
    ]);
    expect(await run({ to: '2' })).toEqual(['Callers reach version 2 already.']);
    expect(account.current).toBe('2');
    expect(account.changes).toEqual([`PUT ${FUNCTION}/aliases/current`]);
  });

  it.each([
    'TOKEN_ISSUER',
    'TOKEN_AUDIENCE',
    'LIST_BY',
    'TOKEN_READ_SCOPE',
    'TOKEN_WRITE_SCOPE',
    'CORS_ORIGINS',
    'TABLE_NAME',
  ])(
    'refuses a version with another %s, which could let others in or find no table, unless it is forced',
    async (variable) => {
      account.publish({ ...ITEMS, [variable]: 'former' });
      account.publish(ITEMS);
      const [refusal] = await run({ to: '1' });
      expect(refusal).toMatch(
        new RegExp(`^Error: Version 1 has other variables than the last deployment: ${variable}\\. .*--force`),
      );
      expect(account.current).toBe('2');
      expect((await run({ to: '1', force: true })).at(-1)).toBe('To undo it: npm run rollback -- --stage live --to 2');
      expect(account.current).toBe('1');
    },
  );

  it('compares with the last deployment, which has made the front door: also from a version that was forced', async () => {
    for (const CORS_ORIGINS of ['*', '*', '']) account.publish({ ...ITEMS, CORS_ORIGINS });
    await run({ to: '2', force: true });
    expect((await run({ to: '1' }))[0]).toContain('other variables than the last deployment: CORS_ORIGINS');
    expect((await run({ to: '3' })).at(-1)).toBe('To undo it: npm run rollback -- --stage live --to 2 --force');
    expect(account.current).toBe('3');
  });

  it.each([
    ['is', MEMORY, MEMORY, ["Items in memory: today's are lost, and former ones may come back."]],
    ['was', MEMORY, ITEMS, ["Items in memory: today's are lost, and former ones may come back."]],
    [
      'was in another table, and is',
      { TABLE_NAME: 'items' },
      ITEMS,
      ['Requests return 503 if the role may not use its table.'],
    ],
  ])(
    'says what becomes of the items if the collection %s in memory or elsewhere',
    async (_when, former, present, said) => {
      account.publish(former);
      account.publish(present);
      expect((await run({ to: '1', force: true })).slice(1, -2)).toEqual(said);
    },
  );

  it.each<[Asked, string]>([
    [{ to: '9' }, 'There is no version 9: Lambda keeps 2, 1.'],
    [{ to: 'latest' }, '--to takes the number of a version; got "latest".'],
    [{ to: '$LATEST' }, '--to takes the number of a version; got "$LATEST".'],
    [{ to: '' }, '--to takes the number of a version; got "".'],
    [{ to: '01' }, '--to takes the number of a version; got "01".'],
    [{ force: true }, '--force needs --to with the number of a version.'],
  ])('answers %j with a sentence: %s', async (asked, sentence) => {
    account.publish(ITEMS);
    account.publish(ITEMS);
    expect(await run(asked)).toEqual([`Error: ${sentence}`]);
    expect(account.changes).toEqual([]);
  });

  it('says that there is no other version', async () => {
    account.publish(ITEMS);
    expect((await run({})).at(-1)).toBe('There is no other version to go back to.');
  });

  it('says that there is no function, or that it has no alias yet', async () => {
    expect(await run({})).toEqual([`Error: There is no function ${FUNCTION} in this region of the account.`]);
    account.publish(ITEMS);
    account.current = undefined;
    expect(await run({})).toEqual([
      `Error: ${FUNCTION} has no alias "current": it was deployed before there were versions. Deploy it again.`,
    ]);
  });

  it.each<[string, Refusal, string]>([
    [
      'GET',
      [403, 'AccessDeniedException', 'no lambda:ListVersionsByFunction'],
      'A right is missing: no lambda:ListVersionsByFunction',
    ],
    ['PUT', [403, 'AccessDeniedException', 'no lambda:UpdateAlias'], 'A right is missing: no lambda:UpdateAlias'],
    [
      'GET',
      [403, 'ExpiredTokenException', 'It has expired'],
      "Lambda can't be asked (ExpiredTokenException): It has expired",
    ],
  ])('says what AWS answered to %s, and changes nothing: %j', async (request, refusal, sentence) => {
    account.publish(ITEMS);
    account.publish(ITEMS);
    account.refused = [request, refusal];
    expect(await run({ to: '1' })).toEqual([`Error: ${sentence}`]);
    expect(account.current).toBe('2');
  });

  it('says that AWS does not answer', async () => {
    account.close();
    expect((await run({}))[0]).toMatch(/^Error: Lambda can't be asked \(.*\): .*ECONNREFUSED/);
  });

  it('refuses where it may not read the variables, because it cannot compare them', async () => {
    account.publish(ITEMS);
    account.publish(ITEMS);
    account.hidesVariables = true;
    expect((await run({}))[3]).toContain('hidden from you');
    expect((await run({ to: '1' }))[0]).toMatch(
      /^Error: You have no right to see whether version 1 has other variables .*--force/,
    );
    expect(account.current).toBe('2');
  });

  it('does not undo what a deployment has done meanwhile', async () => {
    account.publish(ITEMS);
    account.publish(ITEMS);
    account.meanwhile = () => account.publish(ITEMS);
    expect(await run({ to: '1' })).toEqual([
      'Error: Meanwhile, a deployment or a person has let callers reach version 3.',
    ]);
    expect(account.current).toBe('3');
  });

  it('has succeeded if only the answer was lost', async () => {
    account.publish(ITEMS);
    account.publish(ITEMS);
    account.losesAnAnswer = true;
    expect((await run({ to: '1' }))[0]).toBe('New requests reach version 1. Those under way end in version 2.');
    expect(account.current).toBe('1');
  });
});
