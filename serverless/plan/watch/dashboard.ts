import type { Resources, Stage } from '../stage.js';
import { type Metric, PERIOD, type Query } from './cloudwatch.js';
import type { Watched } from './watched.js';

/** Two charts side by side fill the grid of 24 columns. */
const [WIDTH, HEIGHT] = [12, 6];

/**
 * Makes a chart for each thing that is watched.
 *
 * @param stage - Nothing is made without `dashboard`.
 */
export function makeDashboard({ dashboard, name }: Stage, watched: readonly Watched[]): Resources {
  if (!dashboard) return {};
  const widgets = watched.map(({ title, chart }, index) => ({
    type: 'metric',
    x: (index % 2) * WIDTH,
    y: Math.floor(index / 2) * HEIGHT,
    width: WIDTH,
    height: HEIGHT,
    properties: { title, region: { Ref: 'AWS::Region' }, period: PERIOD, metrics: chart.map(lineOf) },
  }));
  return {
    Dashboard: {
      Type: 'AWS::CloudWatch::Dashboard',
      Properties: { DashboardName: name, DashboardBody: { 'Fn::Sub': JSON.stringify({ widgets }, referenceInText) } },
    },
  };
}

function lineOf(line: Metric | Query): readonly unknown[] {
  if ('expression' in line) return [line];
  const { namespace, name, dimensions, statistic } = line;
  const label = statistic === 'Sum' ? name : `${name} (${statistic})`;
  return [namespace, name, ...Object.entries(dimensions).flat(), { stat: statistic, label }];
}

/** The body is text, so references are spelled in another way. */
function referenceInText(_key: string, value: unknown): unknown {
  const { Ref } = Object(value);
  return typeof Ref === 'string' ? `\${${Ref}}` : value;
}
