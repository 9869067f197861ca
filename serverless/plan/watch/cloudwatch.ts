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

/** Spells the dimensions of a metric as CloudFormation does. */
export function dimensionsOf(dimensions: Metric['dimensions']): object[] {
  return Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
}
