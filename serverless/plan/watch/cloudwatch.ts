/** In seconds. CloudWatch adds values up for so long, before one is compared with a threshold or drawn. */
export const PERIOD = 300;

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, unknown>>;
  readonly statistic: 'Sum' | 'Maximum' | 'p50' | 'p99';
}

/** A sum over metrics that CloudWatch keeps apart. */
export interface Query {
  readonly expression: string;
  readonly label: string;
}

export function metric(
  namespace: string,
  name: string,
  dimensions: Metric['dimensions'],
  statistic: Metric['statistic'] = 'Sum',
): Metric {
  return { namespace, name, dimensions, statistic };
}

/**
 * Makes a metric filter, which counts entries of a log.
 *
 * @param log - Its logical id.
 * @param pattern - In the syntax of CloudWatch Logs.
 * @param metric - Exists, and costs, only while there are such entries.
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

export function dimensionsOf(dimensions: Metric['dimensions']): object[] {
  return Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
}
