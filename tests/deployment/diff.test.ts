import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import { readStack } from '../../serverless/changes/deployed-stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Account, type Refusal } from './account.js';
import { copyForPackaging, type Result, type Run, runAll, stagesFile } from './packaging.js';
import { PIPELINE } from './stages.js';

const SHOP = { region: 'eu-central-1', table: 'items-live', tokenIssuer: 'none', frontDoor: 'http' };
const MEMORY = { ...SHOP, table: 'none' };
const DENIED: Refusal = [403, 'AccessDenied', 'You are not authorized to perform: cloudformation:GetTemplate'];
const project = copyForPackaging(temporaryFolder());

/** A command for the stage `live`, its parameters, and its code. */
type Step = readonly [command: string, stage: object, code?: string];
type Outcome = Result & { readonly uploads: number };

/** Runs commands in an account, and returns how each ended, and how many files were uploaded by then. */
async function runIn(account: Account, ...steps: readonly Step[]): Promise<Outcome[]> {
  const variables = await account.open();
  const outcomes: Outcome[] = [];
  for (const [command, stage, code = ''] of steps) {
    const files = { ...stagesFile({ live: stage }), 'dist/api.mjs': code };
    const [result] = await runAll(project, [{ command: `${command} --stage live`, files, variables } satisfies Run]);
    outcomes.push({ ...(result as Result), uploads: account.uploads });
  }
  account.close();
  return outcomes;
}

/** What Serverless Framework itself prints, and AWS's SDK on Node.js 20. */
const ITS_OWN =
  /^(Packaging|Deploying|Environment:|Docs:|✔|×|functions:|endpoint|No changes| {2}api:| {2}\w+: http|\(|versions |will require|To continue|and security|More info|$)/;

/** What is said by us, without the empty lines. */
const said = ({ printed }: Outcome) => printed.split('\n').filter((line) => !ITS_OWN.test(line));

describe('npm run diff, and npm run deploy before it uploads anything', () => {
  let [told, denied, undone, crowded]: Outcome[][] = [];
  beforeAll(async () => {
    const [unreadable, failing, small] = [new Account(), new Account(), new Account()];
    unreadable.refused = ['GetTemplate', DENIED];
    failing.ends.push('well', 'undone');
    small.quota = [10, 10];
    told = await runIn(
      new Account(),
      ['changes', SHOP],
      ['deploy', SHOP],
      ['changes', SHOP],
      ['changes --fail-on-warning', SHOP, '// new'],
      ['changes', MEMORY, '// new'],
      ['changes --fail-on-warning', MEMORY, '// new'],
      ['deploy --fail-on-warning', MEMORY, '// new'],
      ['deploy', MEMORY, '// new'],
      ['deploy --fail-on-warning', MEMORY, '// new'],
      ['changes --verbose', { ...MEMORY, logRetention: 30 }, '// new'],
    );
    denied = await runIn(
      unreadable,
      ['deploy', SHOP],
      ['changes', SHOP],
      ['deploy --fail-on-warning', SHOP],
      ['deploy', SHOP, '// new'],
    );
    undone = await runIn(
      failing,
      ['deploy', SHOP],
      ['deploy', SHOP, '// new'],
      ['changes', SHOP, '// new'],
      ['changes --fail-on-warning', SHOP, '// new'],
      ['deploy --fail-on-warning', SHOP, '// new'],
      ['deploy', SHOP, '// new'],
    );
    crowded = await runIn(small, ['changes', MEMORY], ['changes --fail-on-warning', MEMORY], ['deploy', MEMORY]);
  });

  it('change nothing where they only say something', () => {
    const uploads = told?.map((outcome) => outcome.uploads) ?? [];
    const [first = 0] = uploads.filter((count) => count > 0);
    expect(uploads).toEqual([0, first, first, first, first, first, first, 2 * first, 2 * first, 2 * first]);
  });

  it.each<[step: number, code: number, what: string, lines: readonly string[]]>([
    [
      0,
      0,
      'of a stage that is not there',
      ['Nothing of live is deployed in eu-central-1 yet, so everything would be new.'],
    ],
    [
      1,
      0,
      'the same before the first deployment',
      ['Nothing of live is deployed in eu-central-1 yet, so everything would be new.'],
    ],
    [2, 0, 'that nothing differs', ['A deployment would change nothing of live.']],
    [
      3,
      0,
      'just that the code is new',
      [
        'A deployment would change live:',
        '  The code is new. A new version takes the requests.',
        "Of CloudFormation's resources, 1 changes: --verbose lists it.",
      ],
    ],
    [4, 0, 'what warns', MEMORY_LINES()],
    [5, 2, 'the same with another exit code, if asked to', MEMORY_LINES()],
    [
      6,
      2,
      'the same before a deployment, and stop it, if asked to',
      [...MEMORY_LINES(), 'Error:', 'Nothing was deployed, because a line warns and --fail-on-warning was given.'],
    ],
    [7, 0, 'the same before a deployment', MEMORY_LINES()],
    [8, 0, 'that nothing differs, which stops none', ['A deployment would change nothing of live.']],
  ])('in step %i, exit code %i, they say %s', (step, code, _what, lines) => {
    const outcome = told?.[step] as Outcome;
    expect(said(outcome)).toEqual(lines);
    expect(outcome.code).toBe(code);
  });

  it('list the resources that change, if asked to', () => {
    expect(said(told?.[9] as Outcome)).toEqual(
      expect.arrayContaining([
        "Of CloudFormation's resources, 1 changes:",
        '~ ApiLogGroup (AWS::Logs::LogGroup): RetentionInDays',
      ]),
    );
  });

  const unknown = 'A right is missing: You are not authorized to perform: cloudformation:GetTemplate';

  it('name the right that is missing: the one fails, and the other deploys all the same, unless it should stop', () => {
    const [first, diff, stopped, deploy] = denied as [Outcome, Outcome, Outcome, Outcome];
    expect(first.code).toBe(0);
    expect([diff.code, said(diff)]).toEqual([1, ['Error:', unknown]]);
    expect([stopped.code, said(stopped)]).toEqual([1, ['Error:', unknown]]);
    expect([deploy.code, said(deploy)]).toEqual([0, [`! What this deployment changes is unknown. ${unknown}`]]);
    expect([diff.uploads, stopped.uploads, deploy.uploads]).toEqual([first.uploads, first.uploads, 2 * first.uploads]);
  });

  it('compare nothing after a deployment that failed, whichever template CloudFormation then returns', () => {
    const [, failed, diff, warned, stopped, deployed] = undone?.map(({ code }) => code) ?? [];
    expect([failed, diff, warned, stopped, deployed]).toEqual([1, 0, 2, 2, 0]);
    for (const step of [2, 3, 4, 5])
      expect(said(undone?.[step] as Outcome)[0]).toBe(
        '! What a deployment would change of live is unknown, because its stack is in the state UPDATE_ROLLBACK_COMPLETE (docs/deploy.md#a-deployment-that-fails).',
      );
  });

  it('say what would fail, which ends a deployment before anything is uploaded', () => {
    const reason = 'The stage reserves 1 of the 10 instances that this account may run at once in eu-central-1';
    const [diff, warned, deploy] = crowded as [Outcome, Outcome, Outcome];
    expect([diff.code, warned.code, deploy.code]).toEqual([0, 2, 1]);
    for (const { printed, uploads } of [diff, warned])
      expect([printed, uploads]).toEqual([
        expect.stringContaining(`! It would end before anything is uploaded. ${reason}`),
        0,
      ]);
    expect([deploy.printed, deploy.uploads]).toEqual([expect.stringContaining(`Error:\n${reason}`), 0]);
  });

  it('say that there are no credentials', async () => {
    const [result] = await runAll(project, [{ command: 'changes --stage live', files: stagesFile({ live: SHOP }) }]);
    expect([result?.code, result?.printed]).toEqual([
      1,
      expect.stringContaining('Error:\nAWS provider credentials not found.'),
    ]);
  });

  it('are those commands', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect([scripts.diff, scripts.deploy]).toEqual([
      expect.stringMatching(/&& serverless changes$/),
      expect.stringMatching(/&& serverless deploy$/),
    ]);
  });
});

