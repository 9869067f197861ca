import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openLog } from '../../shared/log/log.js';
import { deployTwice, EVERYTHING } from '../support/deployment/aws.js';
import { parseYaml } from '../support/deployment/deployment.js';
import { deriveTemplate, packagedAt } from '../support/deployment/derived-template.js';
import { changed, type Template, templateFaults } from '../support/deployment/template.js';
import { captureLog } from '../support/service/log.js';
import { COLLECTION } from '../support/service/resource.js';

const expected = { Resources: parseYaml(readFileSync('tests/deployment/template.yml', 'utf8')) } as Template;
let everything: Template;
let base: Template;

beforeAll(async () => {
  ({ everything, base } = await deployTwice());
});

/** The resources that tests/deployment/template.yml describes, with texts of JSON parsed. */
function comparable(template: Template): Template['Resources'] {
  const elsewhere =
    /^(ServerlessDeploymentBucket|ApiGateway(Method|Resource|Deployment)|ApiLambdaPermission)|Response$/;
  const { Resources } = packagedAt(template, 1);
  const entries = Object.entries(Resources).filter(([id]) => !elsewhere.test(id));
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)), (_, value) =>
    /^\{"/.test(value) ? JSON.parse(value) : value,
  );
}

const FUNCTION = 'ApiLambdaFunction.Properties';
const VARIABLES = `${FUNCTION}.Environment.Variables`;
const IN_MEMORY = {
  'ApiLambdaFunction.DependsOn': ['ApiLogGroup', 'ApiRole'],
  [`${FUNCTION}.ReservedConcurrentExecutions`]: 1,
  [`${VARIABLES}.TABLE_NAME`]: '',
  [`${VARIABLES}.TODO_TABLE`]: '',
  TodoTablePolicy: undefined,
  TableErrorsAlarm: undefined,
  TableThrottlesAlarm: undefined,
  // While the one instance is busy, Lambda refuses requests, as it should.
  'ThrottlesAlarm.Properties.Threshold': 100,
};
const ALARMS = ['Errors', 'Throttles', 'Duration', 'ErrorLines', 'Failures', 'TableThrottles', 'TableErrors'];
const NO_MAIL = Object.fromEntries(
  ['AlarmTopic', 'AlarmSubscription', 'ErrorLines', ...ALARMS.map((name) => `${name}Alarm`)].map((id) => [
    id,
    undefined,
  ]),
);
const NO_ACCESS_LOG = { AccessLog: undefined, 'ApiStage.Properties.AccessLogSetting': undefined };
/** A log of requests shows each time a collection in memory begins again, so that can be counted. */
const CollectionsLost = {
  Type: 'AWS::Logs::MetricFilter',
  Properties: {
    LogGroupName: { Ref: 'ApiLogGroup' },
    FilterPattern: '{ $.coldStart IS TRUE }',
    MetricTransformations: [
      { MetricNamespace: 'todo-item-service-live', MetricName: 'CollectionsLost', MetricValue: '1' },
    ],
  },
};

