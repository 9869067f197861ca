import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import type { Template } from '../../serverless/changes/stack.js';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import type { PARAMETERS } from '../../serverless/parameters/parameters.js';
import { openShell } from '../support/guide-shell.js';
import { listen } from '../support/listen.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyForPackaging, filesOf, runAll, stagesFile } from './packaging.js';
import { arn, BUCKET, GATEWAY, type Right, ROLE, STACK } from './resource-types.js';
import { BOUNDARY, DOMAIN, STAGES, type StageName } from './stages.js';
import { rightsForUpdate } from './updates.js';

type Statement = {
  Sid: string;
  Action: string[];
  Resource: string[];
  Condition?: { StringEquals: Record<string, string> };
};
type Policy = { readonly Statement: readonly Statement[] };

interface Job {
  readonly needs?: string;
  readonly steps: readonly { readonly id?: string; readonly run?: string }[];
}

/** The ARN of what a request acts on, by the service and the path. The other services need no right. */
const ARNS: Readonly<Record<string, (path: string, action: string) => string>> = {
  s3: (path) => `arn:aws:s3:::${path.slice(1)}`,
  lambda: (path) => arn('lambda', `function:${path.split('/')[3]}`),
  apigateway: (path) => GATEWAY + path,
  // The check of a template names no stack.
  cloudformation: (_, action) => (action === 'ValidateTemplate' ? '*' : arn('cloudformation', `stack/${STACK}/id`)),
};

/** The right that a request to S3 needs. */
const S3_ACTIONS: Readonly<Record<string, string>> = {
  HEAD: 'ListBucket',
  GET: 'ListBucket',
  POST: 'DeleteObject',
  'HEAD object': 'GetObject',
  'PUT object': 'PutObject',
};

/** Six earlier deployments. */
const EARLIER = [0, 1, 2, 3, 4, 5].map(
  (n) =>
    `<Contents><Key>serverless/${name}/live/170000000000${n}-2023-11-14T22:13:20.00${n}Z/compiled-cloudformation-template.json</Key></Contents>`,
);

/** What each service answers; a caller reads what it asked for, and leaves the rest. */
const ANSWERS: Readonly<Record<string, (action: string) => readonly [status: number, body: string]>> = {
  sts: () => [
    200,
    '<R><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/me</Arn></GetCallerIdentityResult></R>',
  ],
  s3: () => [200, `<R>${EARLIER.join('')}</R>`],
  lambda: () => [200, '{"FunctionVersion":"7"}'],
  apigateway: () => [200, `{"item":[{"id":"api","name":"${STACK}"}],"tags":{}}`],
  // Serverless Framework tries to delete a log group that does not exist, and goes on if that is denied.
  logs: () => [400, '{"__type":"AccessDeniedException"}'],
  cloudformation(action) {
    const [change] = calls.flatMap(({ body }) => /(?<=ChangeSetType=)\w+/.exec(body) ?? []).slice(-1);
    if (!change) return [400, '<R><Error><Code>ValidationError</Code><Message>It does not exist</Message></Error></R>'];
    const event = (state: string) => `<member><EventId>${state}</EventId><StackName>live</StackName>
      <LogicalResourceId>live</LogicalResourceId><ResourceType>AWS::CloudFormation::Stack</ResourceType>
      <ResourceStatus>${change}_${state}</ResourceStatus></member>`;
    return [
      200,
      `<R><${action}Result><Id>change</Id><StackId>stack</StackId><Status>CREATE_COMPLETE</Status>
      <Changes><member><Type>Resource</Type></member></Changes>
      <Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member>
      <OutputKey>ApiLambdaFunctionQualifiedArn</OutputKey><OutputValue>${arn('lambda', 'function:name:7')}</OutputValue>
      </member></Outputs></member></Stacks>
      <StackResourceDetail><PhysicalResourceId>${BUCKET}</PhysicalResourceId></StackResourceDetail>
      <StackEvents>${event('COMPLETE')}${event('IN_PROGRESS')}</StackEvents></${action}Result></R>`,
    ];
  },
};

const policy: Policy = JSON.parse(readFileSync('docs/deploy-policy.json', 'utf8'));
const guide = readFileSync('docs/deploy-from-ci.md', 'utf8');
const block = (name: string) => JSON.parse(new RegExp(`<<'${name}'\n(.*?)^${name}$`, 'ms').exec(guide)?.[1] ?? '');

