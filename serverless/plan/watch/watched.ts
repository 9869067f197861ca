import type { Metrics } from '../front-door/front-door.js';
import type { Resources, Stage } from '../stage.js';
import {
  type Alarm,
  alarm,
  computing,
  linesOf,
  type Metric,
  metric,
  PERIOD,
  type Query,
  querying,
  watching,
} from './cloudwatch.js';

/** What somebody looks at together: a chart of the dashboard, and the alarms on what it shows. */
export interface Watched {
  readonly title: string;
  /** The lines of the chart. */
  readonly shown: readonly (Metric | Query)[];
  /** By logical id, which is also their heading in docs/incidents.md. */
  readonly alarms: Readonly<Record<string, Alarm>>;
  /** What counts lines of a log, where that is what is watched. */
  readonly filters?: Resources;
}

/**
 * Lists all that is watched of a stage. Alarms and dashboard are made from it.
 *
 * @param metrics - Those of its front door.
 */
export function watchedOf(stage: Stage, metrics: Metrics): readonly Watched[] {
  return [
    watchedRequests(stage, metrics),
    ...watchedFunction(stage),
    ...watchedLog(stage),
    ...(stage.table === undefined ? [] : watchedTable(stage.table)),
  ];
}

/** What the front door counts, and what its log has of refused requests. */
function watchedRequests(stage: Stage, { namespace, dimensions, ...names }: Metrics): Watched {
  const count = (name: string) => metric(namespace, name, dimensions);
  const [requests, failed] = [count(names.requests), count(names.serverErrors)];
  const tooMany = stage.accessLog ? tooManyRequests(stage) : undefined;
  return {
    title: 'Requests',
    shown: [requests, count(names.clientErrors), failed, ...(tooMany?.shown ?? [])],
    alarms: {
      // Some 503 are normal while one instance answers one request at a time: a tenth of all requests is not.
      FailuresAlarm: alarm(
        'At least a tenth of all requests, and at least ten, returned 5xx.',
        10,
        computing('IF(failed >= 10, 100 * failed / requests, 0)', { failed, requests }),
      ),
      ...tooMany?.alarms,
    },
    filters: tooMany?.filters ?? {},
  };
}

/** Front doors count 429 among all 4xx, as they do 401, 404 and 412. Only the access log, where each value is text, tells them apart. */
function tooManyRequests({ name }: Stage) {
  const refused = metric(name, 'TooManyRequests', {});
  return {
    shown: [refused],
    filters: { TooManyRequests: linesOf('AccessLog', '{ $.status = "429" }', refused) },
    alarms: {
      TooManyRequestsAlarm: alarm(
        'The front door refused 100 requests: more came than its throttle lets through.',
        100,
        watching(refused),
      ),
    },
  };
}

/** What Lambda counts of the function: how long it takes, and how often it is not run or does not end well. */
function watchedFunction({ table, reservedConcurrency, timeout }: Stage): Watched[] {
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

/** What the function's log has: requests that failed, and collections that were lost. */
function watchedLog({ name, logLevel, table }: Stage): Watched[] {
  if (logLevel === 'silent') return [];
  const [errorLines, lost] = [metric(name, 'ErrorLines', {}), metric(name, 'CollectionsLost', {})];
  // In memory, each new instance begins anew, as it should: that is counted, not mailed. The log has it only where it has requests.
  const isCounted = !table && ['debug', 'info'].includes(logLevel);
  return [
    {
      title: "The function's log",
      shown: [errorLines, ...(isCounted ? [lost] : [])],
      filters: {
        // The function answers 500 and 503 by itself, so that Lambda counts no error: only its log does.
        ErrorLines: linesOf('ApiLogGroup', '{ $.level = "ERROR" }', errorLines),
        ...(isCounted && { CollectionsLost: linesOf('ApiLogGroup', '{ $.coldStart IS TRUE }', lost) }),
      },
      alarms: {
        ErrorLinesAlarm: alarm(
          'The service failed to answer a request: its log has the line, with the level ERROR.',
          1,
          watching(errorLines),
        ),
      },
    },
  ];
}

/** What DynamoDB counts of a table: what it costs, and what it could not do. */
function watchedTable(table: string): Watched[] {
  const units = (name: string) => metric('AWS/DynamoDB', name, { TableName: table });
  // These exist by table and operation only, so that an alarm by table alone would never have data.
  const query = (name: string): Query => ({
    expression: `SELECT SUM(${name}) FROM SCHEMA("AWS/DynamoDB", TableName, Operation) WHERE TableName = '${table}'`,
    label: name,
  });
  const [reads, writes] = [units('ConsumedReadCapacityUnits'), units('ConsumedWriteCapacityUnits')];
  const [throttled, failed] = [query('ThrottledRequests'), query('SystemErrors')];
  return [
    {
      title: "The table's units",
      shown: [reads, writes],
      alarms: {
        TableReadsAlarm: alarm(
          'The table is read 1,000 units a second, which costs about ten dollars a day.',
          1_000 * PERIOD,
          watching(reads),
        ),
        TableWritesAlarm: alarm(
          'The table is written 200 units a second, which costs about ten dollars a day.',
          200 * PERIOD,
          watching(writes),
        ),
      },
    },
    {
      title: 'What the table could not do',
      shown: [throttled, failed],
      alarms: {
        TableThrottlesAlarm: alarm('DynamoDB throttles more than retries can absorb.', 10, querying(throttled)),
        TableErrorsAlarm: alarm('DynamoDB fails more than retries can absorb.', 10, querying(failed)),
      },
    },
  ];
}
