import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Deployment, deploymentFaults, packageService, resourcesOf } from './support/deployment.js';

const folder = mkdtempSync(join(tmpdir(), 'todo-template-'));

afterAll(() => rmSync(folder, { recursive: true }));

const TABLE = ['todoTable=todo-items', 'tableRemoval=Delete'];

const packaged = new Map<string, Deployment>();

/** Packages the service, once for the same parameters: it takes seconds. */
function packageWith(...parameters: readonly string[]): Deployment {
  const name = parameters.join();
  const options = parameters.map((parameter) => `--param=${parameter}`);
  const deployment = packaged.get(name) ?? packageService(join(folder, String(packaged.size)), options);
  packaged.set(name, deployment);
  return deployment;
}

describe.each([
  ['by default', [], { environment: { CORS_ORIGINS: '', LOG_LEVEL: 'info', TODO_TABLE: '' } }],
  ['with a concurrency of 1', ['reservedConcurrency=1'], {}],
  ['with a table', TABLE, { environment: { TODO_TABLE: 'todo-items' } }],
  ['without reserved concurrency', ['reservedConcurrency=none'], { reserved: { Ref: 'AWS::NoValue' } }],
  [
    'with CORS and another level of the log',
    ['corsOrigins=https://a.example.com,https://b.example.com', 'logLevel=warn'],
    {
      environment: { CORS_ORIGINS: 'https://a.example.com,https://b.example.com', LOG_LEVEL: 'warn' },
    },
  ],
])('the template %s', (_name, parameters, expected: { reserved?: unknown; environment?: object }) => {
  let deployment: Deployment;
  let lambda: Record<string, unknown>;

  beforeAll(() => {
    deployment = packageWith(...parameters);
    lambda = resourcesOf(deployment.template, 'AWS::Lambda::Function')[0]?.Properties;
  });

  it('fits the schemas of AWS, refers to nothing that is not there, and grants no more than is needed', () => {
    expect(deploymentFaults(deployment)).toEqual([]);
  });

  it('has the function as its parameters say', () => {
    const { reserved = { 'Fn::If': ['Table', { Ref: 'AWS::NoValue' }, 1] }, environment = {} } = expected;
    expect(lambda).toMatchObject({
      Handler: 'dist/api.handler',
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      ReservedConcurrentExecutions: reserved,
      Environment: { Variables: environment },
      LoggingConfig: { LogFormat: 'JSON' },
      Role: { 'Fn::GetAtt': ['ApiRole', 'Arn'] },
    });
    expect(lambda.Timeout).toBeLessThan(29);
  });
});

describe('the template with a table', () => {
  let deployment: Deployment;

  beforeAll(() => {
    deployment = packageWith(...TABLE);
  });

  it('has the table only where it is named', () => {
    expect(deployment.template).toHaveProperty('Conditions.Table', {
      'Fn::Not': [{ 'Fn::Equals': ['todo-items', ''] }],
    });
    for (const type of ['AWS::DynamoDB::Table', 'AWS::IAM::Policy']) {
      expect(resourcesOf(deployment.template, type)).toEqual([expect.objectContaining({ Condition: 'Table' })]);
    }
  });

  it('keeps it from loss, unless told otherwise', () => {
    const [kept] = resourcesOf(packageWith().template, 'AWS::DynamoDB::Table');
    expect(kept).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
      },
    });
    const [table] = resourcesOf(deployment.template, 'AWS::DynamoDB::Table');
    expect(table).toMatchObject({
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: { TableName: 'todo-items', KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }] },
    });
  });

  it('lets the role do on this table what the store does, and nothing else', () => {
    const [policy] = resourcesOf(deployment.template, 'AWS::IAM::Policy');
    const calls = readFileSync('shared/todo/rows.ts', 'utf8').matchAll(
      /'((?:Batch|Delete|Get|Put|Query|Scan|Transact|Update)\w*)'/g,
    );
    expect(policy?.Properties).toEqual({
      PolicyName: 'table',
      Roles: [{ Ref: 'ApiRole' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: [...new Set(Array.from(calls, ([, operation]) => `dynamodb:${operation}`))].sort(),
            Resource: { 'Fn::GetAtt': ['TodoTable', 'Arn'] },
          },
        ],
      },
    });
  });
});

