import { alarm } from './alarm.js';
import { metric, PERIOD, type Query, querying, watching } from './metric.js';
import type { Watched } from './watched.js';

/** What DynamoDB counts of a table: what it costs, and what it could not do. */
export function watchedTable(table: string): Watched[] {
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
