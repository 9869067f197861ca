import { it } from '@jest/globals';
import type { Place } from '../../serverless/plan/stage.js';
import { type Change, DASHBOARD, differences, expectJust, planOf, RESOURCES } from './plans.js';
import { STAGE_NAMES, STAGES } from './stages.js';

const NAMED = [
  `${RESOURCES}AccessLog\\.Properties\\.LogGroupName$`,
  `${RESOURCES}Dashboard\\.Properties\\.DashboardName$`,
  DASHBOARD,
  `${RESOURCES}FailuresAlarm\\.Properties\\.Metrics\\.\\d\\.MetricStat\\.Metric\\.Dimensions\\.0\\.Value$`,
  `${RESOURCES}(ErrorLines|CollectionsLost|TooManyRequests|RefusedTokens)\\.Properties\\.MetricTransformations\\.0\\.MetricNamespace$`,
  `${RESOURCES}(ErrorLines|TooManyRequests)Alarm\\.Properties\\.Namespace$`,
  `${RESOURCES}RefusedTokensAlarm\\.Properties\\.Metrics\\.0\\.MetricStat\\.Metric\\.Namespace$`,
];

/** The same for where a stage is deployed: two stages, and two services in one account, share no name. */
const PLACES: Record<keyof Place, readonly [to: Partial<Place>, ...paths: string[]]> = {
  service: [{ service: 'other' }, ...NAMED],
  stage: [
    { stage: 'dev' },
    '^deletionProtection$',
    ...NAMED,
    `${RESOURCES}ApiStage\\.Properties\\.StageName$`,
    `${RESOURCES}FailuresAlarm\\.Properties\\.Metrics\\.\\d\\.MetricStat\\.Metric\\.Dimensions\\.1\\.Value$`,
    '^resources\\.Outputs\\.ApiUrl\\.Value\\.Fn::Sub$',
    '^resources\\.Outputs\\.PageUrl\\.Value\\.Fn::Sub$',
  ],
  timeout: [
    { timeout: 20 },
    `${RESOURCES}DurationAlarm\\.Properties\\.Threshold$`,
    `${RESOURCES}DurationAlarm\\.Properties\\.AlarmDescription$`,
  ],
  deployment: [
    { deployment: 'Next' },
    `${RESOURCES}ApiStage\\.Properties\\.DeploymentId\\.Ref$`,
    '^resources\\.extensions\\.(Deployment|Next)$',
  ],
};

it.each(Object.entries(PLACES))(
  'where a stage is deployed names what is its own, and nothing else: another %s',
  async (_name, [to, ...allowed]) => {
    const changes = STAGE_NAMES.map(async (stage): Promise<Change> => {
      const [plan, next] = await Promise.all([planOf(STAGES[stage]), planOf(STAGES[stage], to)]);
      return [stage, differences(plan, next)];
    });
    expectJust(allowed, await Promise.all(changes));
  },
);
