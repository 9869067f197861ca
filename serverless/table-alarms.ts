import { alarm, metricOf, PERIOD } from './alarm.js';
import type { Resources } from './cloudformation.js';

/** Makes the alarms for a table that is in trouble, or costs more than expected. */
export function tableAlarms(table: string): Resources {
  // These exist by table and operation only, so that an alarm by table alone would never have data.
  const query = (metric: string) => ({
    Metrics: [
      {
        Id: 'query',
        Expression: `SELECT SUM(${metric}) FROM SCHEMA("AWS/DynamoDB", TableName, Operation) WHERE TableName = '${table}'`,
        Period: PERIOD,
        ReturnData: true,
      },
    ],
  });
  const units = (metric: string) => metricOf('AWS/DynamoDB', metric, { TableName: table });
  return {
    TableThrottlesAlarm: alarm('DynamoDB throttles more than retries can absorb.', 10, query('ThrottledRequests')),
    TableErrorsAlarm: alarm('DynamoDB fails more than retries can absorb.', 10, query('SystemErrors')),
    TableReadsAlarm: alarm(
      'The table is read 1,000 units a second, which costs about ten dollars a day.',
      1_000 * PERIOD,
      units('ConsumedReadCapacityUnits'),
    ),
    TableWritesAlarm: alarm(
      'The table is written 200 units a second, which costs about ten dollars a day.',
      200 * PERIOD,
      units('ConsumedWriteCapacityUnits'),
    ),
  };
}