describe('the template', () => {
  it('has what the service needs and nothing else', () => {
    expect(comparable(everything)).toEqual(expected.Resources);
    expect([...templateFaults(everything), ...templateFaults(base)]).toEqual([]);
  });

  it('is the same when these tests derive it and when it is packaged', async () => {
    expect(packagedAt(base, 1)).toEqual(packagedAt(await deriveTemplate(base, {}), 1));
    expect(packagedAt(everything, 1)).toEqual(packagedAt(await deriveTemplate(base, EVERYTHING), 1));
  });

  it.each<[string, object, object]>([
    ['with a log of requests', { logLevel: 'info' }, { [`${VARIABLES}.LOG_LEVEL`]: 'info' }],
    ['in memory', { table: 'none' }, IN_MEMORY],
    [
      'in memory, with a log of requests',
      { table: 'none', logLevel: 'info' },
      { ...IN_MEMORY, [`${VARIABLES}.LOG_LEVEL`]: 'info', CollectionsLost },
    ],
    [
      'in memory, with nothing reserved',
      { table: 'none', reservedConcurrency: 'none' },
      {
        ...IN_MEMORY,
        [`${FUNCTION}.ReservedConcurrentExecutions`]: { Ref: 'AWS::NoValue' },
        'ThrottlesAlarm.Properties.Threshold': 1,
      },
    ],
    [
      'without a log',
      { logLevel: 'silent' },
      { [`${VARIABLES}.LOG_LEVEL`]: 'silent', ErrorLines: undefined, ErrorLinesAlarm: undefined },
    ],
    ['without an access log', { accessLog: 'false' }, NO_ACCESS_LOG],
    ['for its own page only', { corsOrigins: '' }, { [`${VARIABLES}.CORS_ORIGINS`]: '' }],
    ['without mail', { alarmEmail: '' }, NO_MAIL],
    [
      'with the defaults',
      { table: 'none', alarmEmail: '', accessLog: 'false', corsOrigins: '', logLevel: 'info' },
      {
        ...IN_MEMORY,
        [`${VARIABLES}.LOG_LEVEL`]: 'info',
        [`${VARIABLES}.CORS_ORIGINS`]: '',
        ...NO_ACCESS_LOG,
        ...NO_MAIL,
      },
    ],
  ])('follows the parameters: %s', async (_name, parameters, changes) => {
    const template = await deriveTemplate(base, { ...EVERYTHING, ...parameters });
    expect(comparable(template)).toEqual(changed(expected, changes).Resources);
    expect(templateFaults(template)).toEqual([]);
  });

  it('counts the lines that the log has for failed requests', () => {
    const lines = captureLog();
    openLog('error').error?.('the collection is unavailable', {});
    jest.restoreAllMocks();
    const { FilterPattern } = everything.Resources.ErrorLines?.Properties ?? {};
    expect(FilterPattern).toBe(`{ $.level = "${lines[0]?.level}" }`);
  });

  it('hands every method and path to the function, whoever calls', () => {
    const methods = Object.values(base.Resources).filter(({ Type }) => Type === 'AWS::ApiGateway::Method');
    expect(
      methods.map(({ Properties: { AuthorizationType, HttpMethod, ResourceId, Integration } }) => [
        AuthorizationType,
        HttpMethod,
        ResourceId,
        Integration.Type,
      ]),
    ).toEqual([
      ['NONE', 'ANY', { 'Fn::GetAtt': ['ApiGatewayRestApi', 'RootResourceId'] }, 'AWS_PROXY'],
      ['NONE', 'ANY', { Ref: 'ApiGatewayResourceProxyVar' }, 'AWS_PROXY'],
    ]);
    expect(base.Resources).toHaveProperty('ApiGatewayResourceProxyVar.Properties.PathPart', '{proxy+}');
  });

  it('outputs the addresses of the API and the page', () => {
    const address = (path: string) => ({
      Value: { 'Fn::Sub': `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/live${path}` },
    });
    expect(base.Outputs).toMatchObject({ ApiUrl: address(COLLECTION), PageUrl: address('/swagger/ui') });
  });

  it('gives the function more time than the store takes, and less than the gateway waits', () => {
    const [, total = ''] = /\btotal: ([\d_]+)/.exec(sourcesIn('shared/dynamodb')) ?? [];
    const { Timeout } = base.Resources.ApiLambdaFunction?.Properties ?? {};
    expect(Timeout * 1_000).toBeGreaterThan(Number(total.replaceAll('_', '')));
    expect(Timeout).toBeLessThan(29);
  });

  it('lets the function do on the table just what the store does', () => {
    const calls = sourcesIn('shared/store').matchAll(
      /'((?:Batch|Delete|Get|Put|Query|Scan|Transact|Update)[A-Za-z]*)'/g,
    );
    const operations = [...new Set(Array.from(calls, ([, operation]) => `dynamodb:${operation}`))].sort();
    const [statement] = everything.Resources.TodoTablePolicy?.Properties.PolicyDocument.Statement ?? [];
    expect(statement.Action).toEqual(operations);
  });
});

function sourcesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

describe('the checks report a fault in the template', () => {
  const Ref = (id: string) => ({ Ref: id });

  it.each<[fault: string, path: string, value: unknown]>([
    ['ApiLambdaFunction.Timeouts: AWS has no such property', `${FUNCTION}.Timeouts`, 1],
    ['ApiLambdaFunction.Timeout: "long" is no integer', `${FUNCTION}.Timeout`, 'long'],
    ['ApiLambdaFunction.Role: is missing', `${FUNCTION}.Role`, undefined],
    ['AWS has no AWS::IAM::Rôle', 'ApiRole.Type', 'AWS::IAM::Rôle'],
    ['BusyResponse refers to Api, which is not there', 'BusyResponse.Properties.RestApiId', Ref('Api')],
    ['ApiStage refers to Deployment2, which is not there', 'ApiStage.Properties.DeploymentId', Ref('Deployment2')],
    ['the table denies requests that come before', 'ApiLambdaFunction.DependsOn', ['ApiRole']],
    ['BusyResponse may be made after', 'ApiGatewayDeployment1.DependsOn', ['ApiGatewayMethodAny']],
    ['a deployment is a copy of the API as it is then', 'ApiGatewayDeployment1.DependsOn', ['BusyResponse']],
    ['the deployment makes a stage that no resource has', 'ApiGatewayDeployment1.Properties.StageName', 'live'],
    ['a table in the stack of the service ends with it', 'TodoTable.Type', 'AWS::DynamoDB::Table'],
    ['is then in the way of the next try', 'AccessLog.DeletionPolicy', 'RetainExceptOnCreate'],
    ['needs TodoTablePolicy needs ApiLambdaFunction: a circle', 'TodoTablePolicy.DependsOn', ['ApiLambdaFunction']],
  ])('%s', (fault, path, value) => {
    const template = changed(packagedAt(everything, 1), { [path]: value });
    expect(templateFaults(template)).toContainEqual(expect.stringContaining(fault));
  });

  it('also a condition, which could hide one from them', () => {
    expect(templateFaults({ ...base, Conditions: {} } as Template)).toEqual([expect.stringContaining('conditions')]);
  });
});
