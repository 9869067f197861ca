import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import type { Template } from '../../serverless/changes/deployed-stack.js';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import { listen } from '../support/listen.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyForPackaging, type Run, runAll, stagesFile } from './packaging.js';
import { allows, type Context, LIVE, makePipeline, policyOf, type Right, type Statement, unused } from './pipeline.js';
import { arn, GATEWAY, rightsFor } from './resource-types.js';
import { PIPELINE, STAGES, type StageName } from './stages.js';
import { committedTemplate } from './templates.js';
import { BY_A_TEMPLATE, PAST_A_TEMPLATE, rightsOf } from './ways-in.js';

/** The stages that are deployed and removed, by their names: the shortest are told apart by the case of their letters alone. */
const DEPLOYED: Readonly<Record<string, StageName>> = {
  live: 'rest-signed',
  production: 'http-signed',
  LIVE: 'url-sign-in',
  staging: 'rest-sign-in',
  // As long as a role's name can be with what is in front of it.
  ['s'.repeat(49 - name.length - 1)]: 'http-memory',
};
const stages = Object.keys(DEPLOYED);
const CHANGED = 'deploy --param=logLevel=error';
/** Each is deployed. Those that have between them the three front doors are deployed with a change and without one, and removed. */
const storyOf = (stage: string) =>
  ['live', 'production', 'LIVE'].includes(stage) ? ['deploy', CHANGED, CHANGED, 'remove'] : ['deploy'];

const outputsOf = (stage: string) => {
  const { Outputs } = makePipeline({ ...LIVE, Stage: stage });
  return Object.fromEntries(Object.entries(Outputs).map(([output, { Value }]) => [output, Value]));
};

/** A call of AWS, as the right that it needs. */
interface Call {
  readonly right: Right;
  readonly stage: string;
  readonly region: string;
  readonly body: string;
}

const project = copyForPackaging(temporaryFolder());
const calls: Call[] = [];
const calledFor = (action: string, stage?: string) =>
  calls.filter((call) => call.right[0] === action && (!stage || call.stage === stage));

/** What a request to a service acts on; STS needs no right. */
const ARNS: Readonly<Record<string, (url: URL, action: string, stage: string) => string>> = {
  // A request for many objects to be deleted names them in its body.
  s3: ({ pathname }, action) => `arn:aws:s3:::${pathname.slice(1)}${action === 'DeleteObject' ? '/key' : ''}`,
  lambda({ pathname, searchParams }, action) {
    if (action === 'GetAccountSettings') return '*';
    const version = searchParams.get('Qualifier');
    return arn('lambda', `function:${pathname.split('/')[3]}${version ? `:${version}` : ''}`);
  },
  apigateway: ({ pathname }) => GATEWAY + pathname,
  cloudformation: (_, action, stage) => (action === 'ValidateTemplate' ? '*' : stackOf(stage)),
  dynamodb: () => arn('dynamodb', 'table/items-live'),
};

/** The right that a request to S3 needs. */
const S3_ACTIONS: Readonly<Record<string, string>> = {
  HEAD: 'ListBucket',
  GET: 'ListBucket',
  POST: 'DeleteObject',
  'HEAD object': 'GetObject',
  'GET object': 'GetObject',
  'PUT object': 'PutObject',
};

/** Six earlier deployments. */
const earlier = (stage: string) =>
  [0, 1, 2, 3, 4, 5].map(
    (n) =>
      `<Contents><Key>serverless/${name}/${stage}/170000000000${n}-2023-11-14T22:13:20.00${n}Z/compiled-cloudformation-template.json</Key></Contents>`,
  );

