import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openLog } from '../shared/log.js';
import { deploymentFaults, packageService, resourcesOf } from './support/deployment.js';
import { deriveTemplate, type Parameters, packagedAt } from './support/derived-template.js';
import { expectedTemplate } from './support/expected-template.js';
import { captureLog } from './support/log.js';
import { differences } from './support/template-comparison.js';
import type { Resource, Template } from './support/template-schema.js';

const mail = { alarmEmail: 'operator@example.com' };
const everything: Parameters = {
  ...mail,
  todoTable: 'todo-items',
  accessLog: 'true',
  corsOrigins: 'https://a.example.com,https://b.example.com',
  logLevel: 'warn',
};

const folder = mkdtempSync(join(tmpdir(), 'todo-template-'));
let base: Template;

beforeAll(() => {
  base = packageService(join(folder, 'base')).template;
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What is wrong with a template that was made with some parameters, and what that breaks on AWS. */
function faultsOf(template: Template, parameters: Parameters): string[] {
  // Serverless Framework's own, and what tests/template-responses.test.ts is about.
  const others = /^(ServerlessDeploymentBucket|ApiGateway(Method|Resource)|ApiLambdaPermission)|Response$/;
  return [...deploymentFaults({ template }), ...differences(template, expectedTemplate(parameters), others)];
}

describe('the template', () => {
  it.each<[string, Parameters]>([
    ['by default', {}],
    ['with all that can be asked for', everything],
    ['with alarms for a collection in memory', mail],
    ['with alarms and nothing reserved', { ...mail, reservedConcurrency: 'none' }],
    ['with alarms and a log of problems', { ...mail, logLevel: 'error' }],
    ['with alarms and no log', { ...mail, logLevel: 'silent' }],
    ['with a table', { todoTable: 'todo-items' }],
    ['with memory asked for', { todoTable: 'none', reservedConcurrency: '1' }],
  ])('has what the service needs and nothing else: %s', async (_name, parameters) => {
    const { todoTable = '', ...others } = parameters;
    const expected = { ...others, todoTable: todoTable === 'none' ? '' : todoTable };
    expect(faultsOf(await deriveTemplate(base, parameters), expected)).toEqual([]);
  });

  it('counts the lines that the log has for what failed', () => {
    const lines = captureLog();
    openLog('error').error?.('the collection is unavailable', {});
    jest.restoreAllMocks();
    const { ErrorLines } = expectedTemplate(mail);
    expect(ErrorLines?.['other lines are counted']?.FilterPattern).toBe(`{ $.level = "${lines[0]?.level}" }`);
  });

  it('is packaged as these tests derive it', async () => {
    const options = Object.entries(everything).map(([parameter, value]) => `--param=${parameter}=${value}`);
    const { template } = packageService(join(folder, 'everything'), options);
    expect(faultsOf(template, everything)).toEqual([]);
    expect(packagedAt(await deriveTemplate(base, everything), 1)).toEqual(packagedAt(template, 1));
  });

  it('hands every method and path to the function, whoever calls', () => {
    const methods = resourcesOf(base, 'AWS::ApiGateway::Method').map(({ Properties }) => Properties);
    expect(
      methods.map(({ AuthorizationType, HttpMethod, ResourceId }) => [AuthorizationType, HttpMethod, ResourceId]),
    ).toEqual([
      ['NONE', 'ANY', { 'Fn::GetAtt': ['ApiGatewayRestApi', 'RootResourceId'] }],
      ['NONE', 'ANY', { Ref: 'ApiGatewayResourceProxyVar' }],
    ]);
    expect(base.Resources).toHaveProperty('ApiGatewayResourceProxyVar.Properties.PathPart', '{proxy+}');
  });

  it('puts out the addresses of the API and the page', () => {
    const address = (path: string) => ({
      Value: { 'Fn::Sub': `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/dev${path}` },
    });
    expect(base.Outputs).toMatchObject({ ApiUrl: address('/api/todo'), PageUrl: address('/swagger/ui') });
  });

  it('gives the function longer than the table has, and less than the gateway waits', () => {
    const sources = readdirSync('shared/dynamodb').map((name) => readFileSync(join('shared/dynamodb', name), 'utf8'));
    const [, budget] = /\b(?:budget|total\w*)(?: =|:) ([\d_]+)/i.exec(sources.join('\n')) ?? [];
    const { Timeout } = base.Resources.ApiLambdaFunction?.Properties ?? {};
    expect(Timeout * 1_000).toBeGreaterThan(Number(budget?.replaceAll('_', '')));
    expect(Timeout).toBeLessThan(29);
  });

  it('lets the function do on the table what the store does', () => {
    const sources = readdirSync('shared/store').map((name) => readFileSync(join('shared/store', name), 'utf8'));
    const calls = sources.join('\n').matchAll(/'((?:Batch|Delete|Get|Put|Query|Scan|Transact|Update)[A-Za-z]*)'/g);
    const operations = [...new Set(Array.from(calls, ([, operation]) => `dynamodb:${operation}`))].sort();
    expect(JSON.stringify(expectedTemplate({ todoTable: 'todo-items' }))).toContain(
      `"Action":${JSON.stringify(operations)}`,
    );
  });
});

/** A change of one resource: of its properties, or of what it depends on. */
type Change = (resource: Resource) => unknown;

const properties = (values: object) => (resource: Resource) => Object.assign(resource.Properties, values);
const without = (property: string) => (resource: Resource) => delete resource.Properties[property];
const waitsNotFor =
  (id: string) =>
  ({ DependsOn }: Resource) =>
    DependsOn?.splice(DependsOn.indexOf(id), 1);
const byTable = [{ Name: 'TableName', Value: 'todo-items' }];
const billed = [
  { MetricNamespace: 'todo-item-service-dev', MetricName: 'ErrorLines', MetricValue: '1', DefaultValue: 0 },
];

describe('a fault in the template is told, with what it breaks:', () => {
  it.each<[id: string, change: Change, fault: string]>([
    ['ApiLambdaFunction', properties({ Timeouts: 1 }), 'ApiLambdaFunction.Timeouts: AWS has no such property'],
    ['ApiLambdaFunction', properties({ Timeout: 'long' }), 'ApiLambdaFunction.Timeout: "long" is no integer'],
    ['ApiLambdaFunction', properties({ Handler: 'dist/nope.handler' }), 'nothing answers'],
    ['ApiLambdaFunction', properties({ ReservedConcurrentExecutions: 1 }), 'or a table has one instance'],
    ['ApiLambdaFunction', properties({ TracingConfig: { Mode: 'Active' } }), 'and nothing expects it'],
    ['ApiLambdaFunction', without('Role'), 'ApiLambdaFunction.Role: is missing'],
    ['ApiLambdaFunction', waitsNotFor('TodoTablePolicy'), 'requests that come before are refused by the table'],
    ['ApiRole', (role) => Object.assign(role, { Type: 'AWS::IAM::Rôle' }), 'ApiRole: AWS has no AWS::IAM::Rôle'],
    ['ApiRole', properties({ Policies: [] }), 'the function writes no log, or may do more than that'],
    [
      'TodoTablePolicy',
      (policy) => Object.assign(policy, { Type: 'AWS::DynamoDB::Table' }),
      'a table in the stack of the service',
    ],
    ['BusyResponse', properties({ RestApiId: { Ref: 'Api' } }), 'refers to Api, which is not there'],
    [
      'ApiGatewayDeployment',
      waitsNotFor('BusyResponse'),
      'BusyResponse may be made after the AWS::ApiGateway::Deployment',
    ],
    ['ApiGatewayDeployment', waitsNotFor('ApiGatewayMethodAny'), 'a copy of the API as it is then'],
    ['ApiGatewayRestApi', properties({ MinimumCompressionSize: 1024 }), 'the gateway compresses answers, too'],
    ['ApiStage', without('MethodSettings'), 'a flood of requests is not slowed down'],
    ['ErrorsAlarm', properties({ Dimensions: byTable }), 'the alarm never has data and never goes off'],
    ['DurationAlarm', properties({ Period: 86_400 }), 'or the mail comes long after'],
    ['ErrorsAlarm', without('OKActions'), 'nobody is told when it ends'],
    ['ErrorLinesAlarm', properties({ Threshold: 10 }), 'trouble is not mailed, or what is normal is'],
    ['ErrorLines', properties({ MetricTransformations: billed }), 'it is billed where there is no line'],
  ])('%s, %#', async (id, change, fault) => {
    const template = await deriveTemplate(base, everything);
    const [, resource] = Object.entries(template.Resources).find(([name]) => name.replace(/\d+$/, '') === id) ?? [];
    change(resource as Resource);
    expect(faultsOf(template, everything)).toContainEqual(expect.stringContaining(fault));
  });
});