const BUCKET_ARN = `arn:aws:s3:::${BUCKET}`;
const FUNCTION = arn('lambda', `function:${STACK}-api`);
const TOPIC = arn('sns', `${STACK}-AlarmTopic-1A2B3C`);
/** A call that concerns a role with the boundary. */
const BOUNDED = { 'iam:PermissionsBoundary': BOUNDARY };

/** What was called of AWS: an action such as `cloudformation:CreateChangeSet` or, of other services, a method such as `lambda:GET`. */
const calls: { action: string; resource: string; region: string; body: string }[] = [];
const calledFor = (action: string) => calls.filter((call) => call.action === action);
const DEPLOYED = ['rest-signed', 'http-signed', 'url-sign-in'] as const;
const project = copyForPackaging(temporaryFolder());
/** Where commands of the guide run. */
const folder = temporaryFolder();
let templates: Template[];

/** For each parameter, the stage that changes it, and to which values. */
const VALUES: Record<keyof typeof PARAMETERS, readonly [stage: (typeof DEPLOYED)[number], ...values: string[]]> = {
  table: ['http-signed', 'none', 'items-live.restored'],
  tokenIssuer: ['url-sign-in', 'https://other.example.com'],
  tokenAudience: ['url-sign-in', 'other'],
  listBy: ['url-sign-in', 'all'],
  readScope: ['url-sign-in', ''],
  writeScope: ['url-sign-in', 'change'],
  tokenClient: ['url-sign-in', 'console'],
  corsOrigins: ['rest-signed', '', '*'],
  logLevel: ['http-signed', 'silent'],
  // Another region is another stack.
  region: ['rest-signed'],
  frontDoor: ['url-sign-in', 'rest', 'http'],
  signedCalls: ['rest-signed', 'false'],
  domain: ['http-signed', 'items.example.com'],
  certificate: ['http-signed', `${DOMAIN.certificate}4`],
  hostedZone: ['rest-signed', ''],
  defaultAddress: ['rest-signed', 'true'],
  throttle: ['rest-signed', '77'],
  memorySize: ['rest-signed', '2048'],
  reservedConcurrency: ['rest-signed', '0'],
  logRetention: ['http-signed', '7'],
  accessLog: ['http-signed', 'false'],
  alarmEmail: ['http-signed', '', 'someone@example.com'],
  dashboard: ['http-signed', 'false'],
  tracing: ['rest-signed', 'true'],
  permissionsBoundary: ['rest-signed', '', 'arn:aws:iam::123456789012:policy/other'],
  functionRole: ['rest-signed'],
  deploymentRole: ['rest-signed'],
  deploymentBucket: ['rest-signed'],
};

/** What the policy refuses of these changes. The guide says that a person makes them. */
const BY_HAND: { readonly [parameter in keyof typeof PARAMETERS]?: readonly string[] } = {
  // The policy names one.
  domain: [
    'apigateway:DELETE, to api.example.com',
    'apigateway:GET, to api.example.com',
    'apigateway:GET, to items.example.com',
    'apigateway:POST, to items.example.com',
    'apigateway:PUT, to items.example.com',
  ],
  // Whoever can change a zone can take over all that is in it.
  hostedZone: ['ChangeResourceRecordSets', 'GetChange', 'GetHostedZone', 'ListResourceRecordSets'].flatMap((action) =>
    ['', 'Z0123456789ABCDEFGHIJ'].map((zone) => `route53:${action}, to ${zone}`),
  ),
  // AWS can't tell the right to call a URL from the right to invoke the function: each is for the principal `*`.
  frontDoor: ['lambda:AddPermission, to url', 'lambda:CreateFunctionUrlConfig, to url'],
  permissionsBoundary: [
    'iam:DeleteRolePermissionsBoundary, to ',
    'iam:PutRolePermissionsBoundary, to arn:aws:iam::123456789012:policy/other',
  ],
};

