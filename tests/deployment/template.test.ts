import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { name } from '../../package.json';
import { openLog } from '../../shared/log/log.js';
import { type Parameters, packageAll } from '../support/deployment/packaging.js';
import { changed, normalized, previous, type Template } from '../support/deployment/template.js';
import { captureLog } from '../support/service/log.js';

const Ref = (id: string) => ({ Ref: id });
const Arn = { 'Fn::GetAtt': ['ApiLambdaFunction', 'Arn'] };
const aws = (type: string, Properties: object, more = {}) => ({ Type: `AWS::${type}`, Properties, ...more });
const BOUNDARY = 'arn:aws:iam::123456789012:policy/boundary';
const common = { alarmEmail: 'operator@example.com', accessLog: true, permissionsBoundary: BOUNDARY };
/** What the fixtures of the release before were packaged with, and a boundary, which is new. */
const MEMORY: Parameters = { ...common, table: 'none' };
const TABLE: Parameters = {
  ...common,
  table: 'todo-items-live',
  corsOrigins: 'https://a.example.com,https://b.example.com',
  logLevel: 'warn',
};

const FUNCTION = 'ApiLambdaFunction.Properties';
const VARIABLES = `${FUNCTION}.Environment.Variables`;

/** What this release changes in any stage that has an access log and alarms. */
const SINCE = {
  'ApiRole.Properties.PermissionsBoundary': BOUNDARY,
  [`${VARIABLES}.TOKEN_ISSUER`]: '',
  [`${VARIABLES}.TOKEN_AUDIENCE`]: '',
  // Lambda's own status, not that of the function's answer.
  'ApiStage.Properties.AccessLogSetting.Format.integrationStatus': '$context.integration.integrationStatus',
  'ThrottlesAlarm.Properties.AlarmDescription': 'Lambda is throttling requests: the concurrency limit is reached.',
  'FailuresAlarm.Properties.AlarmDescription':
    'At least a tenth of all requests, and at least ten, returned 5xx: see the logs.',
};
const memory = changed(comparable(previous('memory')), { ...SINCE, [`${VARIABLES}.TABLE_NAME`]: '' });
const table = changed(comparable(previous('table')), {
  ...SINCE,
  [`${VARIABLES}.TABLE_NAME`]: 'todo-items-live',
  'TableThrottlesAlarm.Properties.AlarmDescription': 'DynamoDB throttles more than retries can absorb.',
  'TableErrorsAlarm.Properties.AlarmDescription': 'DynamoDB fails more than retries can absorb.',
  TableReadsAlarm: aws('CloudWatch::Alarm', {
    ...previous('table').Resources.ErrorsAlarm?.Properties,
    AlarmDescription: 'The table is read 1,000 units a second, which costs about ten dollars a day.',
    Threshold: 300_000,
    Namespace: 'AWS/DynamoDB',
    MetricName: 'ConsumedReadCapacityUnits',
    Dimensions: [{ Name: 'TableName', Value: 'todo-items-live' }],
  }),
});

const without = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, undefined]));
const idsLike = (template: Template, pattern: RegExp) =>
  Object.keys(template.Resources).filter((id) => pattern.test(id));
const NO_REST_API = without(idsLike(table, /^ApiGateway|ApiStage|Response$|ApiLambdaPermission/));
const failures = (Namespace: string, names: readonly [string, string], Name: string, id: string) =>
  Object.fromEntries(
    names.map((MetricName, index) => [
      `FailuresAlarm.Properties.Metrics.${index}.MetricStat.Metric`,
      { Namespace, MetricName, Dimensions: [{ Name, Value: Ref(id) }] },
    ]),
  );

