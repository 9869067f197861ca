import type { Metrics } from '../front-door/front-door.js';
import type { Resources, Stage } from '../stage.js';
import type { Alarm } from './alarms.js';
import { linesOf, type Metric, metric, PERIOD, type Query } from './cloudwatch.js';

/** A chart of the dashboard, and the alarms on what it shows. */
export interface Watched {
  readonly title: string;
  readonly chart: readonly (Metric | Query)[];
  /** By logical id. The table in docs/operate.md has what sets them off, too. */
  readonly alarms: Readonly<Record<string, Alarm>>;
  readonly filters?: Resources;
}

/**
 * All that is watched of a stage. Alarms and dashboard are made from it.
 *
 * @param metrics - Of its front door.
 */
export function watchedOf(stage: Stage, metrics: Metrics): readonly Watched[] {
  return [
    watchedRequests(stage, metrics),
    ...watchedFunction(stage),
    ...watchedLog(stage),
    ...(stage.table === undefined ? [] : watchedTable(stage.table)),
  ];
}

/** What the front door counts, and refused requests in its log. */
function watchedRequests(stage: Stage, { namespace, dimensions, ...names }: Metrics): Watched {
  const count = (name: string) => metric(namespace, name, dimensions);
  const [requests, failed] = [count(names.requests), count(names.serverErrors)];
  const tooMany = stage.accessLog ? tooManyRequests(stage) : undefined;
  return {
    title: 'Requests',
    chart: [requests, count(names.clientErrors), failed, ...(tooMany?.chart ?? [])],
    alarms: {
      // While one instance answers one request at a time, some 503 are normal. A tenth of all requests is not.
      FailuresAlarm: {
        happened: 'Too many requests returned 5xx',
        percent: 10,
        least: 10,
        share: { failed, requests },
      },
      ...tooMany?.alarms,
    },
    filters: tooMany?.filters ?? {},
  };
}

/**
 * Front doors count 429 among all 4xx, as 401, 404 and 412. Only the access log, where each value is text, tells them
 * apart.
 */
function tooManyRequests({ name }: Stage) {
  const refused = metric(name, 'TooManyRequests', {});
  return {
    chart: [refused],
    filters: { TooManyRequests: linesOf('AccessLog', '{ $.status = "429" }', refused) },
    alarms: {
      TooManyRequestsAlarm: {
        happened: 'The front door refused requests, because more came than its throttle lets through',
        least: 100,
        unit: 'request',
        of: refused,
      },
    },
  };
}

/** Durations, throttles and errors that Lambda counts. */
function watchedFunction({ table, reservedConcurrency, timeout }: Stage): Watched[] {
  const of = (name: string, statistic?: Metric['statistic']) =>
    metric('AWS/Lambda', name, { FunctionName: { Ref: 'ApiLambdaFunction' } }, statistic);
  const [errors, throttles, longest, p99] = [
    of('Errors'),
    of('Throttles'),
    of('Duration', 'Maximum'),
    of('Duration', 'p99'),
  ];
  // The one instance of a collection in memory refuses calls while it is busy. Elsewhere, a refused call means that a
  // limit is reached.
  const refused = !table && reservedConcurrency === 1 ? 100 : 1;
  return [
    {
      title: 'Duration in milliseconds',
      chart: [of('Duration', 'p50'), p99, longest],
      alarms: {
        DurationAlarm: {
          happened: 'A request came close to the time-out of the function',
          percent: 80,
          limit: timeout,
          longest,
        },
        SlowRequestsAlarm: {
          happened: 'One request in a hundred was slow, again and again',
          seconds: 1,
          periods: 3,
          least: 100,
          count: of('Invocations'),
          p99,
        },
      },
    },
    {
      title: 'Instances',
      chart: [of('ConcurrentExecutions', 'Maximum'), throttles, errors],
      alarms: {
        ErrorsAlarm: {
          happened: 'The function crashed, timed out or did not start',
          least: 1,
          unit: 'call',
          of: errors,
        },
        ThrottlesAlarm: {
          happened: 'Lambda throttles requests, because the concurrency limit is reached',
          least: refused,
          unit: 'call',
          of: throttles,
        },
      },
    },
  ];
}

