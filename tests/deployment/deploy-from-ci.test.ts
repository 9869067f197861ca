import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AwsCall, deployAll, STACK } from '../support/deployment/aws.js';
import { copyForPackaging, type Parameters, packageAll, parseYaml } from '../support/deployment/packaging.js';
import { allows, type Policy } from '../support/deployment/policy.js';
import type { Template } from '../support/deployment/template.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const policy: Policy = JSON.parse(readFileSync('docs/deploy-policy.json', 'utf8'));
const guide = readFileSync('docs/deploy-from-ci.md', 'utf8');
const block = (name: string) => new RegExp(`<<'${name}'\n(.*?)^${name}$`, 'ms').exec(guide)?.[1] ?? '';

const BOUNDARY = 'arn:aws:iam::123456789012:policy/todo-item-service-boundary';
const everything = { table: 'items-live', alarmEmail: 'operator@example.com', permissionsBoundary: BOUNDARY };
/** Each front door in memory and with a table, and signed calls on two. */
const SETS: Readonly<Record<string, Parameters>> = {
  'a REST API': { ...everything, accessLog: true },
  'a REST API, in memory': { table: 'none', permissionsBoundary: BOUNDARY },
  'a signed REST API': { ...everything, signedCalls: true },
  'an HTTP API': { ...everything, frontDoor: 'http', accessLog: true },
  'an HTTP API, in memory': { table: 'none', frontDoor: 'http', permissionsBoundary: BOUNDARY },
  'a signed HTTP API': { ...everything, frontDoor: 'http', signedCalls: true },
  'a function URL': { ...everything, frontDoor: 'url' },
  'a function URL, in memory': { table: 'none', frontDoor: 'url', permissionsBoundary: BOUNDARY },
};
const folder = temporaryFolder();
let calls: AwsCall[];
let packaged: Record<string, Template>;

beforeAll(async () => {
  calls = await deployAll(copyForPackaging(join(folder, 'project')), Object.values(SETS));
  packaged = await packageAll(SETS);
});

describe('a deployment', () => {
  const calledFor = (action: string) => calls.filter((call) => call.action === action);

  it('is made in eu-central-1 unless the command or AWS_REGION says otherwise', () => {
    expect(new Set(calls.map(({ region }) => region))).toEqual(new Set(['eu-central-1']));
  });

  it('tags the whole stack with the service and the stage, so that the bill tells them apart', () => {
    for (const { body } of calledFor('cloudformation:CreateChangeSet')) {
      const form = new URLSearchParams(body);
      const tags = [1, 2].map((n) => [form.get(`Tags.member.${n}.Key`), form.get(`Tags.member.${n}.Value`)]);
      expect(Object.fromEntries(tags)).toMatchObject({ stage: 'live' });
      expect(body).toContain('todo-item-service');
    }
  });

  it('keeps the last five deployments to go back to', () => {
    const [deletion] = calledFor('s3:DeleteObject');
    // Of six, the oldest.
    expect(Array.from(deletion?.body.matchAll(/<Key>/g) ?? [])).toHaveLength(1);
    expect(deletion?.body).toContain('1700000000000');
  });
});