/** What AWS's services do with the rights of who deploys: fetch what was uploaded, pass on the role, and deliver the access log. */
const OTHERS: readonly Right[] = [
  { action: 's3:GetObject', resource: `${BUCKET_ARN}/key` },
  { action: 'iam:PassRole', resource: ROLE, context: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
  ...['Create', 'Delete', 'Get', 'Update'].map((verb) => ({ action: `logs:${verb}LogDelivery`, resource: '*' })),
  ...['DescribeResourcePolicies', 'ListLogDeliveries', 'PutResourcePolicy'].map((name) => ({
    action: `logs:${name}`,
    resource: '*',
  })),
  { action: 'cloudformation:ListStackResources', resource: arn('cloudformation', `stack/${STACK}/id`) },
  { action: 'cloudformation:TagResource', resource: arn('cloudformation', `stack/${STACK}/id`) },
  { action: 'dynamodb:DescribeTable', resource: arn('dynamodb', 'table/items-live') },
  { action: 'dynamodb:DescribeTable', resource: arn('dynamodb', 'table/items-live.restored') },
];

/** The rights that a deployment needs which follows one of the same stage: with a parameter changed, or with none. */
interface Next {
  readonly parameter?: string;
  readonly to?: string;
  readonly needed: readonly Right[];
}

const next: Next[] = [];

const parametersOf = (stage: StageName): Readonly<Record<string, string>> => STAGES[stage];

beforeAll(async () => {
  const aws = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const body = await text(request);
    const [, region = '', service = ''] = /=\w+\/\d+\/([^/]+)\/(\w+)\//.exec(headers.authorization ?? '') ?? [];
    const action = new URLSearchParams(body).get('Action') ?? String(method);
    const path = url.replace(/\?.*/, '');
    // A request for many objects to be deleted names them in its body.
    const resource = ARNS[service]?.(action === 'POST' && service === 's3' ? `${path}key` : path, action);
    const rights: Readonly<Record<string, string | undefined>> = {
      s3: S3_ACTIONS[path.split('/')[2] ? `${method} object` : String(method)],
      lambda: path.includes('/aliases/') ? 'GetAlias' : 'GetFunction',
    };
    const right = rights[service] ?? action;
    if (resource) calls.push({ action: `${service}:${right}`, resource, region, body });
    const [status, answer] = ANSWERS[service]?.(action) ?? [400, `{"message":"no answer of ${service}"}`];
    response.writeHead(status, { 'Content-Type': answer.startsWith('<') ? 'text/xml' : 'application/json' });
    response.end(answer);
  });
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const variables = { ...keys, AWS_ENDPOINT_URL: `http://${await listen(aws)}`, SLS_AWS_MONITORING_FREQUENCY: '1' };
  const deployments = DEPLOYED.map((stage) => ({ command: 'deploy --stage live', files: filesOf(stage), variables }));
  // Each stage that is deployed, and each with its parameters changed.
  const planned = Object.entries(VALUES).flatMap(([parameter, [stage, ...values]]) =>
    values.map((to) => ({ parameter, stage, to })),
  );
  const changed = planned.map(({ parameter, stage, to }) => ({ ...parametersOf(stage), [parameter]: to }));
  const packagings = [...DEPLOYED.map(parametersOf), ...changed].map((live, index) => ({
    command: `package --stage live --package packaged/${index}`,
    files: stagesFile({ live }),
  }));
  for (const { code, printed } of await runAll(project, [...deployments, ...packagings]))
    if (code !== 0) throw new Error(printed);
  aws.close();
  const uploads = calls.filter(
    ({ action, body }) => action === 's3:PutObject' && body.startsWith('{"AWSTemplateFormat'),
  );
  templates = uploads.map(({ body }) => JSON.parse(body));
  const packaged = packagings.map(
    (_, index): Template =>
      JSON.parse(readFileSync(join(project, `packaged/${index}/cloudformation-template-update-stack.json`), 'utf8')),
  );
  for (const [index, template] of templates.entries())
    next.push({ needed: rightsForUpdate(template, packaged[index] as Template) });
  for (const [index, { parameter, stage, to }] of planned.entries()) {
    const [from, after] = [packaged[DEPLOYED.indexOf(stage)], packaged[DEPLOYED.length + index]] as [
      Template,
      Template,
    ];
    next.push({ parameter, to, needed: rightsForUpdate(from, after) });
    next.push({ parameter, to: parametersOf(stage)[parameter] ?? '', needed: rightsForUpdate(after, from) });
  }
});