/** Requests that failed, and collections that were lost. */
function watchedLog({ name, logLevel, table, environment }: Stage): Watched[] {
  if (logLevel === 'silent') return [];
  const [errorLines, lost] = [metric(name, 'ErrorLines', {}), metric(name, 'CollectionsLost', {})];
  // In memory, each new instance starts with an empty collection. That is normal, so it is counted and not mailed. Only
  // a log with requests shows it.
  const hasRequests = ['debug', 'info'].includes(logLevel);
  const isCounted = !table && hasRequests;
  const tokens = environment.TOKEN_ISSUER && hasRequests ? refusedTokens(name) : undefined;
  return [
    {
      title: "The function's log",
      chart: [errorLines, ...(isCounted ? [lost] : []), ...(tokens?.chart ?? [])],
      filters: {
        // For Lambda, an answer of 500 or 503 is no error, so only the log counts these.
        ErrorLines: linesOf('ApiLogGroup', '{ $.level = "ERROR" }', errorLines),
        ...(isCounted && { CollectionsLost: linesOf('ApiLogGroup', '{ $.coldStart IS TRUE }', lost) }),
        ...tokens?.filters,
      },
      alarms: {
        ErrorLinesAlarm: {
          happened: 'The service failed to answer a request, and its log has a line with the level ERROR',
          least: 1,
          unit: 'line',
          of: errorLines,
        },
        ...tokens?.alarms,
      },
    },
  ];
}

/**
 * Expired tokens are refused all the time. If half of all calls have a refused one, the provider or a setting is wrong.
 */
function refusedTokens(stage: string) {
  const refused = metric(stage, 'RefusedTokens', {});
  const calls = metric('AWS/Lambda', 'Invocations', { FunctionName: { Ref: 'ApiLambdaFunction' } });
  return {
    chart: [refused],
    filters: { RefusedTokens: linesOf('ApiLogGroup', '{ $.code = "invalid-token" }', refused) },
    alarms: {
      RefusedTokensAlarm: {
        happened: 'The tokens of many callers are refused, so signing in may be broken',
        percent: 50,
        least: 10,
        share: { refused, calls },
      },
    },
  };
}

/** What a table costs, and what it could not do. */
function watchedTable(table: string): Watched[] {
  const units = (name: string) => metric('AWS/DynamoDB', name, { TableName: table });
  // These metrics exist by table and operation only, so an alarm by table alone would never have data.
  const query = (name: string): Query => ({
    expression: `SELECT SUM(${name}) FROM SCHEMA("AWS/DynamoDB", TableName, Operation) WHERE TableName = '${table}'`,
    label: name,
  });
  const [reads, writes] = [units('ConsumedReadCapacityUnits'), units('ConsumedWriteCapacityUnits')];
  const [throttled, failed] = [query('ThrottledRequests'), query('SystemErrors')];
  return [
    {
      title: "The table's units",
      chart: [reads, writes],
      alarms: {
        TableReadsAlarm: {
          happened: 'The table is read so much that it costs about ten dollars a day',
          least: 1_000 * PERIOD,
          unit: 'unit',
          of: reads,
        },
        TableWritesAlarm: {
          happened: 'The table is written so much that it costs about ten dollars a day',
          least: 200 * PERIOD,
          unit: 'unit',
          of: writes,
        },
      },
    },
    {
      title: 'Requests that DynamoDB throttled',
      chart: [throttled],
      alarms: {
        TableThrottlesAlarm: {
          happened: 'DynamoDB throttles more than retries can absorb',
          least: 10,
          unit: 'request',
          of: throttled,
        },
      },
    },
    {
      // CloudWatch takes one query a chart.
      title: 'Errors of DynamoDB',
      chart: [failed],
      alarms: {
        TableErrorsAlarm: {
          happened: 'DynamoDB fails more than retries can absorb',
          least: 10,
          unit: 'request',
          of: failed,
        },
      },
    },
  ];
}
