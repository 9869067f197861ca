import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Deployment, deploymentFaults, packageService, resourcesOf } from './support/deployment.js';
import { deriveTemplate, type Parameters } from './support/derived.js';
import type { Template } from './support/schema.js';

const folder = mkdtempSync(join(tmpdir(), 'todo-template-'));

const EVERYTHING: Parameters = {
  todoTable: 'todo-items',
  tableRemoval: 'Delete',
  alarmEmail: 'operator@example.com',
  accessLog: 'true',
  corsOrigins: 'https://a.example.com,https://b.example.com',
  logLevel: 'warn',
};
const UNRESERVED: Parameters = { reservedConcurrency: 'none', alarmEmail: 'operator@example.com' };

const PLAIN = [
  'AWS::ApiGateway::Deployment',
  ...Array(7).fill('AWS::ApiGateway::GatewayResponse'),
  ...Array(2).fill('AWS::ApiGateway::Method'),
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::IAM::Role',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
];
const MAILED = ['AWS::SNS::Subscription', 'AWS::SNS::Topic'];
const ALARM = 'AWS::CloudWatch::Alarm';

let base: Deployment;

beforeAll(() => {
  base = packageService(join(folder, 'base'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function packageWith(name: string, parameters: Parameters): Deployment {
  const options = Object.entries(parameters).map(([parameter, value]) => `--param=${parameter}=${value}`);
  return packageService(join(folder, name), options);
}

function lambdaOf(template: Template) {
  return template.Resources.ApiLambdaFunction?.Properties ?? {};
}

/** What differs between two packagings, and is not our doing, is made the same. */
function comparable(template: Template): unknown {
  return JSON.parse(JSON.stringify(template).replaceAll(/\d{13}(-[^/"]*Z)?/g, 'NUMBER'));
}

describe.each<[string, Parameters, readonly string[]]>([
  ['by default', {}, PLAIN],
  [
    'with everything',
    EVERYTHING,
    [...PLAIN, ...MAILED, ...Array(6).fill(ALARM), 'AWS::DynamoDB::Table', 'AWS::IAM::Policy', 'AWS::Logs::LogGroup'],
  ],
  [
    'with alarms and nothing reserved',
    UNRESERVED,
    [...PLAIN, ...MAILED, ...Array(5).fill(ALARM), 'AWS::Logs::MetricFilter'],
  ],
])('the template %s', (name, parameters, types) => {
  let deployment: Deployment;

  beforeAll(() => {
    deployment = name === 'by default' ? base : packageWith(name, parameters);
  });

  it('fits the schemas of AWS, refers to nothing that is not there, and grants no more than is needed', () => {
    expect(deploymentFaults(deployment)).toEqual([]);
  });

  it('has these resources and no others', () => {
    const all = Object.values(deployment.template.Resources).map(({ Type }) => Type);
    expect(all.sort()).toEqual([...types].sort());
  });

  it('is the one that the other tests derive instead of packaging', async () => {
    expect(comparable(await deriveTemplate(base.template, parameters))).toEqual(comparable(deployment.template));
  });
});

describe('the function', () => {
  it('is as it was chosen to be', () => {
    const { Code, ...properties } = lambdaOf(base.template);
    expect(Code.S3Bucket).toEqual({ Ref: 'ServerlessDeploymentBucket' });
    expect(properties).toEqual({
      FunctionName: 'todo-item-service-dev-api',
      Description: 'To-do Item Service',
      Handler: 'dist/api.handler',
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: 640,
      Timeout: 10,
      ReservedConcurrentExecutions: 1,
      Environment: { Variables: { CORS_ORIGINS: '', LOG_LEVEL: 'info', TODO_TABLE: '' } },
      LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'TRACE', SystemLogLevel: 'INFO' },
      Role: { 'Fn::GetAtt': ['ApiRole', 'Arn'] },
      Tags: [
        { Key: 'service', Value: 'todo-item-service' },
        { Key: 'stage', Value: 'dev' },
      ],
    });
  });

  it('has longer than the table has, and less than the gateway waits', () => {
    const sources = readdirSync('shared/dynamodb').map((name) => readFileSync(join('shared/dynamodb', name), 'utf8'));
    const [, total] = /\btotal: ([\d_]+)/.exec(sources.join('\n')) ?? [];
    const { Timeout } = lambdaOf(base.template);
    expect(Timeout * 1_000).toBeGreaterThan(Number(total?.replaceAll('_', '')));
    expect(Timeout).toBeLessThan(29);
  });

  it('gets what is chosen into its environment', async () => {
    expect(lambdaOf(await deriveTemplate(base.template, EVERYTHING))).toMatchObject({
      ReservedConcurrentExecutions: { Ref: 'AWS::NoValue' },
      Environment: {
        Variables: { CORS_ORIGINS: EVERYTHING.corsOrigins, LOG_LEVEL: 'warn', TODO_TABLE: 'todo-items' },
      },
    });
    expect(lambdaOf(await deriveTemplate(base.template, UNRESERVED))).toMatchObject({
      ReservedConcurrentExecutions: { Ref: 'AWS::NoValue' },
    });
  });

  it('has a role that writes to its log, and does nothing else', () => {
    expect(base.template.Resources.ApiRole).toEqual({
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
        },
        Policies: [
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
        ],
      },
    });
    expect(base.template.Resources.ApiLogGroup?.Properties).toEqual({
      LogGroupName: '/aws/lambda/todo-item-service-dev-api',
      RetentionInDays: 14,
    });
  });
});

describe('the REST API', () => {
  it('hands every method and path to the function', () => {
    const methods = resourcesOf(base.template, 'AWS::ApiGateway::Method').map(({ Properties }) => Properties);
    expect(methods.map(({ HttpMethod, ResourceId }) => [HttpMethod, ResourceId])).toEqual([
      ['ANY', { 'Fn::GetAtt': ['ApiGatewayRestApi', 'RootResourceId'] }],
      ['ANY', { Ref: 'ApiGatewayResourceProxyVar' }],
    ]);
    expect(base.template.Resources).toHaveProperty('ApiGatewayResourceProxyVar.Properties.PathPart', '{proxy+}');
    expect(base.template.Resources.ApiGatewayRestApi?.Properties).toMatchObject({
      Name: 'todo-item-service-dev',
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });

  it('has a stage of its own, throttled, with the deployment of this packaging', () => {
    const [id = ''] = Object.keys(base.template.Resources).filter((name) => name.startsWith('ApiGatewayDeployment'));
    expect(base.template.Resources[id]?.Properties).toEqual({ RestApiId: { Ref: 'ApiGatewayRestApi' } });
    expect(base.template.Resources.ApiStage?.Properties).toEqual({
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      DeploymentId: { Ref: id },
      StageName: 'dev',
      MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 100, ThrottlingBurstLimit: 50 }],
    });
  });

  it('puts out the addresses of the API and the page', () => {
    expect(base.template.Outputs).toMatchObject({
      ApiUrl: { Value: { 'Fn::Sub': expect.stringMatching(/^https:.*\/dev\/api\/todo$/) } },
      PageUrl: { Value: { 'Fn::Sub': expect.stringMatching(/^https:.*\/dev\/swagger\/ui$/) } },
    });
  });
});

describe('the template', () => {
  it.each<[string, (resources: Template['Resources']) => void, string]>([
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
          join(base.folder, 'dist/three.mjs'),
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
    const template = structuredClone(base.template);
    change(template.Resources);
    expect(deploymentFaults({ ...base, template })).toContain(fault);
  });
});