/** Of a stage that goes from a table to memory, with other code. */
function MEMORY_LINES(): string[] {
  return [
    'A deployment would change live:',
    "! Items are in memory from now on, and lost with the function's instance. Those in the table items-live stay there, unseen.",
    '! The limit of instances is 1 (before: none).',
    '  The code is new. A new version takes the requests.',
    "Of CloudFormation's resources, 3 change: --verbose lists them.",
  ];
}

describe('a stack is read', () => {
  async function read(account: Account, ...steps: readonly Step[]) {
    await runIn(account, ...steps);
    const { AWS_ENDPOINT_URL: endpoint = '' } = await account.open();
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const config = { region: 'eu-central-1', endpoint, credentials };
    return await readStack(config, `${name}-live`).finally(() => account.close());
  }

  it('as none, if there is none', async () => {
    expect(await read(new Account())).toBeUndefined();
  });

  it('as none, if only a change set has made it', async () => {
    const account = new Account();
    account.reviewed = true;
    expect(await read(account)).toBeUndefined();
  });

  it('and a right that is missing is thrown', async () => {
    const account = new Account();
    account.refused = ['GetTemplate', DENIED];
    await expect(read(account, ['deploy', SHOP])).rejects.toThrow('cloudformation:GetTemplate');
  });

  it('and so is any other error, also if it says that something does not exist', async () => {
    const account = new Account();
    account.refused = ['DescribeStacks', [403, 'InvalidClientTokenId', 'The key does not exist']];
    await expect(read(account)).rejects.toThrow('The key does not exist');
  });

  it('without its template after a deployment that failed', async () => {
    const account = new Account();
    account.ends.push('undone');
    expect(await read(account, ['deploy', SHOP])).toEqual({ status: 'UPDATE_ROLLBACK_COMPLETE' });
  });

  it('with its role, which stays with it', async () => {
    const withRole = { ...SHOP, ...PIPELINE };
    const stack = await read(new Account(), ['deploy', withRole]);
    expect(stack).toMatchObject({ role: PIPELINE.deploymentRole, template: { Resources: { ApiLambdaFunction: {} } } });
  });
});
