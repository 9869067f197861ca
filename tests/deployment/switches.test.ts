import { expect, it } from '@jest/globals';
import { PARAMETERS, type Parameters } from '../../serverless/parameters/parameters.js';
import { readParameters } from '../../serverless/parameters/read.js';
import { planStage } from '../../serverless/plan/plan.js';
import type { Place } from '../../serverless/plan/stage.js';
import { STAGE_NAMES, STAGES } from './stages.js';

const variable = (name: string) => [`^environment\\.${name}$`];
const FILTERS = '^resources\\.Resources\\.(ErrorLines|CollectionsLost|TooManyRequests)\\b';
const ALARMS = '^resources\\.Resources\\.\\w*(Alarm|AlarmTopic|AlarmSubscription)\\b';
const DASHBOARD = '^resources\\.Resources\\.Dashboard\\.Properties\\.DashboardBody\\.Fn::Sub$';
const FRONT_DOOR = '^(events|url|resources\\.(extensions\\.(Deployment|HttpApi\\w+)|Outputs))\\b';
const RESOURCES = '^resources\\.Resources\\.';

/** For each parameter, a value that no stage has, and what it may change of a plan: each of these in at least one stage. */
const SWITCHES: Record<keyof typeof PARAMETERS, readonly [to: string, ...paths: string[]]> = {
  table: [
    'other',
    ...variable('TABLE_NAME'),
    '^reservedConcurrency$',
    `${RESOURCES}ApiRole\\.Properties\\.Policies\\.[12]\\b`,
    `${RESOURCES}Table\\w+Alarm\\b`,
    `${RESOURCES}(ThrottlesAlarm\\.Properties\\.Threshold|CollectionsLost)\\b`,
    DASHBOARD,
    `${RESOURCES}BusyResponse\\.Properties\\.ResponseTemplates\\b`,
  ],
  tokenIssuer: ['https://other.example.com', ...variable('TOKEN_ISSUER')],
  tokenAudience: ['other', ...variable('TOKEN_AUDIENCE')],
  listBy: ['organization', ...variable('LIST_BY')],
  readScope: ['look', ...variable('TOKEN_READ_SCOPE')],
  writeScope: ['change', ...variable('TOKEN_WRITE_SCOPE')],
  tokenClient: ['console', ...variable('TOKEN_CLIENT')],
  corsOrigins: [
    'https://c.example.com',
    ...variable('CORS_ORIGINS'),
    `${RESOURCES}\\w+Response\\.Properties\\.ResponseParameters\\b`,
  ],
  logLevel: [
    'error',
    ...variable('LOG_LEVEL'),
    `${RESOURCES}(ErrorLines|ErrorLinesAlarm|CollectionsLost)\\b`,
    DASHBOARD,
  ],
  region: ['eu-west-1', '^region$'],
  frontDoor: ['http', FRONT_DOOR, `${RESOURCES}(ApiStage|\\w+Response|FailuresAlarm)\\b`, DASHBOARD],
  signedCalls: [
    'true',
    '^events\\b',
    '^resources\\.extensions\\.HttpApiRouteDefault\\b',
    `${RESOURCES}UnroutedResponse\\b`,
  ],
  throttle: [
    '77',
    `${RESOURCES}ApiStage\\.Properties\\.MethodSettings\\b`,
    '^resources\\.extensions\\.HttpApiStage\\.Properties\\.DefaultRouteSettings\\b',
  ],
  memorySize: ['2048', '^memorySize$'],
  reservedConcurrency: ['0', '^reservedConcurrency$', `${RESOURCES}ThrottlesAlarm\\.Properties\\.Threshold$`],
  logRetention: ['7', '^logRetention$', `${RESOURCES}AccessLog\\.Properties\\.RetentionInDays$`],
  accessLog: [
    'true',
    `${RESOURCES}(AccessLog|TooManyRequests|TooManyRequestsAlarm)\\b`,
    DASHBOARD,
    `${RESOURCES}ApiStage\\.Properties\\.AccessLogSetting\\b`,
    '^resources\\.extensions\\.HttpApiStage\\.Properties\\.AccessLogSettings\\b',
  ],
  alarmEmail: ['someone@example.com', ALARMS, FILTERS],
  dashboard: ['true', '^resources\\.Resources\\.Dashboard\\b', FILTERS],
  tracing: [
    'true',
    // Anywhere else, it would make no version of the function.
    '^tracing$',
    `${RESOURCES}ApiStage\\.Properties\\.TracingEnabled$`,
    `${RESOURCES}ApiRole\\.Properties\\.Policies\\.[12]\\b`,
  ],
  permissionsBoundary: [
    'arn:aws:iam::123456789012:policy/other',
    `${RESOURCES}ApiRole\\.Properties\\.PermissionsBoundary\\b`,
  ],
};

