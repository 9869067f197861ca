import type { Resources, Stage } from '../stage.js';
import { dimensionsOf, type Metric, PERIOD, type Query } from './cloudwatch.js';

/** What sets an alarm off within five minutes. Its mail and its threshold are both made of this. */
export type Alarm = {
  /** The start of the mail. */
  readonly happened: string;
} & (
  | { readonly least: number; readonly unit: string; readonly of: Metric | Query }
  /** The share of a part in its whole, by their names, if the part is not too small. */
  | { readonly percent: number; readonly least: number; readonly share: Readonly<Record<string, Metric>> }
  /** One duration near a limit in seconds. */
  | { readonly percent: number; readonly limit: number; readonly longest: Metric }
  /** A percentile above so many seconds, in so many periods, if there are enough requests in each. */
  | {
      readonly seconds: number;
      readonly periods: number;
      readonly least: number;
      readonly p99: Metric;
      readonly count: Metric;
    }
);

/**
 * Makes the alarms, and the topic that mails when each begins and ends.
 *
 * @param stage - Nothing is made without `alarmEmail`.
 * @param watched - Its alarms by logical id, which is also their heading in docs/incidents.md.
 */
export function makeAlarms(
  { alarmEmail }: Stage,
  watched: readonly { alarms: Readonly<Record<string, Alarm>> }[],
): Resources {
  if (!alarmEmail) return {};
  const alarms = watched.flatMap((one) => Object.entries(one.alarms));
  return {
    AlarmTopic: { Type: 'AWS::SNS::Topic' },
    AlarmSubscription: {
      Type: 'AWS::SNS::Subscription',
      Properties: { TopicArn: TOPIC, Protocol: 'email', Endpoint: alarmEmail },
    },
    ...Object.fromEntries(alarms.map(([id, alarm]) => [id, makeAlarm(id, alarm)])),
  };
}

const TOPIC = { Ref: 'AlarmTopic' };

function makeAlarm(id: string, alarm: Alarm): object {
  const { words, threshold, ...properties } = conditionOf(alarm);
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: `${alarm.happened} (${words}). What to do: ${id} in docs/incidents.md`,
      ...{
        AlarmActions: [TOPIC],
        OKActions: [TOPIC],
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold: threshold,
        EvaluationPeriods: 1,
        // Without requests, nothing is wrong.
        TreatMissingData: 'notBreaching',
      },
      ...properties,
    },
  };
}

/** In words, as a number, and as the properties that replace or complete the usual ones. */
function conditionOf(alarm: Alarm): { readonly words: string; readonly threshold: number } {
  if ('share' in alarm) {
    const { percent, least, share } = alarm;
    const [part, whole] = Object.keys(share);
    return {
      words: `${percent} % of all ${whole}, and ${least} of them`,
      threshold: percent,
      ...computed(`IF(${part} >= ${least}, 100 * ${part} / ${whole}, 0)`, share),
    };
  }
  if ('longest' in alarm) {
    const { percent, limit, longest } = alarm;
    const seconds = (limit * percent) / 100;
    return { words: `${seconds} s of ${limit} s`, threshold: seconds * 1_000, ...plain(longest) };
  }
  if ('p99' in alarm) {
    const { seconds, periods, least, count, p99 } = alarm;
    return {
      words: `p99 above ${seconds} s, ${periods} times, with ${least} requests each`,
      threshold: seconds * 1_000,
      // With few requests, p99 is the time of the one that started an instance.
      ...computed(`IF(count >= ${least}, p99, 0)`, { count, p99 }),
      ...{ ComparisonOperator: 'GreaterThanThreshold', EvaluationPeriods: periods },
    };
  }
  const { least, unit, of } = alarm;
  return {
    words: `${least.toLocaleString('en')} ${unit}${least === 1 ? '' : 's'}`,
    threshold: least,
    ...('expression' in of ? queried(of) : plain(of)),
  };
}

function plain({ namespace: Namespace, name: MetricName, dimensions, statistic: Statistic }: Metric): object {
  const Dimensions = dimensionsOf(dimensions);
  return { Namespace, MetricName, ...(Dimensions.length > 0 && { Dimensions }), Statistic, Period: PERIOD };
}

/** By the names that the expression has for the metrics. */
function computed(Expression: string, metrics: Readonly<Record<string, Metric>>): object {
  const inputs = Object.entries(metrics).map(
    ([Id, { namespace: Namespace, name: MetricName, dimensions, statistic }]) => {
      const Metric = { Namespace, MetricName, Dimensions: dimensionsOf(dimensions) };
      return { Id, MetricStat: { Metric, Period: PERIOD, Stat: statistic }, ReturnData: false };
    },
  );
  return { Metrics: [...inputs, { Id: 'result', Expression, ReturnData: true }] };
}

function queried({ expression: Expression }: Query): object {
  return { Metrics: [{ Id: 'query', Expression, Period: PERIOD, ReturnData: true }] };
}
