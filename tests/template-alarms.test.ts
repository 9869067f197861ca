import { describe, expect, it } from '@jest/globals';
import { makeParts, type Parameters } from './support/derived.js';

const MAIL = { alarmEmail: 'operator@example.com' };
const TABLE = { todoTable: 'todo-items' };

/** What each alarm watches and from when on it is one, by its name. */
async function alarmsWith(parameters: Parameters): Promise<Record<string, unknown>> {
  const all = Object.entries(await makeParts(parameters)).filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');
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
    expect((await makeParts(MAIL)).CollectionsLost?.Properties).toEqual({
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
    const resources = await makeParts({ ...MAIL, logLevel: 'warn' });
    expect(Object.keys(resources).filter((id) => id.startsWith('Collection'))).toEqual([]);
  });

  it('count the failures of this API and stage', async () => {
    const [failed, all] = (await makeParts(MAIL)).FailuresAlarm?.Properties.Metrics ?? [];
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
    const { AlarmTopic, AlarmSubscription } = await makeParts(MAIL);
    expect(AlarmTopic).toEqual({ Type: 'AWS::SNS::Topic' });
    expect(AlarmSubscription?.Properties).toEqual({
      TopicArn: { Ref: 'AlarmTopic' },
      Protocol: 'email',
      Endpoint: 'operator@example.com',
    });
  });

  it('are not there unless asked for', async () => {
    const types = Object.values(await makeParts({ ...TABLE, accessLog: 'true' })).map(({ Type }) => Type);
    expect(types.filter((type) => /CloudWatch|SNS|MetricFilter/.test(type))).toEqual([]);
  });
});

describe('the access log', () => {
  it('has a line for each request, with what the gateway answered by itself, and neither path nor address', async () => {
    const { ApiStage, AccessLog } = await makeParts({ accessLog: 'true' });
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
    const { ApiStage, ...others } = await makeParts({ ...TABLE, ...MAIL });
    expect(ApiStage?.Properties).not.toHaveProperty('AccessLogSetting');
    expect(Object.keys(others)).not.toContain('AccessLog');
  });
});
