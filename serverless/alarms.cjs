/**
 * Makes the alarms that every front door has, and the topic that mails them; nothing without `alarmEmail`.
 *
 * @param {object} serverless - What Serverless Framework passes to the functions that make its variables.
 * @returns {Promise<object>} A part of `resources`.
 */
module.exports = async ({ resolveVariable, resolveConfigurationProperty }) => {
  const parameters = await resolveConfigurationProperty(['custom', 'parameters']);
  const { alarmEmail, table } = parameters;
  if (!alarmEmail) return {};
  const timeout = await resolveConfigurationProperty(['provider', 'timeout']);
  const name = `${await resolveVariable('self:service')}-${await resolveVariable('sls:stage')}`;
  return {
    Resources: {
      AlarmTopic: { Type: 'AWS::SNS::Topic' },
      AlarmSubscription: {
        Type: 'AWS::SNS::Subscription',
        Properties: { TopicArn: { Ref: 'AlarmTopic' }, Protocol: 'email', Endpoint: alarmEmail },
      },
      ...functionAlarms(parameters, timeout),
      ...logAlarms(name, parameters),
      ...(table && tableAlarms(table)),
    },
  };
};

/**
 * Makes the alarm for the 5xx of a front door. Some 503 are normal while one instance answers one request at a time: a tenth of all
 * requests is not.
 *
 * @param {string} Namespace - Where the metrics are.
 * @param {string} failed - The metric that counts 5xx.
 * @param {string} requests - The metric that counts all requests.
 * @param {object} dimensions - What both are about, by the names of the dimensions.
 * @returns {object} The resource.
 */
module.exports.failuresAlarm = (Namespace, failed, requests, dimensions) => {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  const sum = (MetricName) => ({ Metric: { Namespace, MetricName, Dimensions }, Period: 300, Stat: 'Sum' });
  return alarm('At least a tenth of all requests, and at least ten, returned 5xx: see the logs.', 10, {
    Metrics: [
      { Id: 'failed', MetricStat: sum(failed), ReturnData: false },
      { Id: 'requests', MetricStat: sum(requests), ReturnData: false },
      { Id: 'share', Expression: 'IF(failed >= 10, 100 * failed / requests, 0)', ReturnData: true },
    ],
  });
};

/** Makes one alarm, which mails when it begins and when it ends. The threshold is the value within five minutes. */
function alarm(description, threshold, metric) {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: description,
      AlarmActions: [{ Ref: 'AlarmTopic' }],
      OKActions: [{ Ref: 'AlarmTopic' }],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: threshold,
      EvaluationPeriods: 1,
      // No requests, no trouble.
      TreatMissingData: 'notBreaching',
      ...metric,
    },
  };
}

function functionAlarms({ table, reservedConcurrency }, timeout) {
  const metric = (MetricName, Statistic) => ({
    Namespace: 'AWS/Lambda',
    MetricName,
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: 'ApiLambdaFunction' } }],
    Statistic,
    Period: 300,
  });
  // A reserved instance refuses whoever comes while it is busy. Without one, only the account's quota does.
  const throttles = table || reservedConcurrency === 'none' ? 1 : 100;
  return {
    ErrorsAlarm: alarm(
      'The function crashed, timed out or did not start: its log says why.',
      1,
      metric('Errors', 'Sum'),
    ),
    ThrottlesAlarm: alarm(
      'Lambda is throttling requests: the concurrency limit is reached.',
      throttles,
      metric('Throttles', 'Sum'),
    ),
    DurationAlarm: alarm(
      `A request took four fifths of the ${timeout} s after which the function times out.`,
      timeout * 800,
      metric('Duration', 'Maximum'),
    ),
  };
}

/** The first two metrics exist by table and operation only, so that an alarm by table alone would never have data. */
function tableAlarms(table) {
  const query = (metric) => ({
    Metrics: [
      {
        Id: 'query',
        Expression: `SELECT SUM(${metric}) FROM SCHEMA("AWS/DynamoDB", TableName, Operation) WHERE TableName = '${table}'`,
        Period: 300,
        ReturnData: true,
      },
    ],
  });
  return {
    TableThrottlesAlarm: alarm('DynamoDB throttles more than retries can absorb.', 10, query('ThrottledRequests')),
    TableErrorsAlarm: alarm('DynamoDB fails more than retries can absorb.', 10, query('SystemErrors')),
    TableReadsAlarm: alarm('The table is read 1,000 units a second, which costs about ten dollars a day.', 300_000, {
      Namespace: 'AWS/DynamoDB',
      MetricName: 'ConsumedReadCapacityUnits',
      Dimensions: [{ Name: 'TableName', Value: table }],
      Statistic: 'Sum',
      Period: 300,
    }),
  };
}

function logAlarms(name, { logLevel, table }) {
  // A metric without a default value exists, and costs, only while there are such lines.
  const lines = (metric, pattern) => ({
    Type: 'AWS::Logs::MetricFilter',
    Properties: {
      LogGroupName: { Ref: 'ApiLogGroup' },
      FilterPattern: pattern,
      MetricTransformations: [{ MetricNamespace: name, MetricName: metric, MetricValue: '1' }],
    },
  });
  return {
    // The function answers 500 and 503 by itself, so that Lambda counts no error: only its log does.
    ...(logLevel !== 'silent' && {
      ErrorLines: lines('ErrorLines', '{ $.level = "ERROR" }'),
      ErrorLinesAlarm: alarm('The service failed to answer a request: its log has the line, with the level ERROR.', 1, {
        Namespace: name,
        MetricName: 'ErrorLines',
        Statistic: 'Sum',
        Period: 300,
      }),
    }),
    // In memory, each new instance begins anew, as it should: that is counted, not mailed. The log has it only where it has requests.
    ...(!table &&
      ['', 'debug', 'info'].includes(logLevel) && {
        CollectionsLost: lines('CollectionsLost', '{ $.coldStart IS TRUE }'),
      }),
  };
}
