import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AwsCall, deployTwice, EVERYTHING } from '../support/deployment/aws.js';
import { parseYaml } from '../support/deployment/deployment.js';
import { deriveTemplate } from '../support/deployment/derived-template.js';
import { deriveStatements, type Statement } from '../support/deployment/policy.js';
import type { Template } from '../support/deployment/template.js';

const POLICY = 'docs/deploy-policy.json';
const committed: { readonly Statement: readonly Statement[] } = JSON.parse(readFileSync(POLICY, 'utf8'));
let calls: readonly AwsCall[];
let everything: Template;
let base: Template;

beforeAll(async () => {
  ({ calls, everything, base } = await deployTwice());
});

describe('the policy for deploying', () => {
  it('grants the rights that deploying needs with each parameter, and nothing else', () => {
    const derived = { Version: '2012-10-17', Statement: deriveStatements(everything, calls) };
    // To renew it: DERIVE_POLICY=1 npx jest tests/deployment/deploy-from-ci
    if (process.env.DERIVE_POLICY) writeFileSync(POLICY, `${JSON.stringify(derived, null, 2)}\n`);
    else expect(committed).toEqual(derived);
  });

  it.each([
    ['alarmEmail', '', /^Alarm/],
    ['accessLog', 'false', /^AccessLog$/],
  ])('needs fewer statements if %s is "%s", as the guide says', async (name, value, left) => {
    const statements = committed.Statement.filter(({ Sid }) => !left.test(Sid));
    expect(statements.length).toBeLessThan(committed.Statement.length);
    const template = await deriveTemplate(base, { ...EVERYTHING, [name]: value });
    expect(deriveStatements(template, calls)).toEqual(statements);
  });

  it('names only resources of this service and stage, except for those whose names AWS chooses', () => {
    const wide = committed.Statement.filter(({ Resource }) =>
      Resource.some((arn) => !arn.includes('todo-item-service-live')),
    );
    expect(wide.map(({ Sid }) => Sid)).toEqual(['AlarmList', 'Gateway', 'GatewayTags', 'LogGroups', 'Template']);
    expect(JSON.stringify(committed)).not.toMatch(/"[a-z0-9]+:\*"/);
  });

  it('fits into a managed policy, which has 6,144 characters at most without white space', () => {
    expect(JSON.stringify(committed).length).toBeLessThan(6_144);
  });

  it('covers the calls that Serverless Framework makes for a new stack and for an existing one', () => {
    const actions = calls.map(([, action]) => action);
    expect(actions.filter((action) => action === 'cloudformation:ExecuteChangeSet')).toHaveLength(3);
    expect(actions).toEqual(expect.arrayContaining(['s3:PutObject', 's3:DeleteObject', 'apigateway:PUT']));
  });
});

describe('the workflow that deploys', () => {
  const guide = readFileSync('docs/deploy-from-ci.md', 'utf8');
  const [, text = ''] = /^```yaml\n(.*?)^```/ms.exec(guide) ?? [];
  const { permissions, jobs } = parseYaml(text) as { permissions: object; jobs: { deploy: Job } };
  const { environment, steps, permissions: own } = jobs.deploy;

  it('may ask for an OIDC token and read the repository, and nothing else', () => {
    expect([permissions, own]).toEqual([{}, { contents: 'read', 'id-token': 'write' }]);
  });

  it('pins actions by the commit, and assumes a role instead of keeping keys', () => {
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/@[\da-f]{40}$/);
    const login = steps.find(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'));
    expect(login?.with).toHaveProperty('role-to-assume');
    expect(text).not.toMatch(/secret/i);
  });

  it('runs scripts that this project has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const names = steps.flatMap(({ run = '' }) => /^npm (?:run )?(?!ci\b)([\w:]+)/.exec(run)?.[1] ?? []);
    expect(names).toEqual(['test', 'deploy']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
  });

  it('can take its role only in one environment of one repository', () => {
    const [, json = ''] = /<<'TRUST'\n(.*?)^TRUST$/ms.exec(guide) ?? [];
    const [statement] = JSON.parse(json).Statement;
    expect(statement.Action).toBe('sts:AssumeRoleWithWebIdentity');
    expect(statement.Condition.StringEquals).toEqual({
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': `repo:OWNER/REPOSITORY:environment:${environment}`,
    });
  });
});

interface Job {
  readonly permissions: object;
  readonly environment: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
}
