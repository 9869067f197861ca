import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Deployed, Stack } from '../../serverless/changes/deployed-stack.js';
import { obstaclesTo } from '../../serverless/changes/obstacles.js';
import { Account, type Refusal } from './account.js';
import { DOMAIN, PIPELINE } from './stages.js';
import { committedTemplate } from './templates.js';
import { changed } from './updates.js';

const DENIED: Refusal = [403, 'AccessDeniedException', 'not authorized'];
const NONE = { Ref: 'AWS::NoValue' };
const LAMBDA = 'ApiLambdaFunction.Properties';
const [RESERVED, TABLE] = [`${LAMBDA}.ReservedConcurrentExecutions`, `${LAMBDA}.Environment.Variables.TABLE_NAME`];

/** A stage as it would be packaged. */
const stack = (changes: object = {}): Stack => ({
  template: changed(committedTemplate('rest-memory'), changes),
  role: undefined,
});
const MEMORY = stack();
const WITH_TABLE = stack({ [RESERVED]: NONE, [TABLE]: 'items-live' });
const WITH_NUMBER = stack({ [RESERVED]: 50, [TABLE]: 'items-live' });
const deployed = (of: Stack, status = 'UPDATE_COMPLETE'): Deployed => ({ ...of, status });

describe('before a deployment, it is known what would fail', () => {
  let account: Account;
  let endpoint = '';
  beforeEach(async () => {
    account = new Account();
    ({ AWS_ENDPOINT_URL: endpoint = '' } = await account.open());
    jest.replaceProperty(process, 'env', { ...process.env, AWS_ENDPOINT_URL: endpoint });
  });
  afterEach(() => {
    account.close();
    jest.restoreAllMocks();
  });

  /** What is found before a stage is deployed: the first time, or in place of another one. */
  function obstacles(packaged: Stack, before?: Deployed, account = async () => '123456789012'): Promise<string[]> {
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const config = { region: 'eu-central-1', endpoint, credentials };
    return obstaclesTo({ stage: 'live', region: 'eu-central-1', deployed: before, packaged, config, account });
  }

  const elsewhere = async () => '999999999999';
  const none = (quota: number, kept: number, free: number, wanted: number) =>
    `The stage reserves ${wanted} of the ${quota} instances that this account may run at once in eu-central-1, but AWS keeps ${kept} for functions that reserve none, so ${free || 'none'} can be had.`;

  it.each<[quota: number, unreserved: number, what: string, packaged: Stack, reason: string | undefined]>([
    [10, 10, 'in memory', MEMORY, none(10, 10, 0, 1)],
    [10, 10, 'with a table', WITH_TABLE, undefined],
    [10, 10, 'with a number', WITH_NUMBER, none(10, 10, 0, 50)],
    [10, 10, 'that stops', stack({ [RESERVED]: 0 }), undefined],
    [50, 50, 'in memory', MEMORY, none(50, 50, 0, 1)],
    [1000, 1000, 'in memory', MEMORY, undefined],
    [1000, 1000, 'with a table', WITH_TABLE, undefined],
    [1000, 1000, 'with a number', WITH_NUMBER, undefined],
    [1000, 150, 'with a number', WITH_NUMBER, undefined],
    [1000, 149, 'with a number', WITH_NUMBER, none(1000, 100, 49, 50)],
    [1000, 100, 'in memory', MEMORY, none(1000, 100, 0, 1)],
  ])('with a quota of %i, %i of it unreserved, for a stage %s', async (all, unreserved, _what, packaged, reason) => {
    account.quota = [all, unreserved];
    expect(await obstacles(packaged)).toEqual(reason ? [expect.stringContaining(reason)] : []);
  });

  it('with the lines to add, which say what the stage then is', async () => {
    account.quota = [10, 10];
    const [inMemory] = await obstacles(MEMORY);
    expect(inMemory).toContain('\nlive:\n  table: items-live\n');
    expect(inMemory).toMatch(/each instance has a list of its own[^\n]*:\n\nlive:\n {2}reservedConcurrency: none\n/);
    const [withNumber] = await obstacles(WITH_NUMBER);
    expect(withNumber).toMatch(/Reserve no more, .*:\n\nlive:\n {2}reservedConcurrency: none\n$/s);
  });

  it('without the right to ask Lambda, a deployment goes on', async () => {
    account.quota = [10, 10];
    account.refused = ['GET /2016-08-19/account-settings', DENIED];
    expect(await obstacles(MEMORY)).toEqual([]);
  });

  it('what the function has reserved already counts as free', async () => {
    account.publish({});
    account.quota = [200, 130];
    account.reserved = 20;
    expect(await obstacles(WITH_NUMBER, deployed(WITH_TABLE))).toEqual([]);
    account.reserved = 19;
    expect(await obstacles(WITH_NUMBER, deployed(WITH_TABLE))).toEqual([expect.stringContaining('49 can be had')]);
    // It may keep what it has, and less.
    [account.quota, account.reserved] = [[50, 0], 50];
    expect(await obstacles(WITH_NUMBER, deployed(WITH_TABLE))).toEqual([]);
  });

  it('a reservation that stays is no question, because CloudFormation leaves it alone', async () => {
    account.quota = [10, 10];
    expect(await obstacles(MEMORY, deployed(MEMORY))).toEqual([]);
  });

  it('a table that is not there is named, with the command that makes it; one that stays is no question', async () => {
    account.missingTables.push('items-live');
    const [obstacle] = await obstacles(WITH_TABLE);
    expect(obstacle).toContain('There is no table items-live in eu-central-1, so each request would return 503.');
    expect(obstacle).toContain('--stack-name items-live --template-file serverless/dynamodb-table.yml');
    expect(await obstacles(WITH_TABLE, deployed(MEMORY))).toEqual([obstacle]);
    expect(await obstacles(WITH_TABLE, deployed(WITH_TABLE))).toEqual([]);
    account.refused = ['DescribeTable', DENIED];
    expect(await obstacles(WITH_TABLE)).toEqual([]);
  });

  it.each<[parameter: string, packaged: Stack, value: string]>([
    [
      'certificate',
      stack({
        Domain: { Type: '', Properties: { DomainNameConfigurations: [{ CertificateArn: DOMAIN.certificate }] } },
      }),
      DOMAIN.certificate,
    ],
    ['functionRole', stack({ [`${LAMBDA}.Role`]: PIPELINE.functionRole }), PIPELINE.functionRole],
    ['deploymentRole', { ...stack(), role: PIPELINE.deploymentRole }, PIPELINE.deploymentRole],
    [
      'permissionsBoundary',
      stack({ 'ApiRole.Properties.PermissionsBoundary': 'arn:aws:iam::123456789012:policy/b' }),
      'arn:aws:iam::123456789012:policy/b',
    ],
  ])('%s of another account', async (parameter, packaged, value) => {
    expect(value).toContain('123456789012');
    expect(await obstacles(packaged)).toEqual([]);
    const foreign = `${parameter} is of the account 123456789012, but you have signed in to 999999999999.`;
    expect(await obstacles(packaged, undefined, elsewhere)).toEqual([expect.stringContaining(foreign)]);
    expect(await obstacles(packaged, deployed(packaged), elsewhere)).toEqual([]);
  });

  it("a boundary of AWS's own is of no other account", async () => {
    const packaged = stack({ 'ApiRole.Properties.PermissionsBoundary': 'arn:aws:iam::aws:policy/PowerUserAccess' });
    expect(await obstacles(packaged)).toEqual([]);
  });

  it.each([
    ['UPDATE_IN_PROGRESS', 'Wait until it has finished.'],
    ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'Wait until it has finished.'],
    ['UPDATE_ROLLBACK_FAILED', 'Let CloudFormation go on (docs/deploy.md#a-deployment-that-fails).'],
    ['ROLLBACK_COMPLETE', 'npx serverless remove --stage live'],
    ['CREATE_FAILED', 'npx serverless remove --stage live'],
    ['DELETE_FAILED', 'npx serverless remove --stage live'],
  ])('a stack in the state %s', async (status, cure) => {
    const [obstacle, ...others] = await obstacles(MEMORY, deployed(MEMORY, status));
    expect([obstacle, others]).toEqual([expect.stringContaining(cure), []]);
    expect(obstacle).toContain(status);
  });

  it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'IMPORT_COMPLETE'])(
    'no stack in the state %s',
    async (status) => expect(await obstacles(MEMORY, deployed(MEMORY, status))).toEqual([]),
  );

  it('nothing, where AWS does not answer: the deployment itself will show it', async () => {
    account.close();
    endpoint = 'http://127.0.0.1:9';
    jest.replaceProperty(process, 'env', { ...process.env, AWS_ENDPOINT_URL: endpoint });
    const role = PIPELINE.deploymentRole;
    const noAccount = () => Promise.reject(new Error('no answer'));
    expect(await obstacles({ ...stack({ [TABLE]: 'items-live' }), role }, undefined, noAccount)).toEqual([]);
  });
});
