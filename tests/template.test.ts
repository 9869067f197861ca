import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Deployment, packageService } from './support/deployment.js';
import { deploymentFaults } from './support/deployment-faults.js';
import { deriveTemplate, type Parameters, packagedAt } from './support/derived-template.js';
import { expectedTemplate } from './support/expected-template.js';
import type { Template } from './support/schema.js';
import { differences } from './support/template-comparison.js';

const mail = { alarmEmail: 'operator@example.com' };
const everything: Parameters = {
  ...mail,
  todoTable: 'todo-items',
  accessLog: 'true',
  corsOrigins: 'https://a.example.com,https://b.example.com',
  logLevel: 'warn',
};

const folder = mkdtempSync(join(tmpdir(), 'todo-template-'));
let base: Deployment;

beforeAll(() => {
  base = packageService(join(folder, 'base'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What is wrong with a template that was made with some parameters, and what that breaks on AWS. */
function faultsOf(template: Template, parameters: Parameters): string[] {
  // Serverless Framework's own, and what tests/template-responses.test.ts is about.
  const others = /^(ServerlessDeploymentBucket|ApiGatewayDeployment\d)|Response$/;
  return [...deploymentFaults({ ...base, template }), ...differences(template, expectedTemplate(parameters), others)];
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
    expect(faultsOf(await deriveTemplate(base.template, parameters), expected)).toEqual([]);
  });

  it('is packaged as these tests derive it', async () => {
    const options = Object.entries(everything).map(([parameter, value]) => `--param=${parameter}=${value}`);
    const { template } = packageService(join(folder, 'everything'), options);
    expect(faultsOf(template, everything)).toEqual([]);
    expect(packagedAt(await deriveTemplate(base.template, everything), 1)).toEqual(packagedAt(template, 1));
  });

  it('puts out the addresses of the API and the page', () => {
    const address = (path: string) => ({
      Value: { 'Fn::Sub': `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/dev${path}` },
    });
    expect(base.template.Outputs).toMatchObject({ ApiUrl: address('/api/todo'), PageUrl: address('/swagger/ui') });
  });

  it('gives the function longer than the table has, and less than the gateway waits', () => {
    const sources = readdirSync('shared/dynamodb').map((name) => readFileSync(join('shared/dynamodb', name), 'utf8'));
    const [, budget] = /\b(?:budget|total\w*)(?: =|:) ([\d_]+)/i.exec(sources.join('\n')) ?? [];
    const { Timeout } = base.template.Resources.ApiLambdaFunction?.Properties ?? {};
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

type Plant = (resources: Template['Resources']) => void;

/** Changes properties of a resource. */
function set(id: string, properties: object): Plant {
  return (resources) => Object.assign(resources[id]?.Properties, properties);
}

describe('a template is refused', () => {
  it.each<[string, Plant, string]>([
    [
      'a handler that is not there',
      set('ApiLambdaFunction', { Handler: 'dist/nope.handler' }),
      'the package has no dist/nope.mjs for the handler dist/nope.handler',
    ],
    [
      'a handler that its module does not export',
      set('ApiLambdaFunction', { Handler: 'dist/api.nope' }),
      'dist/api.mjs exports no function nope',
    ],
    [
      'a handler with three parameters',
      set('ApiLambdaFunction', { Handler: 'dist/three.handler' }),
      'the handler has 3 parameters: the runtime refuses more than two',
    ],
    [
      'an unknown property',
      set('ApiLambdaFunction', { Timeouts: 1 }),
      'ApiLambdaFunction.Timeouts: AWS has no such property',
    ],
    [
      'a value of another type',
      set('ApiLambdaFunction', { Timeout: 'long' }),
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
      'a dead reference',
      set('BusyResponse', { RestApiId: { Ref: 'Api' } }),
      'template.Resources.BusyResponse.Properties.RestApiId: refers to Api, which is not there',
    ],
    [
      'a wildcard in the role',
      ({ ApiRole }) => Object.assign(ApiRole?.Properties.Policies[0].PolicyDocument.Statement[0], { Action: 'logs:*' }),
      "a role's statement has a wildcard",
    ],
    [
      'a table',
      (resources) => Object.assign(resources, { TodoTable: { Type: 'AWS::DynamoDB::Table', Properties: {} } }),
      'a table in this stack would end with it',
    ],
    [
      'a function that does not wait for its right',
      ({ ApiLambdaFunction }) => ApiLambdaFunction?.DependsOn?.pop(),
      'TodoTablePolicy may come after the function, whose first requests are then refused',
    ],
    [
      'no answer for a busy instance',
      (resources) => delete resources.BusyResponse,
      'the gateway response INTEGRATION_FAILURE is missing',
    ],
    [
      'an answer that is no problem',
      set('BusyResponse', { ResponseTemplates: { 'application/json': '{"status":503,' } }),
      'BusyResponse is no JSON: {"status":503,',
    ],
    ['an answer with two statuses', set('BusyResponse', { StatusCode: '500' }), 'BusyResponse has two statuses'],
    [
      'a deployment that does not wait for an answer',
      waitsNotFor('BusyResponse'),
      'BusyResponse may come after the deployment, a copy of the API',
    ],
    [
      'a deployment that does not wait for a method',
      waitsNotFor('ApiGatewayMethodAny'),
      'ApiGatewayMethodAny may come after the deployment, a copy of the API',
    ],
    [
      'compression by the gateway',
      set('ApiGatewayRestApi', { MinimumCompressionSize: 1024 }),
      'ApiGatewayRestApi.MinimumCompressionSize is 1024, not undefined: the gateway compresses answers, too',
    ],
    [
      'an alarm of Lambda by the table',
      set('ErrorsAlarm', { Dimensions: [{ Name: 'TableName', Value: 'todo-items' }] }),
      'the alarm never has data and never goes off',
    ],
    [
      'an alarm of a day',
      set('DurationAlarm', { Period: 86_400 }),
      'DurationAlarm.Period is 86400, not 300: the threshold is one of something else, or the mail comes long after',
    ],
    [
      'an alarm that does not say when it ends',
      ({ ErrorsAlarm }) => delete ErrorsAlarm?.Properties.OKActions,
      'nobody is told when it ends',
    ],
    [
      'a metric that is billed without a line',
      ({ ErrorLines }) => Object.assign(ErrorLines?.Properties.MetricTransformations[0], { DefaultValue: 0 }),
      'it is billed where there is no line',
    ],
    [
      'something that nobody asked for',
      set('ApiLambdaFunction', { TracingConfig: { Mode: 'Active' } }),
      'ApiLambdaFunction.TracingConfig is {"Mode":"Active"}, and nothing expects it',
    ],
  ])('with %s', async (_name, plant, fault) => {
    writeFileSync(
      join(base.folder, 'dist/three.mjs'),
      'export const handler = async (event, context, callback) => {};',
    );
    const template = await deriveTemplate(base.template, everything);
    plant(template.Resources);
    expect(faultsOf(template, everything)).toContainEqual(expect.stringContaining(fault));
  });

  function waitsNotFor(id: string): Plant {
    return (resources) => {
      for (const { Type, DependsOn } of Object.values(resources))
        if (Type === 'AWS::ApiGateway::Deployment') DependsOn?.splice(DependsOn.indexOf(id), 1);
    };
  }
});
