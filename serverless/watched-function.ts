import { alarm } from './alarm.js';
import { computing, type Metric, metric, watching } from './metric.js';
import type { Stage } from './stage.js';
import type { Watched } from './watched.js';

/** What Lambda counts of the function: how long it takes, and how often it is not run or does not end well. */
export function watchedFunction({ table, reservedConcurrency, timeout }: Stage): Watched[] {
  const of = (name: string, statistic?: Metric['statistic']) =>
    metric('AWS/Lambda', name, { FunctionName: { Ref: 'ApiLambdaFunction' } }, statistic);
  const [errors, throttles, longest, p99] = [
    of('Errors'),
    of('Throttles'),
    of('Duration', 'Maximum'),
    of('Duration', 'p99'),
  ];
  // The one instance of a collection in memory refuses whoever comes while it is busy. Otherwise a limit is reached.
  const refused = !table && reservedConcurrency === 1 ? 100 : 1;
  return [
    {
      title: 'Duration in milliseconds',
      shown: [of('Duration', 'p50'), p99, longest],
      alarms: {
        DurationAlarm: alarm(
          `A request took four fifths of the ${timeout} s after which the function times out.`,
          timeout * 800,
          watching(longest),
        ),
        SlowRequestsAlarm: alarm(
          'For a quarter of an hour, one request in a hundred took longer than a second.',
          1_000,
          // With few requests, this is the one that started an instance.
          computing('IF(count >= 100, p99, 0)', { count: of('Invocations'), p99 }),
          { ComparisonOperator: 'GreaterThanThreshold', EvaluationPeriods: 3 },
        ),
      },
    },
    {
      title: 'Instances',
      shown: [of('ConcurrentExecutions', 'Maximum'), throttles, errors],
      alarms: {
        ErrorsAlarm: alarm('The function crashed, timed out or did not start.', 1, watching(errors)),
        ThrottlesAlarm: alarm(
          'Lambda is throttling requests: the concurrency limit is reached.',
          refused,
          watching(throttles),
        ),
      },
    },
  ];
}
