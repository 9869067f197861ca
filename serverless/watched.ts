import type { Alarm } from './alarm.js';
import type { Resources } from './cloudformation.js';
import type { Metrics } from './front-door.js';
import type { Metric, Query } from './metric.js';
import type { Stage } from './stage.js';
import { watchedFunction } from './watched-function.js';
import { watchedLog } from './watched-log.js';
import { watchedRequests } from './watched-requests.js';
import { watchedTable } from './watched-table.js';

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
