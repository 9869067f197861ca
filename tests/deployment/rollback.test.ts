import { readFileSync } from 'node:fs';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import { type Asked, rollBack } from '../../serverless/rollback/rollback.js';
import { Account, type Refusal } from './account.js';

const FUNCTION = `${name}-live-api`;

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
      'Version         Deployed (UTC)    Beside the last deployment',
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

  it('refuses a version that runs as a former role, which may be gone, unless it is forced', async () => {
    account.publish(ITEMS, 'arn:aws:iam::123456789012:role/former');
    account.publish(ITEMS, 'arn:aws:iam::123456789012:role/function');
    expect((await run({})).find((line) => line.startsWith('1 '))).toMatch(/another role$/);
    expect(await run({ to: '1' })).toEqual([
      'Error: Version 1 runs as arn:aws:iam::123456789012:role/former, and the last deployment as arn:aws:iam::123456789012:role/function. If the former role is gone, the function fails. Revert the commit and deploy, or add --force.',
    ]);
    expect(account.current).toBe('2');
    expect((await run({ to: '1', force: true }))[0]).toContain('New requests reach version 1.');
  });

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