describe('the template', () => {
  let deployment: Deployment;

  beforeAll(() => {
    deployment = packageWith();
  });

  /** The same, with something changed. */
  function planted(change: (template: Deployment['template']) => void): Deployment {
    const template = structuredClone(deployment.template);
    change(template);
    return { ...deployment, template };
  }

  it('hands every method and path to the function', () => {
    const methods = resourcesOf(deployment.template, 'AWS::ApiGateway::Method').map(({ Properties }) => Properties);
    expect(methods.map(({ HttpMethod, ResourceId }) => [HttpMethod, ResourceId])).toEqual([
      ['ANY', { 'Fn::GetAtt': ['ApiGatewayRestApi', 'RootResourceId'] }],
      ['ANY', { Ref: 'ApiGatewayResourceProxyVar' }],
    ]);
    expect(deployment.template.Resources).toHaveProperty('ApiGatewayResourceProxyVar.Properties.PathPart', '{proxy+}');
    const [api] = resourcesOf(deployment.template, 'AWS::ApiGateway::RestApi');
    expect(api?.Properties).toMatchObject({
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });

  it('throttles the stage', () => {
    const [stage] = resourcesOf(deployment.template, 'AWS::ApiGateway::Deployment');
    expect(stage?.Properties.StageDescription.MethodSettings).toEqual([
      { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 100, ThrottlingBurstLimit: 50 },
    ]);
  });

  it('lets the role write to the log group of the function, and do nothing else', () => {
    const [role] = resourcesOf(deployment.template, 'AWS::IAM::Role');
    expect(role?.Properties.Policies.map((policy: object) => policy)).toEqual([
      {
        PolicyName: 'log',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              Resource: { 'Fn::GetAtt': ['ApiLogGroup', 'Arn'] },
            },
          ],
        },
      },
    ]);
    expect(resourcesOf(deployment.template, 'AWS::Logs::LogGroup').map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({ LogGroupName: '/aws/lambda/todo-item-service-dev-api', RetentionInDays: 14 }),
    ]);
  });

  it('answers 503 with Retry-After when the instance is busy', () => {
    expect(deployment.template.Resources.BusyResponse?.Properties).toMatchObject({
      ResponseType: 'INTEGRATION_FAILURE',
      StatusCode: '503',
      ResponseParameters: {
        'gatewayresponse.header.Retry-After': "'1'",
        'gatewayresponse.header.Access-Control-Allow-Origin': { 'Fn::If': ['Cors', "'*'", { Ref: 'AWS::NoValue' }] },
      },
    });
  });

  it('puts out the addresses of the API and the page', () => {
    expect(deployment.template.Outputs).toMatchObject({
      ApiUrl: { Value: { 'Fn::Sub': expect.stringMatching(/^https:.*\/dev\/api\/todo$/) } },
      PageUrl: { Value: { 'Fn::Sub': expect.stringMatching(/^https:.*\/dev\/swagger\/ui$/) } },
    });
  });

  it.each<[string, (resources: Deployment['template']['Resources']) => void, string]>([
    [
      'a handler that is not there',
      ({ ApiLambdaFunction }) => Object.assign(ApiLambdaFunction?.Properties, { Handler: 'dist/nope.handler' }),
      'the package has no dist/nope.mjs for the handler dist/nope.handler',
    ],
    [
      'a handler that its module does not export',
      ({ ApiLambdaFunction }) => Object.assign(ApiLambdaFunction?.Properties, { Handler: 'dist/api.nope' }),
      'dist/api.mjs exports no function nope',
    ],
    [
      'a handler with three parameters',
      ({ ApiLambdaFunction }) => {
        writeFileSync(
          join(deployment.folder, 'dist/three.mjs'),
          'export const handler = async (event, context, callback) => {};',
        );
        Object.assign(ApiLambdaFunction?.Properties, { Handler: 'dist/three.handler' });
      },
      'the handler has 3 parameters: the runtime refuses more than two',
    ],
    [
      'a wildcard in the role',
      ({ ApiRole }) => Object.assign(ApiRole?.Properties.Policies[0].PolicyDocument.Statement[0], { Action: 'logs:*' }),
      `a role's statement has a wildcard: ${JSON.stringify({ Effect: 'Allow', Action: 'logs:*', Resource: { 'Fn::GetAtt': ['ApiLogGroup', 'Arn'] } })}`,
    ],
    [
      'no answer for a busy instance',
      (resources) => delete resources.BusyResponse,
      'the gateway response INTEGRATION_FAILURE is missing',
    ],
    [
      'an answer that is no problem',
      ({ BusyResponse }) =>
        Object.assign(BusyResponse?.Properties.ResponseTemplates, { 'application/json': '{"status":503,' }),
      'BusyResponse is no JSON: {"status":503,',
    ],
    [
      'an answer with two statuses',
      ({ BusyResponse }) => Object.assign(BusyResponse?.Properties, { StatusCode: '500' }),
      'BusyResponse has two statuses',
    ],
    [
      'a dead reference',
      ({ BusyResponse }) => Object.assign(BusyResponse?.Properties, { RestApiId: { Ref: 'Api' } }),
      'template.Resources.BusyResponse.Properties.RestApiId: refers to Api, which is not there',
    ],
    [
      'an unknown property',
      ({ ApiLambdaFunction }) => Object.assign(ApiLambdaFunction?.Properties, { Timeouts: 1 }),
      'ApiLambdaFunction.Timeouts: AWS has no such property',
    ],
    [
      'a value of another type',
      ({ ApiLambdaFunction }) => Object.assign(ApiLambdaFunction?.Properties, { Timeout: 'long' }),
      'ApiLambdaFunction.Timeout: "long" is no integer',
    ],
    [
      'a missing property',
      ({ ApiLambdaFunction }) => delete ApiLambdaFunction?.Properties.Role,
      'ApiLambdaFunction.Role: is missing',
    ],
    [
      'an unknown type',
      ({ ApiRole }) => Object.assign(ApiRole ?? {}, { Type: 'AWS::IAM::Rôle' }),
      'ApiRole: AWS has no AWS::IAM::Rôle',
    ],
    [
      'an answer that the deployment does not wait for',
      (resources) => {
        for (const { Type, DependsOn } of Object.values(resources))
          if (Type === 'AWS::ApiGateway::Deployment') DependsOn?.splice(DependsOn.indexOf('BusyResponse'), 1);
      },
      'BusyResponse may come after the deployment, and then is no part of it',
    ],
  ])('is refused with %s', (_name, change, fault) => {
    expect(deploymentFaults(planted(({ Resources }) => change(Resources)))).toContain(fault);
  });
});
