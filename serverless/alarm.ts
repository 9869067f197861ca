/** The topic that mails alarms. */
export const TOPIC = { Ref: 'AlarmTopic' };

/** Seconds after which a metric is compared with a threshold. */
export const PERIOD = 300;

/**
 * Makes an alarm, which mails when it begins and when it ends.
 *
 * @param description - What happened, and where to look: the mail has it.
 * @param threshold - The value within five minutes that sets it off.
 * @param metric - What is compared with the threshold.
 */
export function alarm(description: string, threshold: number, metric: object): object {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: description,
      AlarmActions: [TOPIC],
      OKActions: [TOPIC],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: threshold,
      EvaluationPeriods: 1,
      // No requests, no trouble.
      TreatMissingData: 'notBreaching',
      ...metric,
    },
  };
}

/** What an alarm says about one metric. */
export function metricOf(
  Namespace: string,
  MetricName: string,
  dimensions: Readonly<Record<string, unknown>>,
  Statistic: 'Sum' | 'Maximum' = 'Sum',
): object {
  const Dimensions = dimensionsOf(dimensions);
  return { Namespace, MetricName, ...(Dimensions.length > 0 && { Dimensions }), Statistic, Period: PERIOD };
}

/** Spells dimensions as CloudFormation does. */
export function dimensionsOf(dimensions: Readonly<Record<string, unknown>>): object[] {
  return Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
}
