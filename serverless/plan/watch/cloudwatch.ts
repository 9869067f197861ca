/** Seconds for which CloudWatch adds values up, before one is compared with a threshold or drawn. */
export const PERIOD = 300;

/** What CloudWatch counts. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, unknown>>;
  readonly statistic: 'Sum' | 'Maximum' | 'p50' | 'p99';
}

/** What CloudWatch adds up over metrics that it keeps apart. */
export interface Query {
  readonly expression: string;
  readonly label: string;
}

/** Makes a metric of a namespace. */
export function metric(
  namespace: string,
  name: string,
  dimensions: Metric['dimensions'],
  statistic: Metric['statistic'] = 'Sum',
): Metric {
  return { namespace, name, dimensions, statistic };
}

/** Spells a metric as an alarm does that watches nothing else. */
export function watching({ namespace: Namespace, name: MetricName, dimensions, statistic: Statistic }: Metric): object {
  const Dimensions = dimensionsOf(dimensions);
  return { Namespace, MetricName, ...(Dimensions.length > 0 && { Dimensions }), Statistic, Period: PERIOD };
}

/** Spells an expression over metrics as an alarm does, by the names that the expression has for them. */
export function computing(Expression: string, metrics: Readonly<Record<string, Metric>>): object {
  const inputs = Object.entries(metrics).map(
    ([Id, { namespace: Namespace, name: MetricName, dimensions, statistic }]) => {
      const Metric = { Namespace, MetricName, Dimensions: dimensionsOf(dimensions) };
      return { Id, MetricStat: { Metric, Period: PERIOD, Stat: statistic }, ReturnData: false };
    },
  );
  return { Metrics: [...inputs, { Id: 'result', Expression, ReturnData: true }] };
}

/** Spells a query as an alarm does. */
export function querying({ expression: Expression }: Query): object {
  return { Metrics: [{ Id: 'query', Expression, Period: PERIOD, ReturnData: true }] };
}

/**
 * Makes a metric filter, which counts lines of a log.
 *
 * @param log - The logical id of the log.
 * @param pattern - What such a line has, in the syntax of CloudWatch Logs.
 * @param metric - What they are counted as. It exists, and costs, only while there are such lines.
 */
export function linesOf(log: string, pattern: string, { namespace, name }: Metric): object {
  return {
    Type: 'AWS::Logs::MetricFilter',
    Properties: {
      LogGroupName: { Ref: log },
      FilterPattern: pattern,
      MetricTransformations: [{ MetricNamespace: namespace, MetricName: name, MetricValue: '1' }],
    },
  };
}

/** The topic that mails alarms. */
export const TOPIC = { Ref: 'AlarmTopic' };

/** An alarm, as CloudFormation spells it. */
export interface Alarm {
  readonly Type: 'AWS::CloudWatch::Alarm';
  readonly Properties: { readonly AlarmDescription: string };
}

/**
 * Makes an alarm, which mails when it begins and when it ends.
 *
 * @param happened - What happened: the mail has it.
 * @param told - How the mail says the threshold.
 * @param threshold - The value within five minutes that sets it off.
 * @param watched - What is compared with the threshold.
 * @param others - Properties that replace the usual ones.
 */
export function alarm(happened: string, told: string, threshold: number, watched: object, others: object = {}): Alarm {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: `${happened} (${told}).`,
      ...{
        AlarmActions: [TOPIC],
        OKActions: [TOPIC],
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold: threshold,
        EvaluationPeriods: 1,
        // Without requests, nothing is wrong.
        TreatMissingData: 'notBreaching',
      },
      ...watched,
      ...others,
    },
  };
}

function dimensionsOf(dimensions: Metric['dimensions']): object[] {
  return Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
}