/** What each service answers; a caller reads what it asked for, and leaves the rest. */
const ANSWERS: Readonly<Record<string, (action: string, stage: string) => readonly [status: number, body: string]>> = {
  sts: () => [
    200,
    '<R><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:aws:iam::123456789012:user/me</Arn></GetCallerIdentityResult></R>',
  ],
  s3: (_, stage) => [200, `<R>${earlier(stage).join('')}</R>`],
  // Two versions more than are kept.
  lambda: (action) => {
    const Versions = Array.from({ length: 13 }, (_, number) => ({ Version: String(number + 1), FunctionName: 'api' }));
    return [200, action === 'ListVersionsByFunction' ? JSON.stringify({ Versions }) : '{"FunctionVersion":"7"}'];
  },
  apigateway: (_, stage) => [200, `{"item":[{"id":"a1b2c3","name":"${name}-${stage}"}],"tags":{}}`],
  // Serverless Framework tries to delete a log group that does not exist, and goes on if that is denied.
  logs: () => [400, '{"__type":"AccessDeniedException"}'],
  ecr: () => [400, '{"__type":"RepositoryNotFoundException"}'],
  cloudformation(action, stage) {
    const [change] = calledFor('cloudformation:CreateChangeSet', stage).slice(-1);
    if (!change && action !== 'ValidateTemplate')
      return [400, '<R><Error><Code>ValidationError</Code><Message>It does not exist</Message></Error></R>'];
    const isRemoved = calledFor('cloudformation:DeleteStack', stage).length > 0;
    const doing = isRemoved ? 'DELETE' : /(?<=ChangeSetType=)\w+/.exec(change?.body ?? '')?.[0];
    const isUnchanged = calledFor('cloudformation:CreateChangeSet', stage).length === 3;
    const event = (state: string) => `<member><EventId>${state}</EventId><StackName>live</StackName>
      <LogicalResourceId>live</LogicalResourceId><ResourceType>AWS::CloudFormation::Stack</ResourceType>
      <ResourceStatus>${doing}_${state}</ResourceStatus></member>`;
    return [
      200,
      `<R><${action}Result><Id>change</Id><StackId>stack</StackId>
      <Status>${isUnchanged ? 'FAILED' : 'CREATE_COMPLETE'}</Status>
      ${isUnchanged ? "<StatusReason>The submitted information didn't contain changes.</StatusReason>" : ''}
      <Changes><member><Type>Resource</Type></member></Changes>
      <Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member>
      <OutputKey>ApiLambdaFunctionQualifiedArn</OutputKey><OutputValue>${arn('lambda', 'function:name:7')}</OutputValue>
      </member></Outputs></member></Stacks>
      <StackEvents>${event('COMPLETE')}${event('IN_PROGRESS')}</StackEvents></${action}Result></R>`,
    ];
  },
};

/** Stands in for AWS, where a stage is deployed, and notes what is called. */
const openAws = (stage: string) =>
  createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const [, region = '', service = ''] = /=\w+\/\d+\/([^/]+)\/(\w+)\//.exec(headers.authorization ?? '') ?? [];
    const query = new URLSearchParams(body);
    const address = new URL(url.replace(/\/(?=\?|$)/, ''), 'http://aws');
    const path = address.pathname;
    const actions: Readonly<Record<string, string | undefined>> = {
      s3: S3_ACTIONS[path.split('/')[2] ? `${method} object` : method],
      lambda: lambdaAction(method, path),
    };
    const [, named] = String(headers['x-amz-target'] ?? '').split('.');
    const action = actions[service] ?? query.get('Action') ?? named ?? method;
    const resource = ARNS[service]?.(address, action, stage);
    const role = query.get('RoleARN');
    const context: Context = role ? { 'cloudformation:RoleArn': role } : {};
    if (resource) calls.push({ right: [`${service}:${action}`, resource, context], stage, region, body });
    const [status, answer] = ANSWERS[service]?.(action, stage) ?? [400, `{"message":"no answer of ${service}"}`];
    response.writeHead(status, { 'Content-Type': answer.startsWith('<') ? 'text/xml' : 'application/json' });
    response.end(answer);
  });

function lambdaAction(method: string, path: string): string {
  if (path.endsWith('/account-settings')) return 'GetAccountSettings';
  if (method === 'DELETE') return 'DeleteFunction';
  if (path.endsWith('/versions')) return 'ListVersionsByFunction';
  if (path.endsWith('/aliases')) return 'ListAliases';
  return path.includes('/aliases/') ? 'GetAlias' : 'GetFunction';
}

beforeAll(async () => {
  const runs: Run[] = [];
  const servers = await Promise.all(stages.map(async (stage) => [stage, openAws(stage)] as const));
  for (const [stage, server] of servers) {
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    const variables = {
      ...keys,
      AWS_ENDPOINT_URL: `http://${await listen(server.unref())}`,
      SLS_AWS_MONITORING_FREQUENCY: '1',
    };
    const parameters = { ...STAGES[DEPLOYED[stage] as StageName], permissionsBoundary: '', ...outputsOf(stage) };
    for (const command of storyOf(stage))
      runs.push({ command: `${command} --stage ${stage}`, files: stagesFile({ [stage]: parameters }), variables });
  }
  for (const { code, printed } of await runAll(project, runs)) if (code !== 0) throw new Error(printed);
  for (const [, server] of servers) server.close();
});

