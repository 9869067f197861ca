import { expect, it } from '@jest/globals';
import { PARAMETERS, type Parameters } from '../../serverless/parameters/parameters.js';
import { type Change, DASHBOARD, differences, expectJust, FRONT_DOOR, planOf, RESOURCES } from './plans.js';
import { DOMAIN, STAGE_NAMES, STAGES } from './stages.js';

type Name = keyof typeof PARAMETERS;

const variable = (name: string) => `^environment\\.${name}$`;
const FILTERS = `${RESOURCES}(ErrorLines|CollectionsLost|TooManyRequests|RefusedTokens)\\b`;
const ALARMS = `${RESOURCES}\\w*(Alarm|AlarmTopic|AlarmSubscription)\\b`;

/**
 * For each parameter, a value that no stage has, and what it may change of a plan: each of these in at least one stage. Where it
 * takes others, too, they are set and left out together, and may change what is theirs.
 */
const SWITCHES: Record<Name, readonly [to: string | Partial<Parameters>, path: string, ...paths: string[]]> = {
  table: [
    'other',
    variable('TABLE_NAME'),
    '^reservedConcurrency$',
    `${RESOURCES}ApiRole\\.Properties\\.Policies\\.[12]\\b`,
    `${RESOURCES}Table\\w+Alarm\\b`,
    `${RESOURCES}(ThrottlesAlarm\\.Properties\\.(Threshold|AlarmDescription)|CollectionsLost)\\b`,
    DASHBOARD,
    `${RESOURCES}BusyResponse\\.Properties\\.ResponseTemplates\\b`,
  ],
  tokenIssuer: [
    { tokenIssuer: 'https://other.example.com', tokenAudience: 'other' },
    variable('TOKEN_ISSUER'),
    '^isOpen$',
    `${RESOURCES}RefusedTokens(Alarm)?\\b`,
    DASHBOARD,
  ],
  tokenAudience: ['other', variable('TOKEN_AUDIENCE')],
  listBy: ['organization', variable('LIST_BY')],
  readScope: [{ readScope: 'look', writeScope: 'change' }, variable('TOKEN_READ_SCOPE')],
  writeScope: ['change', variable('TOKEN_WRITE_SCOPE')],
  tokenClient: ['console', variable('TOKEN_CLIENT')],
  corsOrigins: [
    'https://c.example.com',
    variable('CORS_ORIGINS'),
    `${RESOURCES}\\w+Response\\.Properties\\.ResponseParameters\\b`,
  ],
  logLevel: [
    'error',
    variable('LOG_LEVEL'),
    `${RESOURCES}(ErrorLines|ErrorLinesAlarm|CollectionsLost|RefusedTokens|RefusedTokensAlarm)\\b`,
    DASHBOARD,
  ],
  region: ['eu-west-1', '^region$'],
  frontDoor: ['http', ...FRONT_DOOR, `${RESOURCES}DomainMapping\\.Properties\\.(ApiId|Stage)\\b`],
  signedCalls: [
    'true',
    '^isOpen$',
    '^events\\b',
    '^resources\\.extensions\\.HttpApiRouteDefault\\b',
    `${RESOURCES}UnroutedResponse\\b`,
  ],
  domain: [
    { ...DOMAIN, domain: 'other.example.com' },
    `${RESOURCES}(Domain|DomainMapping)\\b`,
    `${RESOURCES}DomainRecord\\.Properties\\.Name$`,
    '^resources\\.Outputs\\.(ApiUrl|PageUrl|DomainTarget|DomainTargetZone)\\b',
  ],
  certificate: [
    `${DOMAIN.certificate}4`,
    `${RESOURCES}Domain\\.Properties\\.DomainNameConfigurations\\.0\\.CertificateArn$`,
  ],
  hostedZone: ['ZOTHER', `${RESOURCES}DomainRecord\\b`, '^resources\\.Outputs\\.DomainTarget(Zone)?$'],
  defaultAddress: [
    'false',
    '^resources\\.extensions\\.(ApiGatewayRestApi|HttpApi)\\.Properties\\.DisableExecuteApiEndpoint$',
  ],
  throttle: [
    '77',
    `${RESOURCES}ApiStage\\.Properties\\.MethodSettings\\b`,
    '^resources\\.extensions\\.HttpApiStage\\.Properties\\.DefaultRouteSettings\\b',
  ],
  memorySize: ['2048', '^memorySize$'],
  reservedConcurrency: [
    '0',
    '^reservedConcurrency$',
    `${RESOURCES}ThrottlesAlarm\\.Properties\\.(Threshold|AlarmDescription)$`,
  ],
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
  functionRole: ['arn:aws:iam::123456789012:role/other', '^functionRole$', `${RESOURCES}ApiRole\\b`],
  deploymentRole: ['arn:aws:iam::123456789012:role/other', '^deploymentRole$'],
  deploymentBucket: ['another-bucket', '^deploymentBucket$'],
};