/** Decides as IAM does whether a policy allows an action on a resource. The context has the values that conditions compare. */
function allows({ Statement }: Policy, action: string, resource: string, context: Right['context'] = {}) {
  const matches = (patterns: string[], value: string) =>
    patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(value));
  return Statement.some(
    ({ Action, Resource, Condition }) =>
      matches(Action, action) &&
      matches(Resource, resource) &&
      Object.entries(Condition?.StringEquals ?? {}).every(([key, value]) => context[key] === value),
  );
}

/** The actions of these rights that the policy refuses. */
function refused(rights: readonly Right[]): string[] {
  return rights
    .filter((right) => !allows(policy, right.action, right.resource, right.context))
    .map(({ action }) => action);
}

describe('a deployment', () => {
  it('is made in eu-central-1 unless the command or AWS_REGION says otherwise', () => {
    expect(new Set(calls.map(({ region }) => region))).toEqual(new Set(['eu-central-1']));
  });

  it('tags the whole stack with the service and the stage, so that the bill tells them apart', () => {
    const tags = `Key=service&Tags.member.1.Value=${name}&Tags.member.2.Key=stage&Tags.member.2.Value=live&`;
    for (const { body } of calledFor('cloudformation:CreateChangeSet')) expect(body).toContain(tags);
  });

  it('protects the stack from deletion, because it has the public address', () => {
    const protections = calledFor('cloudformation:UpdateTerminationProtection').map(({ body }) => body);
    expect(protections).toEqual(DEPLOYED.map(() => expect.stringContaining('EnableTerminationProtection=true')));
  });

  it('keeps the last five deployments, of six, to go back to', () => {
    expect(calledFor('s3:DeleteObject')[0]?.body.match(/live\/\d+-/g)).toEqual(['live/1700000000000-']);
  });
});

