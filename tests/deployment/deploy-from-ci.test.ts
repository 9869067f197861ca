import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import { openShell } from '../support/guide-shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { allows, LIVE, makePipeline } from './pipeline.js';
import { PIPELINE } from './stages.js';

interface Job {
  readonly needs?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly id?: string; readonly run?: string }[];
}

const guide = readFileSync('docs/deploy-from-ci.md', 'utf8');
/** Where commands of the guide run. */
const folder = temporaryFolder();
const { Resources } = makePipeline();

describe('the workflow that deploys', () => {
  const [, text = ''] = /^```yaml\n(.*?)^```/ms.exec(guide) ?? [];
  const workflow = parseYaml(text);
  const pinned = (action: string) => ({ uses: expect.stringMatching(new RegExp(`^${action}@[\\da-f]{40}$`)) });
  const prepared = [
    { ...pinned('actions/checkout'), with: { 'persist-credentials': false } },
    { ...pinned('actions/setup-node'), with: { 'node-version-file': '.nvmrc' } },
  ];

  const { test, staging, review, live, ...others } = (workflow as { jobs: Record<string, Job> }).jobs;
  /** What a job begins with that has a role. */
  const asRole = (role: string) => [
    ...prepared,
    { run: 'npm ci --omit=dev --ignore-scripts' },
    {
      ...pinned('aws-actions/configure-aws-credentials'),
      with: {
        'role-to-assume': `arn:aws:iam::\${{ env.ACCOUNT }}:role/${role}-${name}-\${{ env.STAGE }}`,
        'aws-region': `\${{ env.REGION }}`,
      },
    },
  ];

  it('tests in a job that can get no role, then deploys to staging, and to live only after that was tried and the changes were shown', () => {
    expect(workflow).toHaveProperty('permissions', {});
    expect(test).toEqual({
      'runs-on': 'ubuntu-24.04',
      'timeout-minutes': 15,
      permissions: { contents: 'read' },
      steps: [...prepared, { run: 'npm ci' }, { run: 'npm test' }],
    });
    expect([staging?.needs, review?.needs, live?.needs, others]).toEqual(['test', 'staging', 'review', {}]);
    for (const [stage, job] of Object.entries({ staging, live }))
      expect(job).toMatchObject({
        environment: stage,
        env: { STAGE: stage, ACCOUNT: '123456789012', REGION: 'eu-central-1' },
        permissions: { contents: 'read', 'id-token': 'write' },
        'timeout-minutes': 60,
        // Another group for each: a run that waits for an approval would hold one for both.
        concurrency: { group: `deploy-${stage}`, 'cancel-in-progress': false },
      });
    expect(text).not.toMatch(/secret/i);
  });

  it.each([
    ['staging', staging],
    ['live', live],
  ])(
    'runs nothing else in the job with the role of %s, which looks for the table before, and tries the stage after',
    (_stage, job) => {
      expect(job?.steps).toEqual([
        ...asRole('pipeline'),
        // A stage whose table is missing deploys without a word.
        { run: expect.stringMatching(/^aws dynamodb describe-table .*--table-name "items-\$STAGE" /) },
        { id: 'before', run: expect.stringContaining('aws lambda get-alias') },
        { run: 'npm run deploy -- --stage "$STAGE"' },
        {
          id: 'smoke',
          run: expect.stringMatching(/^exec npm run smoke -- "\$\(aws cloudformation describe-stacks .*PageUrl/),
        },
        {
          if: "failure() && steps.smoke.outcome == 'failure'",
          env: { BEFORE: `\${{ steps.before.outputs.version }}` },
          run: expect.any(String),
        },
      ]);
    },
  );

  it('shows what would change in live before anybody approves it, in a job that may only read and waits for nobody', () => {
    expect(review).toEqual({
      needs: 'staging',
      'runs-on': 'ubuntu-24.04',
      'timeout-minutes': 15,
      permissions: { contents: 'read', 'id-token': 'write' },
      env: live?.env,
      steps: [...asRole('review'), { run: 'npm run diff -- --stage "$STAGE"' }],
    });
  });

  it('assumes roles that pipeline.yml makes', () => {
    const names = Object.values(Resources).flatMap(({ Properties }) => Properties.RoleName ?? []);
    for (const role of ['pipeline', 'review']) expect(names).toContain(`${role}-${name}-live`);
  });

  it.each([
    ['7', '8', 'To go back: npm run rollback -- --stage live --to 7\n'],
    ['8', '8', ''],
    // The first deployment.
    ['none', '1', ''],
  ])(
    'prints how to go back if the trial fails and callers were moved: from version %s to %s',
    async (before, after, printed) => {
      const steps = live?.steps ?? [];
      const [home, output] = [mkdtempSync(join(folder, 'home-')), 'output'];
      const shell = (version: string) => {
        const standIns = { aws: `#!/bin/sh\n${version === 'none' ? 'exit 254' : `echo ${version}`}\n` };
        return openShell(mkdtempSync(join(home, version)), {
          standIns,
          variables: { STAGE: 'live', REGION: 'eu-central-1', GITHUB_OUTPUT: join(home, output), BEFORE: before },
        });
      };
      await shell(before)(steps.find(({ id }) => id === 'before')?.run ?? '');
      expect(readFileSync(join(home, output), 'utf8')).toBe(`version=${before}\n`);
      expect(await shell(after)(steps.at(-1)?.run ?? '')).toBe(printed);
    },
  );

  it('runs for the branch main alone', () => {
    expect(workflow).toMatchObject({ on: { push: { branches: ['main'] } } });
    expect(Object.keys(Object(workflow)).sort()).toEqual(['jobs', 'name', 'on', 'permissions']);
    expect(Object.keys(Object(Object(workflow).on))).toEqual(['push']);
  });
});

describe("the guide's commands", () => {
  it('make a stack for each stage, with parameters that it takes, protect it, and print the lines of stages.yml', async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    mkdirSync(join(home, 'serverless'));
    cpSync('serverless/pipeline.yml', join(home, 'serverless/pipeline.yml'));
    const [, script = ''] = /^```sh\n(aws cloudformation deploy.*?)^```/ms.exec(guide) ?? [];
    const record = join(home, 'record');
    await openShell(home, { standIns: { aws: `#!/bin/sh\necho "$*" >> '${record}'\n` } })(script);
    const calls = readFileSync(record, 'utf8').trim().split('\n');
    const deployed = calls.flatMap((call) => {
      const [, stack = '', parameters = ''] =
        /^cloudformation deploy .*--stack-name (\S+) .*--parameter-overrides (.*)$/.exec(call) ?? [];
      return stack ? [[stack, Object.fromEntries(parameters.split(' ').map((one) => one.split('=')))] as const] : [];
    });
    const given = { Repository: LIVE.Repository };
    expect(deployed).toEqual([
      ['pipeline-staging', { ...given, Stage: 'staging', Table: 'items-staging', MakeProvider: 'true' }],
      ['pipeline-live', { ...given, Stage: 'live', Table: 'items-live' }],
    ]);
    for (const [, parameters] of deployed) expect(makePipeline(parameters).Resources.PipelineRole).toBeDefined();
    for (const stack of ['pipeline-staging', 'pipeline-live'])
      expect(calls).toEqual(
        expect.arrayContaining([
          expect.stringMatching(
            new RegExp(`update-termination-protection .*${stack} --enable-termination-protection$`),
          ),
        ]),
      );
  });

  it('are followed by what is printed then', () => {
    const [, yaml = ''] = /^```yml\n( .*?)^```/ms.exec(guide) ?? [];
    expect(parseYaml(`live:\n${yaml}`)).toEqual({ live: PIPELINE });
  });

  it('name all parameters of pipeline.yml', () => {
    const { Parameters } = parseYaml(readFileSync('serverless/pipeline.yml', 'utf8')) as { Parameters: object };
    const rows = Array.from(guide.matchAll(/^\| `(\w+)` /gm), ([, parameter]) => parameter);
    expect([...rows, 'Repository', 'Stage'].sort()).toEqual(Object.keys(Parameters).sort());
  });
});

it("the guide's policy for a person lets them move callers, and nothing else", () => {
  const { Statement } = JSON.parse(/^```json\n(.*?)^```/ms.exec(guide)?.[1] ?? '');
  const api = `arn:aws:lambda:eu-central-1:123456789012:function:${name}-live-api`;
  const rights = [
    ['lambda:ListVersionsByFunction', api],
    ['lambda:GetAlias', `${api}:current`],
    ['lambda:UpdateAlias', `${api}:current`],
  ] as const;
  expect(rights.filter((right) => !allows(Statement, right))).toEqual([]);
  expect(Statement).toHaveLength(1);
  expect(Statement[0].Action).toHaveLength(rights.length);
});
