import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openLog } from '../../shared/log/log.js';
import { deploymentFaults, packageService, resourcesOf } from '../support/deployment/deployment.js';
import { deriveTemplate, type Parameters, packagedAt } from '../support/deployment/derived-template.js';
import { expectedTemplate } from '../support/deployment/expected-template.js';
import { differences } from '../support/deployment/template-comparison.js';
import type { Resource, Template } from '../support/deployment/template-schema.js';
import { captureLog } from '../support/service/log.js';
import { COLLECTION } from '../support/service/resource.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const mail = { alarmEmail: 'operator@example.com' };
const everything: Parameters = {
  ...mail,
  todoTable: 'todo-items',
  accessLog: 'true',
  corsOrigins: 'https://a.example.com,https://b.example.com',
  logLevel: 'warn',
};

const folder = temporaryFolder();
let base: Template;

beforeAll(() => {
  base = packageService(join(folder, 'base')).template;
});

/** What is wrong with a template that was made with some parameters, and what that breaks on AWS. */
function faultsOf(template: Template, parameters: Parameters): string[] {
  // Serverless Framework's own, and what tests/deployment/template-responses.test.ts is about.
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

  it('outputs the addresses of the API and the page', () => {
    const address = (path: string) => ({
      Value: { 'Fn::Sub': `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/dev${path}` },
    });
    expect(base.Outputs).toMatchObject({ ApiUrl: address(COLLECTION), PageUrl: address('/swagger/ui') });
  });

  it('gives the function more time than the store takes, and less than the gateway waits', () => {
    const sources = readdirSync('shared/dynamodb').map((name) => readFileSync(join('shared/dynamodb', name), 'utf8'));
    const [, total] = /\btotal: ([\d_]+)/.exec(sources.join('\n')) ?? [];
    const { Timeout } = base.Resources.ApiLambdaFunction?.Properties ?? {};
    expect(Timeout * 1_000).toBeGreaterThan(Number(total?.replaceAll('_', '')));
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

/** A change of one resource. */
type Change = (resource: Resource) => unknown;

const properties = (values: object) => (resource: Resource) => Object.assign(resource.Properties, values);
const type = (Type: string) => (resource: Resource) => Object.assign(resource, { Type });
const without = (property: string) => (resource: Resource) => delete resource.Properties[property];
const waitsNotFor =
  (id: string) =>
  ({ DependsOn }: Resource) =>
    DependsOn?.splice(DependsOn.indexOf(id), 1);
const byTable = [{ Name: 'TableName', Value: 'todo-items' }];
const billed = [
  { MetricNamespace: 'todo-item-service-dev', MetricName: 'ErrorLines', MetricValue: '1', DefaultValue: 0 },
];

describe('a fault in the template is reported with what it breaks', () => {
  it.each<[fault: string, id: string, change: Change]>([
    ['ApiLambdaFunction.Timeouts: AWS has no such property', 'ApiLambdaFunction', properties({ Timeouts: 1 })],
    ['ApiLambdaFunction.Timeout: "long" is no integer', 'ApiLambdaFunction', properties({ Timeout: 'long' })],
    ['ApiLambdaFunction.Role: is missing', 'ApiLambdaFunction', without('Role')],
    ['ApiRole: AWS has no AWS::IAM::Rôle', 'ApiRole', type('AWS::IAM::Rôle')],
    ['RestApiId: refers to Api, which is not there', 'BusyResponse', properties({ RestApiId: { Ref: 'Api' } })],
    ['and nothing expects it', 'ApiLambdaFunction', properties({ TracingConfig: { Mode: 'Active' } })],
    ['nothing answers', 'ApiLambdaFunction', properties({ Handler: 'dist/nope.handler' })],
    ['or a table has one instance', 'ApiLambdaFunction', properties({ ReservedConcurrentExecutions: 1 })],
    ['requests that come before are refused by the table', 'ApiLambdaFunction', waitsNotFor('TodoTablePolicy')],
    ['the function writes no log, or may do more than that', 'ApiRole', properties({ Policies: [] })],
    ['a table in the stack of the service ends with it', 'TodoTablePolicy', type('AWS::DynamoDB::Table')],
    ['BusyResponse may be made after', 'ApiGatewayDeployment', waitsNotFor('BusyResponse')],
    ['a deployment is a copy of the API as it is then', 'ApiGatewayDeployment', waitsNotFor('ApiGatewayMethodAny')],
    ['a stage of the same name, and each update fails', 'ApiGatewayDeployment', properties({ StageName: 'dev' })],
    ['the gateway compresses answers, too', 'ApiGatewayRestApi', properties({ MinimumCompressionSize: 1024 })],
    ['a flood of requests is not slowed down, and is billed', 'ApiStage', without('MethodSettings')],
    ['the alarm never has data and never goes off', 'ErrorsAlarm', properties({ Dimensions: byTable })],
    ['or the mail comes long after', 'DurationAlarm', properties({ Period: 86_400 })],
    ['nobody is told when it ends', 'ErrorsAlarm', without('OKActions')],
    ['trouble is not mailed, or what is normal is', 'ErrorLinesAlarm', properties({ Threshold: 10 })],
    ['or it is billed where there is no line', 'ErrorLines', properties({ MetricTransformations: billed })],
  ])('%s', async (fault, id, change) => {
    const template = await deriveTemplate(base, everything);
    const [, resource] = Object.entries(template.Resources).find(([name]) => name.replace(/\d+$/, '') === id) ?? [];
    change(resource as Resource);
    expect(faultsOf(template, everything)).toContainEqual(expect.stringContaining(fault));
  });
});
