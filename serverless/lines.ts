import type { Metric } from './metric.js';

/**
 * Makes what counts lines of a log.
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