describe('a deployment', () => {
  it('lets CloudFormation act as the role of the stage, whatever it does', () => {
    const withRole = calls.filter(({ right: [action] }) => /(CreateChangeSet|DeleteStack)$/.test(action));
    expect(withRole.map(({ stage, right }) => [stage, right[2]])).toEqual(
      stages.flatMap((stage) =>
        storyOf(stage).map(() => [stage, { 'cloudformation:RoleArn': outputsOf(stage).deploymentRole }]),
      ),
    );
    const others = /:(Create|Update)Stack$|:ContinueUpdateRollback$/;
    expect(calls.filter(({ right: [action] }) => others.test(action))).toEqual([]);
  });

  it('is made in eu-central-1 unless the command or AWS_REGION says otherwise', () => {
    expect(new Set(calls.map(({ region }) => region))).toEqual(new Set(['eu-central-1']));
  });

  it('tags the whole stack with the service and the stage, so that the bill tells them apart', () => {
    for (const { body, stage } of calledFor('cloudformation:CreateChangeSet'))
      expect(body).toContain(
        `Key=service&Tags.member.1.Value=${name}&Tags.member.2.Key=stage&Tags.member.2.Value=${stage}&`,
      );
  });

  it('protects the stack from deletion, because it has the public address', () => {
    const protections = calledFor('cloudformation:UpdateTerminationProtection', 'live').map(({ body }) => body);
    expect(protections[0]).toContain('EnableTerminationProtection=true');
  });

  it('keeps the last five deployments, of six, to go back to', () => {
    expect(calledFor('s3:DeleteObject', 'live')[0]?.body.match(/live\/\d+-/g)).toEqual(['live/1700000000000-']);
  });

  it('makes neither a role nor a bucket', () => {
    for (const { Resources } of templatesOf('live'))
      expect(Object.values(Resources).filter(({ Type }) => /^AWS::(IAM|S3)::/.test(Type))).toEqual([]);
  });
});

/** What a stage has uploaded. */
function templatesOf(stage: string): Template[] {
  const uploads = calledFor('s3:PutObject', stage).filter(({ body }) => body.startsWith('{"AWSTemplateFormat'));
  return uploads.map(({ body }) => JSON.parse(body));
}

const functionOf = (stage: string) => arn('lambda', `function:${name}-${stage}-api`);
const stackOf = (stage: string) => arn('cloudformation', `stack/${name}-${stage}/id`);
const passedTo = (service: string): Context => ({ 'iam:PassedToService': `${service}.amazonaws.com` });
const BUCKET = `arn:aws:s3:::${PIPELINE.deploymentBucket}`;
const [STACK, FUNCTION] = [stackOf('live'), functionOf('live')];

/** What AWS asks of who deploys besides, and what the workflow and `npm run diff` call. */
const besides = (stage: string): Right[] => [
  ['iam:PassRole', outputsOf(stage).deploymentRole ?? '', passedTo('cloudformation')],
  ['cloudformation:TagResource', stackOf(stage)],
  ['cloudformation:GetTemplate', stackOf(stage)],
  ['s3:GetObject', `${BUCKET}/key`],
  ['lambda:GetFunction', functionOf(stage)],
  ['lambda:GetAccountSettings', '*'],
  ['dynamodb:DescribeTable', arn('dynamodb', 'table/items-live')],
  ['dynamodb:DescribeTable', arn('dynamodb', 'table/items-live.restored')],
];

const policy = (role: string, given: Readonly<Record<string, string>> = LIVE) => policyOf(makePipeline(given), role);
const ofStage = (role: string, stage: string) => policy(role, { ...LIVE, Stage: stage });
const refused = (statements: readonly Statement[], rights: readonly Right[]) =>
  rights.filter((right) => !allows(statements, right));