const PLACE: Place = { service: 'service', stage: 'live', timeout: 10, deployment: 'Deployment' };
const NAMED = [
  `${RESOURCES}AccessLog\\.Properties\\.LogGroupName$`,
  `${RESOURCES}Dashboard\\.Properties\\.DashboardName$`,
  DASHBOARD,
  `${RESOURCES}FailuresAlarm\\.Properties\\.Metrics\\.\\d\\.MetricStat\\.Metric\\.Dimensions\\.0\\.Value$`,
  `${RESOURCES}(ErrorLines|CollectionsLost|TooManyRequests)\\.Properties\\.MetricTransformations\\.0\\.MetricNamespace$`,
  `${RESOURCES}(ErrorLines|TooManyRequests)Alarm\\.Properties\\.Namespace$`,
];

/** The same for where a stage is deployed: two stages, and two services in one account, share no name. */
const PLACES: Record<keyof Place, readonly [to: Partial<Place>, ...paths: string[]]> = {
  service: [{ service: 'other' }, ...NAMED],
  stage: [
    { stage: 'dev' },
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

/** The plan of a stage, or the reason why the parameters are refused. */
async function planOf(given: Readonly<Record<string, string>>, place: Partial<Place> = {}): Promise<object | string> {
  const values = new Map(Object.entries(given));
  const resolveVariable = async (variable: string) => values.get(/^param:(\w+), ''$/.exec(variable)?.[1] ?? '') ?? '';
  const variables = { options: {}, resolveVariable, resolveConfigurationProperty: async () => ({}) };
  try {
    const parameters: Parameters = await readParameters(variables, 'live');
    return planStage(parameters, { ...PLACE, ...place });
  } catch (error) {
    return (error as Error).stack as string;
  }
}

/** A stage, and the paths at which its plan changed. */
type Change = readonly [from: string, paths: readonly string[]];

/** The paths at which two values differ. */
function differences(one: unknown, other: unknown, path: readonly string[] = []): string[] {
  if (Object.is(one, other)) return [];
  if (!isObject(one) || !isObject(other)) return [path.join('.')];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(one[name], other[name], [...path, name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What switching a parameter changes, by the stage from which it does; those that refuse the value are left out. */
async function changesOf(name: keyof typeof PARAMETERS): Promise<Change[]> {
  const [to] = SWITCHES[name];
  const { default: otherwise } = PARAMETERS[name];
  const found: Change[] = [];
  for (const stage of STAGE_NAMES) {
    const given: Readonly<Record<string, string>> = STAGES[stage];
    const plan = await planOf(given);
    // To the value, and to what holds where nobody says anything or says `none`.
    for (const value of [to, otherwise, 'none']) {
      const next = await planOf({ ...given, [name]: value });
      if (typeof next !== 'string') found.push([`${stage} with ${value}`, differences(plan, next)]);
    }
  }
  return found;
}

it.each(Object.keys(SWITCHES) as (keyof typeof SWITCHES)[])(
  'the parameter %s changes only what it is about, and all of that',
  async (name) => {
    const [, ...allowed] = SWITCHES[name];
    expectJust(allowed, await changesOf(name));
  },
);

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

it.each([
  ['items in memory', { table: 'none', tokenIssuer: 'none', tokenAudience: '' }],
  ['a table', { tokenIssuer: 'none', tokenAudience: '' }],
  ['sign-in', {}],
])('behind each front door, all else is the same: with %s', async (_what, others) => {
  const stage = { ...STAGES['url-sign-in'], logLevel: 'info', reservedConcurrency: '1', ...others };
  const plans = ['rest', 'http', 'url'].map((frontDoor) => planOf({ ...stage, frontDoor }));
  const [rest, http, url] = await Promise.all(plans);
  expectJust(SWITCHES.frontDoor.slice(1), [
    ['an HTTP API', differences(rest, http)],
    ['a function URL', differences(rest, url)],
  ]);
});

/** Each change is allowed, and there is each that is. */
function expectJust(allowed: readonly string[], changes: readonly Change[]): void {
  const patterns = allowed.map((path) => new RegExp(path));
  const other = changes.map(([from, paths]) => [from, paths.filter((path) => !patterns.some((one) => one.test(path)))]);
  expect(other).toEqual(changes.map(([from]) => [from, []]));
  const all = changes.flatMap(([, paths]) => paths);
  expect(patterns.filter((pattern) => !all.some((path) => pattern.test(path)))).toEqual([]);
}

it('each stage is accepted as it stands', async () => {
  for (const stage of STAGE_NAMES) expect([stage, await planOf(STAGES[stage])]).toEqual([stage, expect.any(Object)]);
});
