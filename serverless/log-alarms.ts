import { alarm, metricOf } from './alarm.js';
import type { Resources } from './cloudformation.js';
import type { Stage } from './stage.js';

/** Makes what counts lines of the function's log, and the alarm for failed requests. */
export function logAlarms({ name, logLevel, table }: Stage): Resources {
  // A metric without a default value exists, and costs, only while there are such lines.
  const lines = (metric: string, pattern: string) => ({
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
      ErrorLinesAlarm: alarm(
        'The service failed to answer a request: its log has the line, with the level ERROR.',
        1,
        metricOf(name, 'ErrorLines', {}),
      ),
    }),
    // In memory, each new instance begins anew, as it should: that is counted, not mailed. The log has it only where it has requests.
    ...(!table &&
      ['debug', 'info'].includes(logLevel) && {
        CollectionsLost: lines('CollectionsLost', '{ $.coldStart IS TRUE }'),
      }),
  };
}
