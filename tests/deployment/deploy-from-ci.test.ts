import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { type AwsCall, recordDeployments } from '../support/deployment/aws.js';
import { copyProject, packageService } from '../support/deployment/deployment.js';
import { deriveStatements, type Statement } from '../support/deployment/permissions.js';
import type { Template } from '../support/deployment/template-schema.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const POLICY = 'docs/deploy-policy.json';
const folder = temporaryFolder();
const committed: { readonly Version: string; readonly Statement: Statement[] } = JSON.parse(
  readFileSync(POLICY, 'utf8'),
);
let calls: AwsCall[];

beforeAll(async () => {
  calls = await recordDeployments(copyProject(join(folder, 'deployed')));
});

function templateWith(name: string, ...options: readonly string[]): Template {
  return packageService(join(folder, name), options).template;
}

describe('the policy for deploying', () => {
  it('grants the rights that deploying needs with alarms and the access log, and nothing else', () => {
    const template = templateWith('all', '--param=alarmEmail=operator@example.com', '--param=accessLog=true');
    const derived = { Version: '2012-10-17', Statement: deriveStatements(template, calls) };
    // To renew it: DERIVE_POLICY=1 npx jest tests/deployment/deploy-from-ci
    if (process.env.DERIVE_POLICY) writeFileSync(POLICY, `${JSON.stringify(derived, null, 2)}\n`);
    else expect(committed).toEqual(derived);
  });

  it.each([
    ['alarmEmail', /^Alarm/, '--param=accessLog=true'],
    ['accessLog', /^AccessLog$/, '--param=alarmEmail=operator@example.com'],
  ])('does without some statements where %s is left out, as the guide says', (name, left, option) => {
    const statements = committed.Statement.filter(({ Sid }) => !left.test(Sid));
    expect(statements.length).toBeLessThan(committed.Statement.length);
    expect(deriveStatements(templateWith(name, option), calls)).toEqual(statements);
  });

  it('names resources of this service and stage only, except where AWS has no name beforehand', () => {
    const wide = committed.Statement.filter(({ Resource }) =>
      Resource.some((arn) => !arn.includes('todo-item-service-live')),
    );
    expect(wide.map(({ Sid }) => Sid)).toEqual(['AlarmList', 'Gateway', 'GatewayTags', 'LogGroups', 'Template']);
    expect(JSON.stringify(committed)).not.toMatch(/"[a-z0-9]+:\*"/);
  });

  it('fits into a managed policy, which has 6,144 characters at most without white space', () => {
    expect(JSON.stringify(committed).length).toBeLessThan(6_144);
  });

  it('is for the calls that Serverless Framework makes, for a new stack and for an existing one', () => {
    const actions = calls.map(({ action }) => action);
    expect(actions.filter((action) => action === 'cloudformation:ExecuteChangeSet')).toHaveLength(3);
    expect(actions).toEqual(expect.arrayContaining(['s3:PutObject', 's3:DeleteObject', 'apigateway:PUT']));
  });
});

describe('the workflow that deploys', () => {
  const guide = readFileSync('docs/deploy-from-ci.md', 'utf8');
  const [, text] = /^```yaml\n(.*?)^```/ms.exec(guide) ?? [];
  const workflow = load(text as string) as Workflow;
  const [job] = Object.values(workflow.jobs);

  it('may ask for an OIDC token and read the repository, and nothing else', () => {
    expect(job?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(workflow.permissions).toEqual({});
  });

  it('pins actions by the commit, and assumes a role instead of keeping keys', () => {
    const uses = job?.steps.flatMap(({ uses }) => uses ?? []) ?? [];
    for (const action of uses) expect(action).toMatch(/@[\da-f]{40}$/);
    const login = job?.steps.find(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'));
    expect(login?.with).toHaveProperty('role-to-assume');
    expect(text).not.toMatch(/secret/i);
  });

  it('runs scripts that this project has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const lines = job?.steps.flatMap(({ run }) => run?.trim().split('\n') ?? []) ?? [];
    const names = lines.flatMap((line) => /^npm (?:run )?(?!ci\b)([\w:]+)/.exec(line)?.[1] ?? []);
    expect(names).toEqual(['test', 'deploy']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
  });

  it('is trusted by its role for one environment of one repository', () => {
    const [, json] = /<<'TRUST'\n(.*?)^TRUST$/ms.exec(guide) ?? [];
    const [statement] = JSON.parse(json as string).Statement;
    expect(statement.Action).toBe('sts:AssumeRoleWithWebIdentity');
    expect(statement.Condition.StringEquals).toEqual({
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': `repo:OWNER/REPOSITORY:environment:${job?.environment}`,
    });
  });
});

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions: object;
        readonly environment: string;
        readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
      }
    >
  >;
}