/** What is there instead of the REST API, with the same settings. */
const ApiId = Ref('HttpApi');
const Tags = { service: name, stage: 'live' };
const HTTP_API = {
  ...NO_REST_API,
  ...failures('AWS/ApiGateway', ['5xx', 'Count'], 'ApiId', 'HttpApi'),
  HttpApi: aws('ApiGatewayV2::Api', { Name: `${name}-live`, ProtocolType: 'HTTP', Tags }),
  HttpApiStage: aws('ApiGatewayV2::Stage', {
    ...{ ApiId, StageName: '$default', AutoDeploy: true, Tags },
    DefaultRouteSettings: { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 50 },
    AccessLogSettings: table.Resources.ApiStage?.Properties.AccessLogSetting,
  }),
  HttpApiIntegrationApi: aws('ApiGatewayV2::Integration', {
    ...{
      ApiId,
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: Arn,
      PayloadFormatVersion: '2.0',
      TimeoutInMillis: 30_000,
    },
  }),
  HttpApiRouteDefault: aws(
    'ApiGatewayV2::Route',
    {
      ...{ ApiId, RouteKey: '$default', AuthorizationType: 'NONE' },
      Target: { 'Fn::Join': ['/', ['integrations', Ref('HttpApiIntegrationApi')]] },
    },
    { DependsOn: 'HttpApiIntegrationApi' },
  ),
  ApiLambdaPermissionHttpApi: JSON.parse(
    JSON.stringify(table.Resources.ApiLambdaPermissionApiGateway).replace(
      /ApiGatewayRestApi(.*)\/\*\/\*/,
      'HttpApi$1/*',
    ),
  ),
};
const permission = (more: object) => aws('Lambda::Permission', { FunctionName: Arn, Principal: '*', ...more });
const FUNCTION_URL = {
  ...NO_REST_API,
  ...failures('AWS/Lambda', ['Url5xxCount', 'UrlRequestCount'], 'FunctionName', 'ApiLambdaFunction'),
  AccessLog: undefined,
  ApiLambdaFunctionUrl: aws('Lambda::Url', { AuthType: 'NONE', TargetFunctionArn: Arn }),
  ApiLambdaPermissionFnUrl: permission({ Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' }),
  ApiLambdaPermissionFn: permission({ Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true }),
};

const mailed = (template: Template) => without(idsLike(template, /^Alarm|Alarm$|^ErrorLines$/));
const level = (logLevel: string) => ({ [`${VARIABLES}.LOG_LEVEL`]: logLevel });
const NO_ACCESS_LOG = { AccessLog: undefined, 'ApiStage.Properties.AccessLogSetting': undefined };
/** Each case: the parameters, and the template that they make. */
const CASES: Readonly<Record<string, readonly [Parameters, Template]>> = {
  'items in memory': [MEMORY, memory],
  'items in a table': [TABLE, table],
  'an HTTP API': [{ ...TABLE, frontDoor: 'http' }, changed(table, HTTP_API)],
  'an HTTP API, in memory': [{ ...MEMORY, frontDoor: 'http' }, changed(memory, HTTP_API)],
  'a function URL': [{ ...TABLE, frontDoor: 'url', accessLog: false }, changed(table, FUNCTION_URL)],
  'a function URL, in memory': [{ ...MEMORY, frontDoor: 'url', accessLog: false }, changed(memory, FUNCTION_URL)],
  'no log of requests, so that none counts collections lost': [
    { ...MEMORY, logLevel: 'warn' },
    changed(memory, { ...level('warn'), CollectionsLost: undefined }),
  ],
  'nothing reserved, so that nothing should be refused': [
    { ...MEMORY, reservedConcurrency: 'none' },
    changed(memory, {
      [`${FUNCTION}.ReservedConcurrentExecutions`]: Ref('AWS::NoValue'),
      'ThrottlesAlarm.Properties.Threshold': 1,
    }),
  ],
  'no log': [
    { ...TABLE, logLevel: 'silent' },
    changed(table, { ...level('silent'), ErrorLines: undefined, ErrorLinesAlarm: undefined }),
  ],
  'no access log': [{ ...TABLE, accessLog: false }, changed(table, NO_ACCESS_LOG)],
  'no access log of an HTTP API': [
    { ...TABLE, frontDoor: 'http', accessLog: false },
    changed(table, { ...HTTP_API, AccessLog: undefined, 'HttpApiStage.Properties.AccessLogSettings': undefined }),
  ],
  'no mail': [{ ...TABLE, alarmEmail: '' }, changed(table, mailed(table))],
  'the defaults': [
    {},
    changed(memory, {
      ...NO_ACCESS_LOG,
      ...mailed(memory),
      CollectionsLost: undefined,
      'ApiRole.Properties.PermissionsBoundary': Ref('AWS::NoValue'),
    }),
  ],
};
const NAMES = Object.keys(CASES);
let packaged: Record<string, Template>;

beforeAll(async () => {
  packaged = await packageAll(
    Object.fromEntries(Object.entries(CASES).map(([name, [parameters]]) => [name, parameters])),
  );
});

/** A template without what is new at each packaging, and without the bodies that responses.test.ts reads; JSON in it is parsed. */
function comparable(template: Template): Template {
  return JSON.parse(JSON.stringify(normalized(template)), (name, value) => {
    if (name === 'ResponseTemplates') return undefined;
    return /^\{"timestamp"/.test(value) ? JSON.parse(value) : value;
  });
}

describe('the template', () => {
  it.each(NAMES)('is that of the release before, and what this one changes on purpose: %s', (name) => {
    const { Resources, ...others } = comparable(packaged[name] as Template);
    expect(Resources).toEqual(CASES[name]?.[1].Resources);
    // serverless/ leaves out what was not asked for, so there is no condition, which could hide a resource from the tests.
    expect(Object.keys(others)).toEqual(['AWSTemplateFormatVersion', 'Description', 'Outputs']);
  });

  it.each(NAMES)('refers only to what it has: %s', (name) => {
    const { Resources, Outputs } = packaged[name] as Template;
    const needed = Object.values(Resources).flatMap(({ DependsOn = [] }) => DependsOn);
    const references = /"(?:Ref":|Fn::GetAtt":\[)"([^":]+)"|\$\{(\w+)[.}]/g;
    const named = Array.from(
      JSON.stringify([Resources, Outputs]).matchAll(references),
      ([, id, inText]) => id ?? inText,
    );
    for (const id of [...needed, ...named]) expect(Object.keys(Resources)).toContain(id);
  });

  it.each([
    ['items in a table', `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/live/`],
    ['an HTTP API', `https://\${HttpApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/`],
    // It ends with a slash.
    ['a function URL', `\${ApiLambdaFunctionUrl.FunctionUrl}`],
  ])('outputs the addresses of the API and the page: %s', (name, base) => {
    const { ApiUrl, PageUrl } = packaged[name]?.Outputs ?? {};
    const [list] = Object.keys(JSON.parse(readFileSync('docs/swagger.json', 'utf8')).paths);
    expect([ApiUrl?.Value, PageUrl?.Value]).toEqual([
      { 'Fn::Sub': base + list?.slice(1) },
      { 'Fn::Sub': `${base}swagger/ui` },
    ]);
  });

  it('counts the lines that the log has for failed requests', () => {
    const lines = captureLog();
    openLog('error').error?.('the collection is unavailable', {});
    jest.restoreAllMocks();
    const { FilterPattern } = table.Resources.ErrorLines?.Properties ?? {};
    expect(FilterPattern).toBe(`{ $.level = "${lines[0]?.level}" }`);
  });

  it('gives the function more time than the store takes, and less than the gateway waits', () => {
    const [, total = ''] = /\btotal: ([\d_]+)/.exec(sourcesIn('shared/dynamodb')) ?? [];
    const { Timeout } = table.Resources.ApiLambdaFunction?.Properties ?? {};
    expect(Timeout * 1_000).toBeGreaterThan(Number(total.replaceAll('_', '')));
    expect(Timeout).toBeLessThan(29);
  });

  it('lets the function do on the table just what the store does', () => {
    const calls = sourcesIn('shared/store').matchAll(
      /'((?:Batch|Delete|Get|Put|Query|Scan|Transact|Update)[A-Za-z]*)'/g,
    );
    const operations = [...new Set(Array.from(calls, ([, operation]) => `dynamodb:${operation}`))].sort();
    const [statement] = table.Resources.TodoTablePolicy?.Properties.PolicyDocument.Statement ?? [];
    expect(statement.Action).toEqual(operations);
  });
});

function sourcesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
