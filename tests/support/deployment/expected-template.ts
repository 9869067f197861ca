import type { Parameters } from './derived-template.js';
import type { Expectations } from './template-comparison.js';

const name = 'todo-item-service-dev';
const Tags = [
  { Key: 'service', Value: 'todo-item-service' },
  { Key: 'stage', Value: 'dev' },
];
const ref = (id: string) => ({ Ref: id });
const attribute = (id: string, of: string) => ({ 'Fn::GetAtt': [id, of] });
const allowed = (statement: object) => ({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] });

/**
 * Says what the template is to have, property by property, and what breaks on AWS otherwise.
 *
 * @param parameters - The parameters of the deployment; the others have their defaults.
 * @returns The expectations of the template, without what API Gateway answers by itself and what Serverless Framework makes of the events.
 */
export function expectedTemplate(parameters: Parameters): Expectations {
  return {
    ...expectedFunction(parameters),
    ...expectedApi(parameters),
    ...(parameters.todoTable && expectedRight(parameters.todoTable)),
    ...(parameters.alarmEmail && expectedMail(parameters)),
  };
}

function expectedFunction({ corsOrigins = '', logLevel = 'info', todoTable = '', ...more }: Parameters): Expectations {
  const instances = todoTable || more.reservedConcurrency === 'none' ? ref('AWS::NoValue') : 1;
  const S3Key = 'serverless/todo-item-service/dev/1/todo-item-service.zip';
  const Variables = { CORS_ORIGINS: corsOrigins, LOG_LEVEL: logLevel, TODO_TABLE: todoTable };
  const writing = { Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: attribute('ApiLogGroup', 'Arn') };
  const assuming = { Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' };
  return {
    ApiLambdaFunction: {
      'nothing answers': {
        Type: 'AWS::Lambda::Function',
        Code: { S3Bucket: ref('ServerlessDeploymentBucket'), S3Key },
        Handler: 'dist/api.handler',
        Role: attribute('ApiRole', 'Arn'),
      },
      'the guides name something else': { FunctionName: `${name}-api`, Description: 'To-do Item Service', Tags },
      'it was measured and tested on something else': { Runtime: 'nodejs24.x', Architectures: ['arm64'] },
      'the worst requests end the process and a collection in memory with it, or all cost more': { MemorySize: 640 },
      'a write to the table is cut off, or goes on when the gateway has given up': { Timeout: 10 },
      'there are several collections in memory, or a table has one instance': {
        ReservedConcurrentExecutions: instances,
      },
      'what was chosen has no effect': { Environment: { Variables } },
      'lines are lost or no JSON, so that alarms and queries find none': {
        LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'TRACE', SystemLogLevel: 'INFO' },
      },
    },
    ApiRole: {
      'Lambda may not use it, or others may': { Type: 'AWS::IAM::Role', AssumeRolePolicyDocument: allowed(assuming) },
      'the function writes no log, or may do more than that': {
        Policies: [{ PolicyName: 'log', PolicyDocument: allowed(writing) }],
      },
    },
    ApiLogGroup: {
      'Lambda writes to another group, whose lines are kept and billed for ever': {
        Type: 'AWS::Logs::LogGroup',
        LogGroupName: `/aws/lambda/${name}-api`,
      },
      'lines are kept and billed for another time than the guide says': { RetentionInDays: 14 },
    },
  };
}

function expectedApi({ accessLog }: Parameters): Expectations {
  const RestApiId = ref('ApiGatewayRestApi');
  const settings = { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 100, ThrottlingBurstLimit: 50 };
  const logging = { DestinationArn: attribute('AccessLog', 'Arn'), Format: JSON.stringify(LINE) };
  const kept = 'the log is not where the guide says, is deleted at each deployment, or stays for ever';
  return {
    ApiGatewayRestApi: {
      'the alarm for failures watches an API that is not there': { Type: 'AWS::ApiGateway::RestApi', Name: name },
      'the compressed page arrives as base64 text': { BinaryMediaTypes: ['*/*'] },
      'the gateway compresses answers, too, under the entity tags of their uncompressed bytes': {
        MinimumCompressionSize: undefined,
      },
      'requests go through CloudFront, or some callers are refused': {
        EndpointConfiguration: { Types: ['REGIONAL'] },
        Policy: '',
      },
      'the bill does not tell stages apart': { Tags },
    },
    ApiGatewayDeployment1: {
      'the deployment makes a stage of the same name, and each update fails': {
        Type: 'AWS::ApiGateway::Deployment',
        RestApiId,
        StageName: undefined,
      },
    },
    ApiStage: {
      'the addresses are others, or answer as an earlier deployment did': {
        Type: 'AWS::ApiGateway::Stage',
        RestApiId,
        DeploymentId: ref('ApiGatewayDeployment1'),
        StageName: 'dev',
      },
      'a flood of requests is not slowed down, and is billed': { MethodSettings: [settings] },
      'what the gateway answers by itself is in no log, or in one that nobody asked for': {
        AccessLogSetting: accessLog === 'true' ? logging : undefined,
      },
    },
    ...(accessLog === 'true' && {
      AccessLog: {
        [kept]: {
          Type: 'AWS::Logs::LogGroup',
          // Serverless Framework deletes /aws/api-gateway/todo-item-service-dev.
          LogGroupName: `/aws/api-gateway/${name}-access`,
          RetentionInDays: 14,
          DeletionPolicy: 'Delete',
          UpdateReplacePolicy: 'Delete',
        },
      },
    }),
  };
}