describe('the policy for deploying', () => {
  it('allows each call of Serverless Framework, for a new stack and for an existing one', () => {
    expect(calledFor('cloudformation:ExecuteChangeSet')).toHaveLength(DEPLOYED.length + 1);
    expect(refused([...calls, ...OTHERS])).toEqual([]);
  });

  it('allows what CloudFormation does in a second deployment, which changes at least the function', () => {
    const second = next.filter(({ parameter }) => parameter === undefined);
    expect(second).toHaveLength(DEPLOYED.length);
    for (const { needed } of second) {
      expect(needed.map(({ action }) => action)).toContain('lambda:UpdateFunctionCode');
      expect(refused(needed)).toEqual([]);
    }
  });

  it.each(Object.keys(VALUES))(
    'allows what CloudFormation does when %s changes, but for what the guide leaves to a person',
    (parameter) => {
      const changes = next.filter((one) => one.parameter === parameter);
      const denied = changes.flatMap(({ to, needed }) => refused(needed).map((action) => `${action}, to ${to}`));
      const byHand = BY_HAND[parameter as keyof typeof VALUES] ?? [];
      expect([...new Set(denied)].sort()).toEqual(byHand);
      const [, left = ''] = /^\*\*What the role can't do(.*?)^For such a change/ms.exec(guide) ?? [];
      expect(left.includes(`\`${parameter}\``)).toBe(byHand.length > 0);
    },
  );

  it('has no right that none of these deployments needs', () => {
    const all = [calls, OTHERS, ...next.map(({ needed }) => needed)].flat();
    const rights = all.map(({ action, resource, context }: Right) => JSON.stringify({ action, resource, context }));
    const needed: Right[] = [...new Set(rights)].map((right) => JSON.parse(right));
    const unused = policy.Statement.flatMap((statement) =>
      statement.Action.filter((action) => {
        const alone = { Statement: [{ ...statement, Action: [action] }] };
        return !needed.some((right) => allows(alone, right.action, right.resource, right.context));
      }).map((action) => `${statement.Sid}: ${action}`),
    );
    expect(unused).toEqual([]);
  });

  it("is not enough to make the stage, because then it could make a role or a function of an attacker's", () => {
    for (const template of templates) {
      const denied = refused(rightsForUpdate(undefined, template));
      expect(denied).toEqual(expect.arrayContaining(['iam:CreateRole', 'lambda:CreateFunction', 's3:CreateBucket']));
    }
  });

  it.each<[action: string, resource: string, context?: Right['context']]>([
    // The bucket: who reads and writes it, and what is told of it.
    ...[
      'PutBucketPolicy',
      'PutBucketAcl',
      'PutBucketPublicAccessBlock',
      'PutBucketNotification',
      'PutReplicationConfiguration',
    ].map((name): [string, string] => [`s3:${name}`, BUCKET_ARN]),
    ['s3:PutObjectAcl', `${BUCKET_ARN}/key`],
    // The role: who may be it, and what it may do.
    ['iam:UpdateAssumeRolePolicy', ROLE],
    ['iam:CreateRole', ROLE, BOUNDED],
    ['iam:DeleteRole', ROLE],
    ['iam:PutRolePolicy', ROLE],
    ['iam:PutRolePolicy', ROLE, { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/other' }],
    ['iam:PutRolePermissionsBoundary', ROLE, { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/other' }],
    ['iam:DeleteRolePermissionsBoundary', ROLE, BOUNDED],
    ['iam:AttachRolePolicy', ROLE, BOUNDED],
    ['iam:CreatePolicyVersion', BOUNDARY],
    ['iam:PutRolePolicy', 'arn:aws:iam::123456789012:role/admin', BOUNDED],
    ['iam:PassRole', ROLE, { 'iam:PassedToService': 'cloudformation.amazonaws.com' }],
    ['iam:PassRole', 'arn:aws:iam::123456789012:role/admin', { 'iam:PassedToService': 'lambda.amazonaws.com' }],
    // The function: who may call it, and where its answers go.
    ...['*', '210987654321', 's3.amazonaws.com', 'lambda.alarms.cloudwatch.amazonaws.com'].map(
      (principal): [string, string, Right['context']] => [
        'lambda:AddPermission',
        FUNCTION,
        { 'lambda:Principal': principal },
      ],
    ),
    ['lambda:AddPermission', FUNCTION, { 'lambda:Principal': '*', 'lambda:FunctionUrlAuthType': 'NONE' }],
    ...[
      'PutResourcePolicy',
      'CreateFunctionUrlConfig',
      'UpdateFunctionUrlConfig',
      'PutFunctionEventInvokeConfig',
      'CreateFunction',
      'DeleteFunction',
      'InvokeFunction',
    ].map((name): [string, string] => [`lambda:${name}`, FUNCTION]),
    ['lambda:CreateEventSourceMapping', '*'],
    // What the stage tells.
    ['logs:PutSubscriptionFilter', arn('logs', `log-group:/aws/lambda/${STACK}-api:*`)],
    ['logs:DeleteLogGroup', arn('logs', `log-group:/aws/lambda/${STACK}-api:*`)],
    ['logs:GetLogEvents', arn('logs', `log-group:/aws/lambda/${STACK}-api:log-stream:a`)],
    ['sns:SetTopicAttributes', TOPIC],
    ['sns:AddPermission', TOPIC],
    // The stack itself.
    ['cloudformation:DeleteStack', arn('cloudformation', `stack/${STACK}/id`)],
    ['cloudformation:SetStackPolicy', arn('cloudformation', `stack/${STACK}/id`)],
  ])('leaves no way in by %s on %s', (action, resource, ...[context]) => {
    expect(allows(policy, action, resource, context)).toBe(false);
  });

  it('lets the role, within that boundary, do what the function needs', () => {
    const { ApiRole } = templates[2]?.Resources ?? {};
    const log = arn('logs', `log-group:/aws/lambda/${STACK}-api:log-stream:a`);
    const table = arn('dynamodb', 'table/items-live');
    const isAllowed = (resource: string) => (action: string) => allows(block('BOUNDARY'), action, resource);
    const resources: Readonly<Record<string, string>> = { log, table, traces: '*' };
    for (const { PolicyName, PolicyDocument } of ApiRole?.Properties.Policies ?? [])
      expect([PolicyName, PolicyDocument.Statement[0].Action.every(isAllowed(resources[PolicyName] ?? ''))]).toEqual([
        PolicyName,
        true,
      ]);
    expect(ApiRole?.Properties.Policies).toHaveLength(3);
    // What is restored from the table.
    expect(isAllowed(arn('dynamodb', 'table/items-live.restored'))('dynamodb:Query')).toBe(true);
  });

  it.each([
    ['dynamodb:PutItem', arn('dynamodb', 'table/items-live-eu')],
    ['dynamodb:GetItem', arn('dynamodb', 'table/items-live').replace('eu-central-1', 'eu-west-1')],
    ['logs:PutLogEvents', arn('logs', `log-group:/aws/lambda/${name}-live-eu-api:log-stream:a`)],
    ['logs:PutLogEvents', arn('logs', `log-group:/aws/lambda/${STACK}-api:log-stream:a`).replace('central', 'west')],
  ])('keeps the role, by that boundary, from %s on what another stage has: %s', (action, resource) => {
    expect(allows(block('BOUNDARY'), action, resource)).toBe(false);
  });

  it('limits the role to what the function does', () => {
    const { Statement } = block('BOUNDARY') as Policy;
    expect(Statement.flatMap(({ Action }) => Action).sort()).toEqual([
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]);
  });

  it('names resources of this stage alone, but where AWS knows none', () => {
    const table = [arn('dynamodb', 'table/items-live'), arn('dynamodb', 'table/items-live.*')];
    const isWide = (resource: string) => !resource.includes(STACK) && !table.includes(resource);
    const wide = policy.Statement.flatMap(({ Sid, Resource }) => (Resource.some(isWide) ? [Sid] : []));
    expect(wide).toEqual(['Template', 'Gateway', 'Domain', 'LogGroups', 'AccessLogOfHttpApi', 'AlarmList']);
    const [, reasons = ''] = /^\| Wider than this stage .*?\n((?:\|.*\n)+)/m.exec(guide) ?? [];
    for (const sid of wide) expect(reasons).toContain(`\`${sid}\``);
  });

  it.each([
    ['apigateway:DELETE', `${GATEWAY}/domainnames/items.example.com`],
    ['apigateway:PATCH', `${GATEWAY}/domainnames/api.example.com.au`],
    ['apigateway:GET', `${GATEWAY}/domainnames`],
    ['route53:ChangeResourceRecordSets', 'arn:aws:route53:::hostedzone/Z0123456789ABCDEFGHIJ'],
    ['cloudformation:CreateChangeSet', arn('cloudformation', `stack/${name}-test/id`)],
    ['lambda:UpdateFunctionCode', arn('lambda', `function:${name}-test-api`)],
    ['lambda:UpdateFunctionCode', arn('lambda', `function:${STACK}-eu-api`)],
    ['lambda:UpdateAlias', arn('lambda', `function:${STACK}-eu-api:current`)],
    ['logs:DeleteLogGroup', arn('logs', `log-group:/aws/lambda/${STACK}-eu-api:*`)],
    ['sns:Publish', arn('sns', `${STACK}-eu-AlarmTopic-1A2B3C`)],
    ['s3:PutObject', `arn:aws:s3:::${STACK}-eu-serverlessdeploymentbuck-1a2b3c/key`],
    ['logs:DeleteLogGroup', arn('logs', 'log-group:/aws/lambda/other:*')],
    ['dynamodb:DeleteTable', arn('dynamodb', 'table/items-live')],
    ['dynamodb:DescribeTable', arn('dynamodb', 'table/items-live-eu')],
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
    { ...pinned('actions/setup-node'), with: { 'node-version-file': '.nvmrc' } },
  ];

  const { test, staging, live, ...others } = (workflow as { jobs: Record<string, Job> }).jobs;

  it('tests in a job that can get no role, then deploys to staging, and to live only after that was tried', () => {
    expect(workflow).toHaveProperty('permissions', {});
    expect(test).toEqual({
      'runs-on': 'ubuntu-24.04',
      'timeout-minutes': 15,
      permissions: { contents: 'read' },
      steps: [...prepared, { run: 'npm ci' }, { run: 'npm test' }],
    });
    expect([staging?.needs, live?.needs, others]).toEqual(['test', 'staging', {}]);
    for (const [stage, job] of Object.entries({ staging, live }))
      expect(job).toMatchObject({
        environment: stage,
        env: { STAGE: stage },
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
      const role = `arn:aws:iam::123456789012:role/deploy-${name}-\${{ env.STAGE }}`;
      expect(job?.steps).toEqual([
        ...prepared,
        { run: 'npm ci --omit=dev --ignore-scripts' },
        {
          ...pinned('aws-actions/configure-aws-credentials'),
          with: { 'role-to-assume': role, 'aws-region': 'eu-central-1' },
        },
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

  it.each([
    ['7', '8', 'To go back: npm run rollback -- --stage live --to 7\n'],
    ['8', '8', ''],
  ])(
    'prints how to go back if the trial fails and callers were moved: from version %s to %s',
    async (before, after, printed) => {
      const steps = live?.steps ?? [];
      const [home, output] = [mkdtempSync(join(folder, 'home-')), 'output'];
      const shell = (version: string) => {
        const standIns = { aws: `#!/bin/sh\necho ${version}\n` };
        return openShell(mkdtempSync(join(home, version)), {
          standIns,
          variables: { STAGE: 'live', GITHUB_OUTPUT: join(home, output), BEFORE: before },
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

  it('can take its role only in one environment of one repository; besides it, people of one permission set can', () => {
    const values = { aud: 'sts.amazonaws.com', sub: 'repo:OWNER/REPOSITORY:environment:live' };
    const claims = Object.entries(values).map(([name, value]) => [
      `token.actions.githubusercontent.com:${name}`,
      value,
    ]);
    const Condition = { StringEquals: Object.fromEntries(claims) };
    const people = 'arn:aws:iam::123456789012:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_DEPLOYERS_*';
    expect(block('TRUST').Statement).toMatchObject([
      { Action: 'sts:AssumeRoleWithWebIdentity', Condition },
      { Action: 'sts:AssumeRole', Condition: { ArnLike: { 'aws:PrincipalArn': people } } },
    ]);
  });
});

describe("the guide's commands", () => {
  const files: Record<string, Policy> = {};
  const attached: string[] = [];

  beforeAll(async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    mkdirSync(join(home, 'docs'));
    cpSync('docs/deploy-policy.json', join(home, 'docs/deploy-policy.json'));
    const [, script = ''] = /^```sh\n(account=.*?)^```/ms.exec(guide) ?? [];
    const record = join(home, 'record');
    const aws = `#!/bin/sh\necho "$*" >> '${record}'\n[ "$1" = sts ] && echo 210987654321 || true\n`;
    await openShell(home, { standIns: { aws }, tools: ['cat', 'sed'] })(script);
    for (const call of readFileSync(record, 'utf8').split('\n')) {
      const [, made, file = ''] = /^iam create-(?:policy|role) .*--\w+-name (\S+) .*file:\/\/(\S+)/.exec(call) ?? [];
      if (made)
        files[/create-role/.test(call) ? `trust of ${made}` : made] = JSON.parse(
          readFileSync(join(home, file), 'utf8'),
        );
      const [, role] = /^iam attach-role-policy .*--role-name (\S+) --policy-arn \S+:policy\/\1$/.exec(call) ?? [];
      if (role) attached.push(role);
    }
  });

  const namesOf = (stage: string) => [
    `${name}-${stage}-boundary`,
    `deploy-${name}-${stage}`,
    `trust of deploy-${name}-${stage}`,
  ];

  it('make a boundary, a policy and a role for each of the two stages', () => {
    expect(Object.keys(files).sort()).toEqual(['staging', 'live'].flatMap(namesOf).sort());
    expect(attached).toEqual([`deploy-${name}-staging`, `deploy-${name}-live`]);
  });

  it.each([
    ['staging', 'staging.example.com', 'live', 'api.example.com'],
    ['live', 'api.example.com', 'staging', 'staging.example.com'],
  ])(
    'let the role of %s change that stage and %s alone, and be taken in its environment alone',
    (stage, domain, other, foreign) => {
      const all = JSON.stringify(namesOf(stage).map((name) => files[name]));
      const own = [`function:${name}-${stage}-api`, `table/items-${stage}"`, `policy/${name}-${stage}-boundary`];
      for (const text of [...own, `:environment:${stage}"`, `/domainnames/${domain}"`]) expect(all).toContain(text);
      for (const text of [`${name}-${other}`, `items-${other}`, `environment:${other}`, foreign, '123456789012'])
        expect(all).not.toContain(text);
    },
  );

  it.each(['staging', 'live'])('make a policy for %s that fits into a managed policy', (stage) => {
    expect(JSON.stringify(files[`deploy-${name}-${stage}`]).length).toBeLessThan(6_144);
  });
});
