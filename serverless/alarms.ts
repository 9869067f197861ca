import { alarm, dimensionsOf, metricOf, PERIOD, TOPIC } from './alarm.js';
import type { Resources } from './cloudformation.js';
import type { Metrics } from './front-door.js';
import { logAlarms } from './log-alarms.js';
import type { Stage } from './stage.js';
import { tableAlarms } from './table-alarms.js';

/**
 * Makes the alarms, and the topic that mails them.
 *
 * @param stage - Nothing is made without its `alarmEmail`.
 * @param metrics - Those of its front door.
 */
export function makeAlarms(stage: Stage, metrics: Metrics): Resources {
  const { alarmEmail, table } = stage;
  if (!alarmEmail) return {};
  return {
    AlarmTopic: { Type: 'AWS::SNS::Topic' },
    AlarmSubscription: {
      Type: 'AWS::SNS::Subscription',
      Properties: { TopicArn: TOPIC, Protocol: 'email', Endpoint: alarmEmail },
    },
    FailuresAlarm: failuresAlarm(metrics),
    ...functionAlarms(stage),
    ...logAlarms(stage),
    ...(table !== undefined && tableAlarms(table)),
  };
}

/** Some 503 are normal while one instance answers one request at a time: a tenth of all requests is not. */
function failuresAlarm({ namespace: Namespace, dimensions, requests, serverErrors }: Metrics): object {
  const Dimensions = dimensionsOf(dimensions);
  const sum = (MetricName: string) => ({ Metric: { Namespace, MetricName, Dimensions }, Period: PERIOD, Stat: 'Sum' });
  return alarm('At least a tenth of all requests, and at least ten, returned 5xx: see the logs.', 10, {
    Metrics: [
      { Id: 'failed', MetricStat: sum(serverErrors), ReturnData: false },
      { Id: 'requests', MetricStat: sum(requests), ReturnData: false },
      { Id: 'share', Expression: 'IF(failed >= 10, 100 * failed / requests, 0)', ReturnData: true },
    ],
  });
}

function functionAlarms({ table, reservedConcurrency, timeout }: Stage): Resources {
  const metric = (name: string, statistic?: 'Maximum') =>
    metricOf('AWS/Lambda', name, { FunctionName: { Ref: 'ApiLambdaFunction' } }, statistic);
  // The one instance of a collection in memory refuses whoever comes while it is busy. Otherwise a limit is reached.
  const throttles = !table && reservedConcurrency === 1 ? 100 : 1;
  return {
    ErrorsAlarm: alarm('The function crashed, timed out or did not start: its log says why.', 1, metric('Errors')),
    ThrottlesAlarm: alarm(
      'Lambda is throttling requests: the concurrency limit is reached.',
      throttles,
      metric('Throttles'),
    ),
    DurationAlarm: alarm(
      `A request took four fifths of the ${timeout} s after which the function times out.`,
      timeout * 800,
      metric('Duration', 'Maximum'),
    ),
  };
}