describe('the policy for deploying', () => {
  it('allows each call of Serverless Framework, for a new stack and for an existing one', () => {
    expect(calls.filter(({ action }) => action === 'cloudformation:ExecuteChangeSet').length).toBeGreaterThan(8);
    for (const { action, resource } of calls)
      expect([action, resource, allows(policy, action, resource)]).toContain(true);
  });

  const arn = (service: string, name: string) => `arn:aws:${service}:eu-central-1:123456789012:${name}`;
  const GATEWAY = 'arn:aws:apigateway:eu-central-1::';
  /** What CloudFormation acts on to make a resource, by the beginning of its type. */
  const ACTED_ON: Readonly<Record<string, string | ((properties: Record<string, string>) => string)>> = {
    'AWS::ApiGateway::RestApi': `${GATEWAY}/restapis`,
    'AWS::ApiGateway::': `${GATEWAY}/restapis/a1b2c3/anything`,
    'AWS::ApiGatewayV2::Api': `${GATEWAY}/apis`,
    'AWS::ApiGatewayV2::': `${GATEWAY}/apis/a1b2c3/anything`,
    'AWS::CloudWatch::Alarm': arn('cloudwatch', `alarm:${STACK}-ErrorsAlarm-1A2B3C`),
    'AWS::Lambda::': arn('lambda', `function:${STACK}-api`),
    'AWS::Logs::LogGroup': ({ LogGroupName }) => arn('logs', `log-group:${LogGroupName}:*`),
    'AWS::Logs::MetricFilter': arn('logs', `log-group:/aws/lambda/${STACK}-api:*`),
    'AWS::S3::': `arn:aws:s3:::${STACK}-serverlessdeploymentbuck-1a2b3c`,
    'AWS::SNS::': arn('sns', `${STACK}-AlarmTopic-1A2B3C`),
  };
  const ROLE = `arn:aws:iam::123456789012:role/${STACK}-ApiRole-1A2B3C`;

  it.each(Object.keys(SETS))('allows all that CloudFormation does to make the resources: %s', (name) => {
    for (const [id, { Type, Properties }] of Object.entries(packaged[name]?.Resources ?? {})) {
      if (Type.startsWith('AWS::IAM::')) continue;
      const [, on] = Object.entries(ACTED_ON).find(([type]) => Type.startsWith(type)) ?? [];
      const resource = typeof on === 'function' ? on(Properties) : on;
      const [, service = ''] = Type.replace('V2', '').toLowerCase().split('::');
      expect([id, allows(policy, `${service}:Anything`, String(resource))]).toEqual([id, true]);
    }
  });

  it('allows a role for the function only within the boundary, which the guide makes', () => {
    expect(guide).toContain(`permissionsBoundary: ${BOUNDARY}`);
    const bounded = { 'iam:PermissionsBoundary': BOUNDARY };
    for (const action of ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary']) {
      expect([action, allows(policy, action, ROLE, bounded), allows(policy, action, ROLE)]).toEqual([
        action,
        true,
        false,
      ]);
      expect(allows(policy, action, ROLE, { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/other' })).toBe(false);
      expect(allows(policy, action, 'arn:aws:iam::123456789012:role/admin', bounded)).toBe(false);
    }
    for (const action of ['DeleteRolePermissionsBoundary', 'AttachRolePolicy', 'CreatePolicyVersion'])
      expect(allows(policy, `iam:${action}`, ROLE, bounded)).toBe(false);
    for (const action of ['GetRole', 'DeleteRole', 'DeleteRolePolicy', 'TagRole', 'UpdateAssumeRolePolicy'])
      expect(allows(policy, `iam:${action}`, ROLE)).toBe(true);
    expect(allows(policy, 'iam:PassRole', ROLE, { 'iam:PassedToService': 'lambda.amazonaws.com' })).toBe(true);
    expect(allows(policy, 'iam:PassRole', ROLE, { 'iam:PassedToService': 'ec2.amazonaws.com' })).toBe(false);
  });

  it('lets the role, within that boundary, do what the function needs', () => {
    const boundary: Policy = JSON.parse(block('BOUNDARY'));
    const { ApiRole, TodoTablePolicy } = packaged['a REST API']?.Resources ?? {};
    const policies = [ApiRole?.Properties.Policies[0], TodoTablePolicy?.Properties];
    const [log, table] = policies.map(({ PolicyDocument }) => PolicyDocument.Statement[0].Action as string[]);
    for (const action of log ?? [])
      expect(allows(boundary, action, arn('logs', `log-group:/aws/lambda/${STACK}-api:log-stream:a`))).toBe(true);
    for (const action of table ?? []) expect(allows(boundary, action, arn('dynamodb', 'table/items-live'))).toBe(true);
    expect(allows(boundary, 'dynamodb:DeleteTable', arn('dynamodb', 'table/items-live'))).toBe(false);
  });

  it('does not allow to delete the stack, nor to touch other functions, stages, logs or tables', () => {
    const stack = arn('cloudformation', `stack/${STACK}/id`);
    const other = [
      ['cloudformation:DeleteStack', stack],
      ['cloudformation:CreateChangeSet', stack.replace('live', 'test')],
      ['lambda:UpdateFunctionCode', arn('lambda', 'function:todo-item-service-test-api')],
      ['logs:DeleteLogGroup', arn('logs', 'log-group:/aws/lambda/other:*')],
      ['dynamodb:DeleteTable', arn('dynamodb', 'table/items-live')],
      ['s3:PutObject', 'arn:aws:s3:::other/key'],
      ['cloudwatch:DeleteAlarms', arn('cloudwatch', 'alarm:other')],
    ] as const;
    for (const [action, resource] of other) expect([action, allows(policy, action, resource)]).toEqual([action, false]);
  });

  it('fits into a managed policy, which has 6,144 characters at most without white space', () => {
    expect(JSON.stringify(policy).length).toBeLessThan(6_144);
  });
});

interface Job {
  readonly permissions: object;
  readonly environment?: string;
  readonly needs?: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
}

describe('the workflow that deploys', () => {
  const [, text = ''] = /^```yaml\n(.*?)^```/ms.exec(guide) ?? [];
  const { permissions, jobs } = parseYaml(text) as { permissions: object; jobs: { test: Job; deploy: Job } };
  const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

  it('tests in a job that can get no role, and deploys after it in one that runs nothing else', () => {
    expect(permissions).toEqual({});
    expect([jobs.test.permissions, jobs.test.environment]).toEqual([{ contents: 'read' }, undefined]);
    expect(commandsOf(jobs.test)).toEqual(['npm ci', 'npm test']);
    expect([jobs.deploy.permissions, jobs.deploy.needs]).toEqual([{ contents: 'read', 'id-token': 'write' }, 'test']);
    expect(commandsOf(jobs.deploy)).toEqual(['npm ci --omit=dev --ignore-scripts', 'npm run deploy -- --stage live']);
  });

  it('pins actions by the commit, and keeps neither keys nor the credentials of the checkout', () => {
    const steps = [...jobs.test.steps, ...jobs.deploy.steps];
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/@[\da-f]{40}$/);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with)).toEqual([
      { 'persist-credentials': false },
      { 'persist-credentials': false },
    ]);
    const login = jobs.deploy.steps.find(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'));
    expect(login?.with).toHaveProperty('role-to-assume');
    expect(text).not.toMatch(/secret/i);
  });

  it('can take its role only in one environment of one repository', () => {
    const [statement] = JSON.parse(block('TRUST')).Statement;
    expect(statement.Action).toBe('sts:AssumeRoleWithWebIdentity');
    expect(statement.Condition.StringEquals).toEqual({
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': `repo:OWNER/REPOSITORY:environment:${jobs.deploy.environment}`,
    });
  });
});
