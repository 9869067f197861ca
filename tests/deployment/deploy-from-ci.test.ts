import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import { type AwsCall, deployAll, STACK } from './aws.js';
import { copyForPackaging, parseYaml } from './packaging.js';
import { BOUNDARY, filesOf, type Template } from './stages.js';

interface Policy {
  readonly Statement: readonly {
    readonly Action: readonly string[];
    readonly Resource: readonly string[];
    readonly Condition?: { readonly StringEquals: Readonly<Record<string, string>> };
  }[];
}

const policy: Policy = JSON.parse(readFileSync('docs/deploy-policy.json', 'utf8'));
const guide = readFileSync('docs/deploy-from-ci.md', 'utf8');
const block = (name: string) => JSON.parse(new RegExp(`<<'${name}'\n(.*?)^${name}$`, 'ms').exec(guide)?.[1] ?? '');

const STAGES = ['items in a table', 'signed calls of an HTTP API', 'a function URL'] as const;
const project = copyForPackaging();
let calls: AwsCall[];
let templates: Template[];

beforeAll(async () => {
  calls = await deployAll(project, STAGES.map(filesOf));
  const uploads = calls.filter(({ action, body }) => action === 's3:PUT' && body.startsWith('{"AWSTemplateFormat'));
  templates = uploads.map(({ body }) => JSON.parse(body));
});

const calledFor = (action: string) => calls.filter((call) => call.action === action);
const arn = (service: string, name: string) => `arn:aws:${service}:eu-central-1:123456789012:${name}`;

/** Decides as IAM does whether a policy allows an action on a resource. The context has the values that conditions compare. */
function allows({ Statement }: Policy, action: string, resource: string, context: Record<string, string> = {}) {
  const matches = (patterns: readonly string[], value: string) =>
    patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(value));
  return Statement.some(
    ({ Action, Resource, Condition }) =>
      matches(Action, action) &&
      matches(Resource, resource) &&
      Object.entries(Condition?.StringEquals ?? {}).every(([key, value]) => context[key] === value),
  );
}

describe('a deployment', () => {
  it('is made in eu-central-1 unless the command or AWS_REGION says otherwise', () => {
    expect(new Set(calls.map(({ region }) => region))).toEqual(new Set(['eu-central-1']));
  });

  it('tags the whole stack with the service and the stage, so that the bill tells them apart', () => {
    for (const { body } of calledFor('cloudformation:CreateChangeSet')) {
      const form = new URLSearchParams(body);
      const tags = [1, 2].map((n) => [form.get(`Tags.member.${n}.Key`), form.get(`Tags.member.${n}.Value`)]);
      expect(Object.fromEntries(tags)).toEqual({ service: name, stage: 'live' });
    }
  });

  it('keeps the last five deployments, of six, to go back to', () => {
    expect(calledFor('s3:POST')[0]?.body.match(/live\/\d+-/g)).toEqual(['live/1700000000000-']);
  });
});