/** Neither path nor address. */
const LINE = {
  timestamp: '$context.requestTime',
  requestId: '$context.requestId',
  method: '$context.httpMethod',
  status: '$context.status',
  error: '$context.error.responseType',
  awsRequestId: '$context.integration.requestId',
  integrationStatus: '$context.integration.status',
  integrationError: '$context.integration.error',
  duration: '$context.responseLatency',
  bytes: '$context.responseLength',
};

function expectedRight(table: string): Expectations {
  const statement = {
    Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
    Resource: { 'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${table}` },
  };
  return {
    TodoTablePolicy: {
      'the table refuses the function, or the function may do more than the store does': {
        Type: 'AWS::IAM::Policy',
        Roles: [ref('ApiRole')],
        PolicyDocument: allowed(statement),
      },
      'an update from an earlier version leaves two policies': { PolicyName: 'table' },
    },
  };
}

function expectedMail({ alarmEmail, todoTable, logLevel = 'info', reservedConcurrency }: Parameters): Expectations {
  const several = todoTable || reservedConcurrency === 'none';
  return {
    AlarmTopic: { 'no alarm is mailed': { Type: 'AWS::SNS::Topic' } },
    AlarmSubscription: {
      'no alarm is mailed to whom it should': {
        Type: 'AWS::SNS::Subscription',
        TopicArn: ref('AlarmTopic'),
        Protocol: 'email',
        Endpoint: alarmEmail,
      },
    },
    FailuresAlarm: {
      ...alarm(10),
      [SILENT]: {
        Metrics: [
          { Id: 'failed', MetricStat: ofApi('5XXError'), ReturnData: false },
          { Id: 'requests', MetricStat: ofApi('Count'), ReturnData: false },
          { Id: 'share', Expression: 'IF(failed >= 10, 100 * failed / requests, 0)', ReturnData: true },
        ],
      },
    },
    ErrorsAlarm: { ...alarm(1), ...ofFunction('Errors') },
    ThrottlesAlarm: { ...alarm(several ? 1 : 100), ...ofFunction('Throttles') },
    DurationAlarm: { ...alarm(8_000), ...ofFunction('Duration', 'Maximum') },
    ...(logLevel !== 'silent' && {
      ErrorLines: lines('ErrorLines', '{ $.level = "ERROR" }'),
      ErrorLinesAlarm: { ...alarm(1), ...metric(name, 'ErrorLines') },
    }),
    ...(!todoTable &&
      ['debug', 'info'].includes(logLevel) && { CollectionsLost: lines('CollectionsLost', '{ $.coldStart IS TRUE }') }),
    ...(todoTable && {
      TableThrottlesAlarm: { ...alarm(10), ...ofTable('ThrottledRequests', todoTable) },
      TableErrorsAlarm: { ...alarm(10), ...ofTable('SystemErrors', todoTable) },
    }),
  };
}

const SILENT = 'AWS has no such metric, so that the alarm never has data and never goes off';

function alarm(Threshold: number) {
  return {
    'nobody is told, or is not told what to do': {
      Type: 'AWS::CloudWatch::Alarm',
      AlarmActions: [ref('AlarmTopic')],
      AlarmDescription: /^"[A-Z].{20,}\."$/,
    },
    'nobody is told when it ends': { OKActions: [ref('AlarmTopic')] },
    'trouble is not mailed, or what is normal is': {
      Threshold,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    },
  };
}

function metric(Namespace: string, MetricName: string, Statistic = 'Sum', Dimensions?: object) {
  return {
    [SILENT]: { Namespace, MetricName, Dimensions },
    'the threshold is one of something else, or the mail comes long after': { Statistic, Period: 300 },
  };
}

function ofFunction(metricName: string, statistic?: string) {
  return metric('AWS/Lambda', metricName, statistic, [{ Name: 'FunctionName', Value: ref('ApiLambdaFunction') }]);
}

function ofApi(MetricName: string) {
  const Dimensions = [
    { Name: 'ApiName', Value: name },
    { Name: 'Stage', Value: 'dev' },
  ];
  return { Metric: { Namespace: 'AWS/ApiGateway', MetricName, Dimensions }, Period: 300, Stat: 'Sum' };
}

/** By table and operation: there is no metric by table alone. */
function ofTable(metricName: string, table: string) {
  const from = `SCHEMA("AWS/DynamoDB", TableName, Operation) WHERE TableName = '${table}'`;
  const query = { Id: 'query', Expression: `SELECT SUM(${metricName}) FROM ${from}`, Period: 300, ReturnData: true };
  return { [SILENT]: { Metrics: [query] } };
}

function lines(MetricName: string, FilterPattern: string) {
  return {
    'other lines are counted': { Type: 'AWS::Logs::MetricFilter', LogGroupName: ref('ApiLogGroup'), FilterPattern },
    'another metric is counted up, or it is billed where there is no line': {
      MetricTransformations: [{ MetricNamespace: name, MetricName, MetricValue: '1' }],
    },
  };
}
