import { alarm } from './alarm.js';
import { linesOf } from './lines.js';
import { metric, watching } from './metric.js';
import type { Stage } from './stage.js';
import type { Watched } from './watched.js';

/** What the function's log has: requests that failed, and collections that were lost. */
export function watchedLog({ name, logLevel, table }: Stage): Watched[] {
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