describe('the policy for deploying', () => {
  const ROLE = `arn:aws:iam::123456789012:role/${STACK}-ApiRole-1A2B3C`;
  const GATEWAY = 'arn:aws:apigateway:eu-central-1::';
  /** What CloudFormation acts on to make a resource, by the beginning of its type. The others are named in the template. */
  const ACTED_ON: Readonly<Record<string, string>> = {
    'AWS::ApiGateway::RestApi': `${GATEWAY}/restapis`,
    'AWS::ApiGateway::': `${GATEWAY}/restapis/a1b2c3/anything`,
    'AWS::ApiGatewayV2::Api': `${GATEWAY}/apis`,
    'AWS::ApiGatewayV2::': `${GATEWAY}/apis/a1b2c3/anything`,
    'AWS::CloudWatch::Alarm': arn('cloudwatch', `alarm:${STACK}-ErrorsAlarm-1A2B3C`),
    'AWS::Lambda::': arn('lambda', `function:${STACK}-api`),
    'AWS::Logs::MetricFilter': arn('logs', `log-group:/aws/lambda/${STACK}-api:*`),
    'AWS::S3::': `arn:aws:s3:::${STACK}-serverlessdeploymentbuck-1a2b3c`,
    'AWS::SNS::': arn('sns', `${STACK}-AlarmTopic-1A2B3C`),
  };

  it('allows each call of Serverless Framework, for a new stack and for an existing one', () => {
    expect(calledFor('cloudformation:ExecuteChangeSet')).toHaveLength(STAGES.length + 1);
    expect(calls.filter(({ action, resource }) => !allows(policy, action, resource))).toEqual([]);
  });

  it('allows all that CloudFormation does to make the resources', () => {
    expect(templates).toHaveLength(STAGES.length);
    const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
    for (const { Type, Properties } of resources.filter(({ Type }) => !Type.startsWith('AWS::IAM::'))) {
      const [, resource = arn('logs', `log-group:${Properties?.LogGroupName}:*`)] =
        Object.entries(ACTED_ON).find(([type]) => Type.startsWith(type)) ?? [];
      const [, service] = Type.replace('V2', '').toLowerCase().split('::');
      expect([Type, allows(policy, `${service}:Anything`, resource)]).toEqual([Type, true]);
    }
  });

  it('allows a role for the function only within the boundary, which the guide makes', () => {
    const bounded = { 'iam:PermissionsBoundary': BOUNDARY };
    for (const action of ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary']) {
      const attempts = [bounded, {}, { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/other' }];
      expect(attempts.map((context) => allows(policy, action, ROLE, context))).toEqual([true, false, false]);
      expect(allows(policy, action, 'arn:aws:iam::123456789012:role/admin', bounded)).toBe(false);
    }
    for (const action of ['DeleteRolePermissionsBoundary', 'AttachRolePolicy', 'CreatePolicyVersion'])
      expect(allows(policy, `iam:${action}`, ROLE, bounded)).toBe(false);
    for (const action of ['GetRole', 'DeleteRole', 'DeleteRolePolicy', 'TagRole', 'UpdateAssumeRolePolicy'])
      expect(allows(policy, `iam:${action}`, ROLE)).toBe(true);
    const passed = ['lambda', 'ec2'].map((service) => ({ 'iam:PassedToService': `${service}.amazonaws.com` }));
    expect(passed.map((context) => allows(policy, 'iam:PassRole', ROLE, context))).toEqual([true, false]);
  });

  it('lets the role, within that boundary, do what the function needs', () => {
    const { ApiRole, TodoTablePolicy } = templates[0]?.Resources ?? {};
    const log = arn('logs', `log-group:/aws/lambda/${STACK}-api:log-stream:a`);
    const table = arn('dynamodb', 'table/items-live');
    const isAllowed = (resource: string) => (action: string) => allows(block('BOUNDARY'), action, resource);
    expect(ApiRole?.Properties.Policies[0].PolicyDocument.Statement[0].Action.every(isAllowed(log))).toBe(true);
    expect(TodoTablePolicy?.Properties.PolicyDocument.Statement[0].Action.every(isAllowed(table))).toBe(true);
    expect(isAllowed(table)('dynamodb:DeleteTable')).toBe(false);
  });

  it.each([
    ['cloudformation:DeleteStack', arn('cloudformation', `stack/${STACK}/id`)],
    ['cloudformation:CreateChangeSet', arn('cloudformation', `stack/${name}-test/id`)],
    ['lambda:UpdateFunctionCode', arn('lambda', `function:${name}-test-api`)],
    ['logs:DeleteLogGroup', arn('logs', 'log-group:/aws/lambda/other:*')],
    ['dynamodb:DeleteTable', arn('dynamodb', 'table/items-live')],
    ['s3:PutObject', `arn:aws:s3:::${STACK}-other/key`],
    ['cloudwatch:DeleteAlarms', arn('cloudwatch', 'alarm:other')],
  ])('does not allow %s on %s', (action, resource) => {
    expect(allows(policy, action, resource)).toBe(false);
  });

  it('fits into a managed policy, which has 6,144 characters at most without white space', () => {
    expect(JSON.stringify(policy).length).toBeLessThan(6_144);
  });
});

describe('the workflow that deploys', () => {
  const [, text = ''] = /^```yaml\n(.*?)^```/ms.exec(guide) ?? [];
  const workflow = parseYaml(text);
  const pinned = (action: string) => ({ uses: expect.stringMatching(new RegExp(`^${action}@[\\da-f]{40}$`)) });
  const prepared = [
    { ...pinned('actions/checkout'), with: { 'persist-credentials': false } },
    pinned('actions/setup-node'),
  ];

  it('tests in a job that can get no role, and deploys after it in one that runs nothing else', () => {
    const role = { ...pinned('aws-actions/configure-aws-credentials'), with: { 'role-to-assume': expect.any(String) } };
    const [install, deploy] = ['npm ci --omit=dev --ignore-scripts', 'npm run deploy -- --stage live'];
    expect(workflow).toHaveProperty('permissions', {});
    expect(workflow).toHaveProperty('jobs.test.permissions', { contents: 'read' });
    expect(workflow).not.toHaveProperty('jobs.test.environment');
    expect(workflow).toHaveProperty('jobs.deploy.permissions', { contents: 'read', 'id-token': 'write' });
    expect(workflow).toMatchObject({
      jobs: {
        test: { steps: [...prepared, { run: 'npm ci' }, { run: 'npm test' }] },
        deploy: { needs: 'test', environment: 'live', steps: [...prepared, { run: install }, role, { run: deploy }] },
      },
    });
    expect(text).not.toMatch(/secret/i);
  });

  it('can take its role only in one environment of one repository', () => {
    const [{ Action, Condition }] = block('TRUST').Statement;
    expect(Action).toBe('sts:AssumeRoleWithWebIdentity');
    expect(Condition.StringEquals).toEqual({
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': 'repo:OWNER/REPOSITORY:environment:live',
    });
  });
});
