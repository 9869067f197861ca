import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makePart, type Parameters } from './support/derived.js';
import type { Resource } from './support/schema.js';

const MAIL = { alarmEmail: 'operator@example.com' };
const TABLE = { todoTable: 'todo-items' };

/** What all parts together add to the template. */
async function resourcesWith(parameters: Parameters): Promise<Record<string, Resource>> {
  const parts = [makePart('rest', parameters), makePart('table', parameters), makePart('alarms', parameters)];
  return Object.assign({}, ...(await Promise.all(parts)).map(({ Resources }) => Resources));
}

describe('what API Gateway answers by itself', () => {
  const details = {
    busy: 'The service is busy with another request. Try again in a second.',
    throttled: 'There are more requests than the stage admits. Try again in a second.',
  };

  it.each([
    ['BusyResponse', 'INTEGRATION_FAILURE', '503', 'Service Unavailable', details.busy],
    ['ThrottledResponse', 'THROTTLED', '429', 'Too Many Requests', details.throttled],
    ['TimeoutResponse', 'INTEGRATION_TIMEOUT', '504', 'Gateway Timeout', 'The service did not answer in time.'],
    [
      'TooLargeResponse',
      'REQUEST_TOO_LARGE',
      '413',
      'Content Too Large',
      'The request is larger than the gateway takes.',
    ],
    ['UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN', '404', 'Not Found', 'No route matches this method and path.'],
  ])('is a problem: %s', async (id, type, status, title, detail) => {
    const properties = (await resourcesWith({}))[id]?.Properties;
    expect(properties).toMatchObject({ ResponseType: type, StatusCode: status });
    const problem = JSON.parse(properties.ResponseTemplates['application/json']);
    const requestId = '$context.requestId';
    expect(problem).toEqual({ type: 'about:blank', title, status: Number(status), detail, requestId });
  });

  it.each([
    ['ClientErrorResponse', 'DEFAULT_4XX'],
    ['ServerErrorResponse', 'DEFAULT_5XX'],
  ])('keeps its status where it is of no such type: %s', async (id, ResponseType) => {
    expect((await resourcesWith({}))[id]?.Properties).toEqual({
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      ResponseType,
      ResponseParameters: {
        'gatewayresponse.header.Content-Type': "'application/problem+json'",
        'gatewayresponse.header.Cache-Control': "'no-store'",
        'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      },
      ResponseTemplates: {
        'application/json':
          '{"type":"about:blank","detail":$context.error.messageString,"requestId":"$context.requestId"}',
      },
    });
  });

  it.each([
    ['', {}],
    ['https://example.com', { 'gatewayresponse.header.Access-Control-Allow-Origin': "'*'" }],
  ])('may be read by other pages where CORS is on: "%s"', async (corsOrigins, more) => {
    const { BusyResponse, TimeoutResponse } = await resourcesWith({ corsOrigins });
    const common = {
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      ...more,
    };
    expect(TimeoutResponse?.Properties.ResponseParameters).toEqual(common);
    expect(BusyResponse?.Properties.ResponseParameters).toEqual({
      ...common,
      'gatewayresponse.header.Retry-After': "'1'",
      ...(corsOrigins && { 'gatewayresponse.header.Access-Control-Expose-Headers': "'Retry-After'" }),
    });
  });
});

describe('the access log', () => {
  it('has a line for each request, with what the gateway answered by itself, and neither path nor address', async () => {
    const { ApiStage, AccessLog } = await resourcesWith({ accessLog: 'true' });
    expect(AccessLog).toEqual({
      Type: 'AWS::Logs::LogGroup',
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      // Serverless Framework deletes /aws/api-gateway/todo-item-service-dev.
      Properties: { LogGroupName: '/aws/api-gateway/todo-item-service-dev-access', RetentionInDays: 14 },
    });
    const { DestinationArn, Format } = ApiStage?.Properties.AccessLogSetting ?? {};
    expect(DestinationArn).toEqual({ 'Fn::GetAtt': ['AccessLog', 'Arn'] });
    expect(JSON.parse(Format)).toEqual({
      timestamp: '$context.requestTime',
      requestId: '$context.requestId',
      method: '$context.httpMethod',
      status: '$context.status',
      error: '$context.error.responseType',
      duration: '$context.responseLatency',
      bytes: '$context.responseLength',
    });
  });

  it('is not there unless asked for', async () => {
    const { ApiStage, ...others } = await resourcesWith({ ...TABLE, ...MAIL });
    expect(ApiStage?.Properties).not.toHaveProperty('AccessLogSetting');
    expect(Object.keys(others)).not.toContain('AccessLog');
  });
});

/** What each alarm watches and from when on it is one, by its name. */
async function alarmsWith(parameters: Parameters): Promise<Record<string, unknown>> {
  const all = Object.entries(await resourcesWith(parameters)).filter(
    ([, { Type }]) => Type === 'AWS::CloudWatch::Alarm',
  );
  return Object.fromEntries(
    all.map(([id, { Properties }]) => {
      const { Namespace, MetricName, Statistic, Metrics, Threshold, ...others } = Properties;
      expect(others).toMatchObject({
        AlarmActions: [{ Ref: 'AlarmTopic' }],
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        EvaluationPeriods: 1,
        TreatMissingData: 'notBreaching',
      });
      const [watched] = Metrics?.filter(({ ReturnData }: { ReturnData: boolean }) => ReturnData) ?? [];
      return [id, [watched?.Expression ?? `${Statistic} of ${Namespace} ${MetricName}`, Threshold]];
    }),
  );
}

describe('the alarms', () => {
  const everywhere = {
    FailuresAlarm: ['IF(failed >= 10, 100 * failed / requests, 0)', 10],
    ErrorsAlarm: ['Sum of AWS/Lambda Errors', 1],
    DurationAlarm: ['Maximum of AWS/Lambda Duration', 8_000],
  };
  const query = (metric: string) =>
    `SELECT SUM(${metric}) FROM SCHEMA("AWS/DynamoDB", TableName, Operation) WHERE TableName = 'todo-items'`;

  it('go off when the service fails, and when a collection in memory is lost', async () => {
    expect(await alarmsWith(MAIL)).toEqual({
      ...everywhere,
      ThrottlesAlarm: ['Sum of AWS/Lambda Throttles', 100],
      CollectionLostAlarm: ['Sum of todo-item-service-dev CollectionsLost', 1],
    });
    expect((await resourcesWith(MAIL)).CollectionsLost?.Properties).toEqual({
      LogGroupName: { Ref: 'ApiLogGroup' },
      FilterPattern: '{ $.coldStart IS TRUE }',
      MetricTransformations: [
        { MetricNamespace: 'todo-item-service-dev', MetricName: 'CollectionsLost', MetricValue: '1' },
      ],
    });
  });

  it('watch the table instead, over all operations', async () => {
    expect(await alarmsWith({ ...MAIL, ...TABLE })).toEqual({
      ...everywhere,
      ThrottlesAlarm: ['Sum of AWS/Lambda Throttles', 1],
      TableThrottlesAlarm: [query('ThrottledRequests'), 10],
      TableErrorsAlarm: [query('SystemErrors'), 10],
    });
  });

  it('take each throttle for trouble where no instance is reserved', async () => {
    const alarms = await alarmsWith({ ...MAIL, reservedConcurrency: 'none' });
    expect(alarms.ThrottlesAlarm).toEqual(['Sum of AWS/Lambda Throttles', 1]);
  });

  it('leave the collection out where the log does not tell', async () => {
    const resources = await resourcesWith({ ...MAIL, logLevel: 'warn' });
    expect(Object.keys(resources).filter((id) => id.startsWith('Collection'))).toEqual([]);
  });

  it('count the failures of this API and stage', async () => {
    const [failed, all] = (await resourcesWith(MAIL)).FailuresAlarm?.Properties.Metrics ?? [];
    const Dimensions = [
      { Name: 'ApiName', Value: 'todo-item-service-dev' },
      { Name: 'Stage', Value: 'dev' },
    ];
    const metric = (MetricName: string) => ({
      MetricStat: { Metric: { Namespace: 'AWS/ApiGateway', MetricName, Dimensions }, Period: 300, Stat: 'Sum' },
      ReturnData: false,
    });
    expect([failed, all]).toEqual([
      { Id: 'failed', ...metric('5XXError') },
      { Id: 'requests', ...metric('Count') },
    ]);
  });

  it('are mailed to whom it says', async () => {
    const { AlarmTopic, AlarmSubscription } = await resourcesWith(MAIL);
    expect(AlarmTopic).toEqual({ Type: 'AWS::SNS::Topic' });
    expect(AlarmSubscription?.Properties).toEqual({
      TopicArn: { Ref: 'AlarmTopic' },
      Protocol: 'email',
      Endpoint: 'operator@example.com',
    });
  });

  it('are not there unless asked for', async () => {
    const types = Object.values(await resourcesWith({ ...TABLE, accessLog: 'true' })).map(({ Type }) => Type);
    expect(types.filter((type) => /CloudWatch|SNS|MetricFilter/.test(type))).toEqual([]);
  });
});

describe('the table', () => {
  const properties = {
    TableName: 'todo-items',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'resource', AttributeType: 'S' },
      { AttributeName: 'key', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'resource', KeyType: 'HASH' },
      { AttributeName: 'key', KeyType: 'RANGE' },
    ],
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    DeletionProtectionEnabled: true,
    SSESpecification: { SSEEnabled: false },
  };

  it('is kept from loss, unless told otherwise', async () => {
    expect((await resourcesWith(TABLE)).TodoTable).toEqual({
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: properties,
    });
    expect((await resourcesWith({ ...TABLE, tableRemoval: 'Delete' })).TodoTable).toEqual({
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: { ...properties, DeletionProtectionEnabled: false },
    });
  });

  it("is encrypted by DynamoDB's own key, unless told otherwise", async () => {
    const { TodoTable } = await resourcesWith({ ...TABLE, tableKey: 'aws-managed' });
    expect(TodoTable?.Properties).toEqual({ ...properties, SSESpecification: { SSEEnabled: true } });
  });

  it('is there only where it is named', async () => {
    expect(await makePart('table', {})).toEqual({});
  });

  it('lets the role do on this table what the store does, and nothing else, before the function is called', async () => {
    const { Resources, extensions } = await makePart('table', TABLE);
    expect(Resources?.TodoTablePolicy?.Properties).toEqual({
      PolicyName: 'table',
      Roles: [{ Ref: 'ApiRole' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
            Resource: { 'Fn::GetAtt': ['TodoTable', 'Arn'] },
          },
        ],
      },
    });
    expect(extensions).toEqual({ ApiLambdaFunction: { DependsOn: ['TodoTablePolicy'] } });
    if (existsSync(STORE)) expect(operationsIn(STORE)).toEqual(['GetItem', 'PutItem', 'Query']);
  });
});

const STORE = 'shared/store';

/** The operations of DynamoDB whose names stand in the files of a folder. */
function operationsIn(folder: string): string[] {
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const named = sources.join('\n').matchAll(/'((?:Batch|Delete|Get|Put|Query|Scan|Transact|Update)[A-Za-z]*)'/g);
  return [...new Set(Array.from(named, ([, operation]) => operation as string))].sort();
}