describe("the pipeline's role", () => {
  /** An administrator removes a stage. */
  const needed = (stage: string) => [
    ...calls.filter((call) => call.stage === stage && !/:DeleteStack$/.test(call.right[0])).map((call) => call.right),
    ...besides(stage),
  ];

  it.each(stages)('may make each call of the deployments of %s, and none is in vain', (stage) => {
    expect(calledFor('cloudformation:ExecuteChangeSet', stage)).toHaveLength(storyOf(stage).length > 1 ? 2 : 1);
    expect(refused(ofStage('PipelineRole', stage), needed(stage))).toEqual([]);
  });

  it('has no right that no deployment needs', () => {
    expect(unused(policy('PipelineRole'), needed('live'))).toEqual([]);
  });

  it.each(['LIVE', 'live-eu', 'staging'])('has no right on the stage %s, though its name is alike', (stage) => {
    const elsewhere = needed('live').map(([action, on, context]): Right => {
      return [action, on.replaceAll(`${name}-live`, `${name}-${stage}`), context];
    });
    const others = elsewhere.filter(([, on]) => on.includes(`${name}-${stage}`));
    expect(others.length).toBeGreaterThan(10);
    expect(others.filter((right) => allows(policy('PipelineRole'), right))).toEqual([]);
  });

  it.each(Object.keys(PAST_A_TEMPLATE))('leaves no way in by %s', (way) => {
    const rights = rightsOf(PAST_A_TEMPLATE[way] ?? '');
    expect(rights.filter((right) => allows(policy('PipelineRole'), right))).toEqual([]);
  });
});

describe("CloudFormation's role", () => {
  const ofTemplates = (stage: string) => templatesOf(stage).flatMap((template) => rightsFor(template, stage));

  it.each(stages)('may create, read, change and delete each resource that the stage %s has', (stage) => {
    expect(ofTemplates(stage).length).toBeGreaterThan(50);
    expect(refused(ofStage('DeploymentRole', stage), ofTemplates(stage))).toEqual([]);
  });

  it('has no right that no resource needs', () => {
    const pipeline = policy('DeploymentRole');
    const all = ['live', 'production', 'LIVE'].flatMap((stage) =>
      ofTemplates(stage).map(
        ([action, on, context]): Right => [action, on.replaceAll(`${name}-${stage}`, `${name}-live`), context],
      ),
    );
    const role: Right = ['iam:PassRole', PIPELINE.functionRole, passedTo('lambda')];
    expect(unused(pipeline, [...all, role])).toEqual([]);
  });

  it.each<[what: string, without: Readonly<Record<string, string>>, ...rights: Right[]]>([
    ['the domain', { Domains: '' }, ['apigateway:PATCH', `${GATEWAY}/domainnames/api.example.com`]],
    ['the domain', { Domains: '' }, ['apigateway:POST', `${GATEWAY}/domainnames`]],
    ['the zone', { HostedZone: '' }, recordOf('api.example.com')],
    ['the zone', { Domains: '' }, recordOf('api.example.com')],
    ['a URL', { FunctionUrl: 'false' }, ['lambda:CreateFunctionUrlConfig', FUNCTION]],
    ['a URL', { FunctionUrl: 'false' }, ['lambda:AddPermission', FUNCTION, { 'lambda:Principal': '*' }]],
  ])('may not change %s unless the pipeline has it: %j', (_what, without, right) => {
    expect(allows(policy('DeploymentRole'), right)).toBe(true);
    expect(allows(policy('DeploymentRole', { ...LIVE, ...without }), right)).toBe(false);
  });

  it.each([
    ['api.example.com', ['api.example.com'], ['example.com', 'api.example.com.au', 'b.api.example.com']],
    ['api.example.com,b.example.com', ['api.example.com', 'b.example.com'], ['c.example.com']],
    ['*.example.com', ['api.example.com', 'b.example.com'], ['example.com', 'api.example.org']],
  ])('changes the domains %s alone, and their records', (Domains, own, foreign) => {
    const statements = policy('DeploymentRole', { ...LIVE, Domains });
    const can = (domain: string) =>
      [
        ['apigateway:PATCH', `${GATEWAY}/domainnames/${domain}`] as const,
        ['apigateway:POST', `${GATEWAY}/domainnames/${domain}/apimappings`] as const,
        recordOf(domain),
      ].map((right) => allows(statements, right));
    for (const domain of own) expect([domain, can(domain)]).toEqual([domain, [true, true, true]]);
    for (const domain of foreign) expect([domain, can(domain)]).toEqual([domain, [false, false, false]]);
    const elsewhere: Right = [
      'apigateway:PATCH',
      `${GATEWAY.replace('central', 'west')}/domainnames/${own[0]}`,
      { 'aws:RequestedRegion': 'eu-west-1' },
    ];
    expect(allows(statements, elsewhere)).toBe(false);
  });

  it.each(Object.keys(BY_A_TEMPLATE))('leaves no way, even by a template, to %s', (way) => {
    const rights = rightsOf(BY_A_TEMPLATE[way] ?? '');
    expect(rights.filter((right) => allows(policy('DeploymentRole'), right))).toEqual([]);
  });
});