/** What switching a parameter changes, by the stage from which it does; those that refuse the value are left out. */
async function changesOf(name: Name): Promise<Change[]> {
  const [to] = SWITCHES[name];
  const set: Partial<Parameters> = typeof to === 'string' ? { [name]: to } : to;
  const each = (sayOf: (name: Name) => string) =>
    Object.fromEntries(Object.keys(set).map((name) => [name, sayOf(name as Name)]));
  const found: Change[] = [];
  for (const stage of STAGE_NAMES) {
    const given: Readonly<Record<string, string>> = STAGES[stage];
    const plan = await planOf(given);
    // To the value, and to what holds where nobody says anything or says `none`.
    for (const values of [set, each((name) => PARAMETERS[name].default), each(() => 'none')]) {
      const next = await planOf({ ...given, ...values });
      if (typeof next !== 'string') found.push([`${stage} with ${JSON.stringify(values)}`, differences(plan, next)]);
    }
  }
  return found;
}

it.each(Object.keys(SWITCHES) as Name[])(
  'the parameter %s changes only what it is about, and all of that',
  async (name) => {
    const [to, ...own] = SWITCHES[name];
    const others = typeof to === 'string' ? [] : (Object.keys(to) as Name[]).filter((other) => other !== name);
    expectJust(
      own,
      await changesOf(name),
      others.flatMap((other) => SWITCHES[other].slice(1) as string[]),
    );
  },
);

it.each(Object.keys(SWITCHES) as Name[])(
  'a stage either refuses the parameter %s or is another with it: it is never accepted in vain',
  async (name) => {
    const [to] = SWITCHES[name];
    const value = typeof to === 'string' ? to : (to[name] as string);
    for (const stage of STAGE_NAMES) {
      const given: Readonly<Record<string, string>> = STAGES[stage];
      if (given[name] === value) continue;
      const [plan, next] = await Promise.all([planOf(given), planOf({ ...given, [name]: value })]);
      if (typeof next !== 'string') expect([stage, differences(plan, next)]).not.toEqual([stage, []]);
    }
  },
);

it('each stage is accepted as it stands, and together they say something else than the default of each parameter', async () => {
  for (const stage of STAGE_NAMES) expect([stage, await planOf(STAGES[stage])]).toEqual([stage, expect.any(Object)]);
  const stages: Readonly<Record<string, string>>[] = Object.values(STAGES);
  const isSaid = (name: Name) =>
    stages.some((stage) => ![PARAMETERS[name].default, 'none', undefined].includes(stage[name]));
  expect((Object.keys(PARAMETERS) as Name[]).filter((name) => !isSaid(name))).toEqual([]);
});

it('no origin is said by "none", as other parameters are not set by it, and makes the same template', async () => {
  for (const stage of STAGE_NAMES) {
    const [none, empty] = await Promise.all(
      ['none', ''].map((corsOrigins) => planOf({ ...STAGES[stage], corsOrigins })),
    );
    expect(empty).toEqual(expect.any(Object));
    expect(none).toEqual(empty);
  }
});
