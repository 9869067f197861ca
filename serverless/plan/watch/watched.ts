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

/** What an operator looks at together: a chart of the dashboard, and the alarms on what it shows. */
export interface Watched {
  readonly title: string;
  /** The lines of the chart. */
  readonly shown: readonly (Metric | Query)[];
  /** By logical id, which is also their heading in docs/incidents.md. */
  readonly alarms: Readonly<Record<string, Alarm>>;
  /** The metric filters of the logs that are watched. */
  readonly filters?: Resources;
}

/** What sets alarms off within five minutes. Each mail and the table in docs/operate.md say it. */
const FAILURES = { percent: 10, least: 10 };
const REFUSALS = 100;
const TOKENS = { percent: 50, least: 10 };
const DURATION_PERCENT = 80;
const SLOW = { seconds: 1, periods: 3, least: 100 };
const UNABSORBED = 10;
const [READS, WRITES] = [1_000 * PERIOD, 200 * PERIOD];
const [CRASHES, ERROR_LINES] = [1, 1];
const told = (count: number, what: string) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

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
        'Too many requests returned 5xx',
        `${FAILURES.percent} % of all requests, and ${FAILURES.least} of them`,
        FAILURES.percent,
        computing(`IF(failed >= ${FAILURES.least}, 100 * failed / requests, 0)`, { failed, requests }),
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
        'The front door refused requests, because more came than its throttle lets through',
        told(REFUSALS, 'request'),
        REFUSALS,
        watching(refused),
      ),
    },
  };
}

/** What Lambda counts of the function: how long it takes, and how often it is throttled or fails. */
function watchedFunction({ table, reservedConcurrency, timeout }: Stage): Watched[] {
  const of = (name: string, statistic?: Metric['statistic']) =>
    metric('AWS/Lambda', name, { FunctionName: { Ref: 'ApiLambdaFunction' } }, statistic);
  const [errors, throttles, longest, p99] = [
    of('Errors'),
    of('Throttles'),
    of('Duration', 'Maximum'),
    of('Duration', 'p99'),
  ];
  // The one instance of a collection in memory refuses calls while it is busy. Elsewhere, a refused call means that a limit is reached.
  const refused = !table && reservedConcurrency === 1 ? REFUSALS : 1;
  const longDuration = (timeout * DURATION_PERCENT) / 100;
  return [
    {
      title: 'Duration in milliseconds',
      shown: [of('Duration', 'p50'), p99, longest],
      alarms: {
        DurationAlarm: alarm(
          'A request came close to the time-out of the function',
          `${longDuration} s of ${timeout} s`,
          longDuration * 1_000,
          watching(longest),
        ),
        SlowRequestsAlarm: alarm(
          'One request in a hundred was slow, again and again',
          `p99 above ${SLOW.seconds} s, ${SLOW.periods} times, with ${SLOW.least} requests each`,
          SLOW.seconds * 1_000,
          // With few requests, p99 is the time of the one that started an instance.
          computing(`IF(count >= ${SLOW.least}, p99, 0)`, { count: of('Invocations'), p99 }),
          { ComparisonOperator: 'GreaterThanThreshold', EvaluationPeriods: SLOW.periods },
        ),
      },
    },
    {
      title: 'Instances',
      shown: [of('ConcurrentExecutions', 'Maximum'), throttles, errors],
      alarms: {
        ErrorsAlarm: alarm(
          'The function crashed, timed out or did not start',
          told(CRASHES, 'call'),
          CRASHES,
          watching(errors),
        ),
        ThrottlesAlarm: alarm(
          'Lambda throttles requests, because the concurrency limit is reached',
          told(refused, 'call'),
          refused,
          watching(throttles),
        ),
      },
    },
  ];
}

/** What the function's log has: requests that failed, and collections that were lost. */
function watchedLog({ name, logLevel, table, environment }: Stage): Watched[] {
  if (logLevel === 'silent') return [];
  const [errorLines, lost] = [metric(name, 'ErrorLines', {}), metric(name, 'CollectionsLost', {})];
  // In memory, each new instance starts with an empty collection. That is normal, so it is counted and not mailed. Only a log with
  // requests shows it.
  const hasRequests = ['debug', 'info'].includes(logLevel);
  const isCounted = !table && hasRequests;
  const tokens = environment.TOKEN_ISSUER && hasRequests ? refusedTokens(name) : undefined;
  return [
    {
      title: "The function's log",
      shown: [errorLines, ...(isCounted ? [lost] : []), ...(tokens?.shown ?? [])],
      filters: {
        // For Lambda, an answer of 500 or 503 is no error, so only the log counts these.
        ErrorLines: linesOf('ApiLogGroup', '{ $.level = "ERROR" }', errorLines),
        ...(isCounted && { CollectionsLost: linesOf('ApiLogGroup', '{ $.coldStart IS TRUE }', lost) }),
        ...tokens?.filters,
      },
      alarms: {
        ErrorLinesAlarm: alarm(
          'The service failed to answer a request, and its log has a line with the level ERROR',
          told(ERROR_LINES, 'line'),
          ERROR_LINES,
          watching(errorLines),
        ),
        ...tokens?.alarms,
      },
    },
  ];
}

/** Expired tokens are refused all the time. If half of all calls have a refused one, the provider or a setting is wrong. */
function refusedTokens(stage: string) {
  const refused = metric(stage, 'RefusedTokens', {});
  const calls = metric('AWS/Lambda', 'Invocations', { FunctionName: { Ref: 'ApiLambdaFunction' } });
  return {
    shown: [refused],
    filters: { RefusedTokens: linesOf('ApiLogGroup', '{ $.code = "invalid-token" }', refused) },
    alarms: {
      RefusedTokensAlarm: alarm(
        'The tokens of many callers are refused, so signing in may be broken',
        `${TOKENS.percent} % of all calls, and ${TOKENS.least} of them`,
        TOKENS.percent,
        computing(`IF(refused >= ${TOKENS.least}, 100 * refused / calls, 0)`, { refused, calls }),
      ),
    },
  };
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
          'The table is read so much that it costs about ten dollars a day',
          told(READS, 'unit'),
          READS,
          watching(reads),
        ),
        TableWritesAlarm: alarm(
          'The table is written so much that it costs about ten dollars a day',
          told(WRITES, 'unit'),
          WRITES,
          watching(writes),
        ),
      },
    },
    {
      title: 'Requests that DynamoDB throttled',
      shown: [throttled],
      alarms: {
        TableThrottlesAlarm: alarm(
          'DynamoDB throttles more than retries can absorb',
          told(UNABSORBED, 'request'),
          UNABSORBED,
          querying(throttled),
        ),
      },
    },
    {
      // CloudWatch takes one query a chart.
      title: 'Errors of DynamoDB',
      shown: [failed],
      alarms: {
        TableErrorsAlarm: alarm(
          'DynamoDB fails more than retries can absorb',
          told(UNABSORBED, 'request'),
          UNABSORBED,
          querying(failed),
        ),
      },
    },
  ];
}