function recordOf(domain: string, type = 'A'): Right {
  const context = {
    'route53:ChangeResourceRecordSetsNormalizedRecordNames': domain,
    'route53:ChangeResourceRecordSetsRecordTypes': type,
  };
  return ['route53:ChangeResourceRecordSets', 'arn:aws:route53:::hostedzone/Z0123456789ABCDEFGHIJ', context];
}

describe("the function's role", () => {
  const table = (suffix = '') => arn('dynamodb', `table/items-live${suffix}`);
  const stream = (stage = 'live') => arn('logs', `log-group:/aws/lambda/${name}-${stage}-api:log-stream:a`);

  it('has the rights of the role that a stack makes', () => {
    // It has a table and traces.
    const { ApiRole } = committedTemplate('url-sign-in').Resources;
    const made: { PolicyDocument: { Statement: [Statement] } }[] = ApiRole?.Properties.Policies;
    const actionsOf = (statements: readonly Statement[]) => statements.flatMap(({ Action }) => Action).sort();
    expect(actionsOf(policy('FunctionRole'))).toEqual(actionsOf(made.map((one) => one.PolicyDocument.Statement[0])));
  });

  it('may use the table, and what is restored from it', () => {
    const rights: Right[] = [table(), table('.restored')].map((on) => ['dynamodb:Query', on]);
    const log: Right = ['logs:PutLogEvents', stream()];
    expect(refused(policy('FunctionRole'), [...rights, log, ['xray:PutTraceSegments', '*']])).toEqual([]);
    for (const right of rights) expect(allows(policy('FunctionRole', { ...LIVE, Table: '' }), right)).toBe(false);
  });

  it.each<Right>([
    ['dynamodb:PutItem', table('-eu')],
    ['dynamodb:GetItem', table().replace('central', 'west')],
    ['dynamodb:Scan', table()],
    ['logs:PutLogEvents', stream('live-eu')],
    ['logs:PutLogEvents', stream().replace('central', 'west')],
  ])('may not do %s on %s', (...right) => {
    expect(allows(policy('FunctionRole'), right)).toBe(false);
  });
});

describe('the role that reads for a review', () => {
  const rights: Right[] = [
    ['cloudformation:DescribeStacks', STACK],
    ['cloudformation:GetTemplate', STACK],
    ['lambda:GetFunction', FUNCTION],
    ['lambda:GetFunction', `${FUNCTION}:current`],
  ];

  it('may read what is deployed', () => {
    expect(refused(policy('ReviewRole'), rights)).toEqual([]);
  });

  it('may do nothing else', () => {
    expect(policy('ReviewRole').flatMap(({ Action }) => Action)).toEqual([
      'cloudformation:DescribeStacks',
      'cloudformation:GetTemplate',
      'lambda:GetFunction',
    ]);
    expect(allows(policy('ReviewRole'), ['cloudformation:GetTemplate', stackOf('staging')])).toBe(false);
  });
});

describe('who can be a role', () => {
  const { Resources } = makePipeline();
  const trustOf = (role: string) => Resources[role]?.Properties.AssumeRolePolicyDocument.Statement;

  it.each([
    ['FunctionRole', 'lambda.amazonaws.com'],
    ['DeploymentRole', 'cloudformation.amazonaws.com'],
  ])('%s: %s alone', (role, Service) => {
    expect(trustOf(role)).toEqual([{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service } }]);
  });

  it.each([
    ['PipelineRole', 'jobs in the environment of the stage', 'environment:live'],
    ['ReviewRole', 'jobs of the branch main', 'ref:refs/heads/main'],
  ])('%s: %s', (role, _who, subject) => {
    const github = 'token.actions.githubusercontent.com';
    const claims = { [`${github}:aud`]: 'sts.amazonaws.com', [`${github}:sub`]: `repo:OWNER/REPOSITORY:${subject}` };
    expect(trustOf(role)).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: `arn:aws:iam::123456789012:oidc-provider/${github}` },
        Condition: { StringEquals: claims },
      },
    ]);
  });
});

it.each([
  ['OWNER/REPOSITORY', true],
  // What GitHub's tokens name a repository that was made, renamed or moved since 15 July 2026.
  ['OWNER@123456/my-repository@456789', true],
  ['OWNER@/REPOSITORY', false],
  ['OWNER@123456', false],
  ['OWNER/REPOSITORY:environment:live', false],
])('takes %j as a repository of GitHub: %j', (repository, isTaken) => {
  const { Parameters } = parseYaml(readFileSync('serverless/pipeline.yml', 'utf8')) as {
    Parameters: Record<string, { AllowedPattern: string }>;
  };
  expect(new RegExp(`^(?:${Parameters.Repository?.AllowedPattern})$`).test(repository)).toBe(isTaken);
});

describe('the stack', () => {
  const PROVIDER = {
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: { Url: 'https://token.actions.githubusercontent.com', ClientIdList: ['sts.amazonaws.com'] },
  };

  it("makes GitHub's provider only on request, and keeps it for other stages", () => {
    expect(makePipeline().Resources.Provider).toBeUndefined();
    expect(makePipeline({ ...LIVE, MakeProvider: 'true' }).Resources.Provider).toMatchObject(PROVIDER);
  });

  it('prints the parameters of the stage', () => {
    expect(outputsOf('live')).toEqual(PIPELINE);
  });

  it('keeps the bucket, which nobody else reads, and what is overwritten in it', () => {
    const { Bucket } = makePipeline().Resources;
    expect(Bucket).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(Bucket?.Properties).toEqual({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: {
        Rules: [
          {
            Status: 'Enabled',
            NoncurrentVersionExpiration: { NoncurrentDays: 90 },
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
          },
        ],
      },
    });
  });

  it('lets nobody use the bucket without TLS', () => {
    const { Bucket, PolicyDocument } = makePipeline().Resources.BucketPolicy?.Properties ?? {};
    expect([Bucket, PolicyDocument.Statement[0].Principal]).toEqual([PIPELINE.deploymentBucket, '*']);
    const all: Statement = { Effect: 'Allow', Action: 's3:*', Resource: '*' };
    const isAllowed = (on: string, tls: string) =>
      allows([all, ...PolicyDocument.Statement], ['s3:GetObject', on, { 'aws:SecureTransport': tls }]);
    for (const on of [BUCKET, `${BUCKET}/key`])
      expect([on, isAllowed(on, 'true'), isAllowed(on, 'false')]).toEqual([on, true, false]);
  });

  it('puts a boundary on each of its roles where one is demanded', () => {
    const rolesOf = (given: object) =>
      Object.values(makePipeline({ ...LIVE, ...given }).Resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
    const boundary = 'arn:aws:iam::123456789012:policy/boundary';
    expect(rolesOf({}).map(({ Properties }) => Properties.PermissionsBoundary)).toEqual(Array(4).fill(undefined));
    const bounded = rolesOf({ PermissionsBoundary: boundary });
    expect(bounded.map(({ Properties }) => Properties.PermissionsBoundary)).toEqual(Array(4).fill(boundary));
  });

  it.each(stages)(
    'of the stage %s fits what IAM takes: names of 64 characters, policies of 10,240, trust of 2,048',
    (Stage) => {
      const roles = Object.values(makePipeline({ ...LIVE, Stage }).Resources).filter(
        ({ Type }) => Type === 'AWS::IAM::Role',
      );
      expect(roles).toHaveLength(4);
      for (const { Properties } of roles) {
        const policies = Properties.Policies.map((one: { PolicyDocument: object }) =>
          JSON.stringify(one.PolicyDocument),
        );
        expect(Properties.RoleName.length).toBeLessThanOrEqual(64);
        expect(policies.join('').length).toBeLessThanOrEqual(10_240);
        expect(JSON.stringify(Properties.AssumeRolePolicyDocument).length).toBeLessThanOrEqual(2_048);
      }
    },
  );
});
