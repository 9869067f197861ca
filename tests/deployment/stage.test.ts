import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Resource } from '../../serverless/changes/deployed-stack.js';
import { PARAMETERS, type Parameter, type Parameters } from '../../serverless/parameters/parameters.js';
import { readParameters } from '../../serverless/parameters/read.js';
import { planStage } from '../../serverless/plan/plan.js';

const PLACE = { service: 'a-service', stage: 'live', timeout: 10, deployment: 'ApiGatewayDeployment1' };
const NO_VALUE = { Ref: 'AWS::NoValue' };

const defaults = Object.entries(PARAMETERS).map(([name, parameter]) => [name, parameter.default]);
const withDefaults = (parameters: Partial<Parameters>): Parameters => ({
  ...Object.fromEntries(defaults),
  ...parameters,
});

/** Plans the stage `live`; `properties` finds those of a resource, or of what changes one. */
function plan(parameters: Partial<Parameters>) {
  const planned = planStage(withDefaults(parameters), PLACE);
  const { Resources, extensions } = planned.resources;
  const all = { ...Resources, ...extensions } as Record<string, Resource>;
  return { ...planned, properties: (id: string) => all[id]?.Properties };
}

describe('throttle', () => {
  it.each([
    ['', 100, 50],
    ['500', 500, 250],
    ['5', 5, 3],
    ['1', 1, 1],
  ])(
    '%j lets %i requests a second through an API, and %i at once, half of them rounded up',
    (throttle, rate, burst) => {
      const limits = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
      const [rest, http] = [plan({ throttle }), plan({ throttle, frontDoor: 'http' })];
      expect(rest.properties('ApiStage').MethodSettings).toEqual([{ HttpMethod: '*', ResourcePath: '/*', ...limits }]);
      expect(http.properties('HttpApiStage').DefaultRouteSettings).toEqual(limits);
    },
  );
});

describe('reservedConcurrency', () => {
  it.each<[Partial<Parameters>, number | object]>([
    [{}, 1],
    [{ table: 'none' }, 1],
    [{ table: 'none', reservedConcurrency: 'none' }, NO_VALUE],
    [{ table: 'none', reservedConcurrency: '0' }, 0],
    [{ table: 'items' }, NO_VALUE],
    [{ table: 'items', reservedConcurrency: 'none' }, NO_VALUE],
    [{ table: 'items', reservedConcurrency: '50' }, 50],
    [{ table: 'items', reservedConcurrency: '0' }, 0],
    [{ table: 'items', tokenIssuer: 'https://login.example.com', tokenAudience: 'a' }, NO_VALUE],
  ])('reserves one instance in memory, and with a table none unless told to: %j', (parameters, reserved) => {
    expect(plan(parameters).reservedConcurrency).toEqual(reserved);
  });

  it.each<[Partial<Parameters>, number]>([
    [{}, 100],
    [{ reservedConcurrency: 'none' }, 1],
    [{ reservedConcurrency: '0' }, 1],
    [{ table: 'items', reservedConcurrency: '1' }, 1],
    [{ table: 'items' }, 1],
  ])(
    'lets refused calls pass unmailed only where they are normal, with one instance in memory: %j',
    (parameters, threshold) => {
      const { properties } = plan({ ...parameters, alarmEmail: 'a@b.example' });
      expect(properties('ThrottlesAlarm').Threshold).toBe(threshold);
    },
  );
});

describe('the variables of the function', () => {
  const settings = Object.entries<Parameter>(PARAMETERS).flatMap(([name, { variable }]) =>
    variable ? [[name, variable]] : [],
  );
  const environment = (say: (name: string) => string) =>
    plan(Object.fromEntries(settings.map(([name = '']) => [name, say(name)]))).environment;

  it('say what the parameters say, each its own', () => {
    const expected = Object.fromEntries(settings.map(([name, variable]) => [variable, `the ${name}`]));
    expect(environment((name) => `the ${name}`)).toEqual(expected);
    expect(expected).toMatchObject({ TABLE_NAME: 'the table', TOKEN_ISSUER: 'the tokenIssuer' });
  });

  it('are empty where the parameter is none', () => {
    expect(new Set(Object.values(environment(() => 'none')))).toEqual(new Set(['']));
  });
});

describe('corsOrigins', () => {
  it("lets pages of other origins read each of API Gateway's own answers, too, where any may call", () => {
    const { resources } = plan({});
    const ids = Object.keys(resources.Resources).filter((id) => id.endsWith('Response'));
    const readable = (corsOrigins: string) =>
      ids.filter((id) => {
        const fields = plan({ corsOrigins }).properties(id).ResponseParameters;
        return fields['gatewayresponse.header.Access-Control-Allow-Origin'] === "'*'";
      });
    expect(ids).toEqual(expect.arrayContaining(['ClientErrorResponse', 'ServerErrorResponse']));
    expect(readable('https://a.example.com')).toEqual(ids);
    expect(readable('')).toEqual([]);
  });
});

describe('deletion protection', () => {
  it.each([
    ['dev', false],
    ['staging', true],
    ['live', true],
  ])('is on for each stage but dev: %s', (stage, isProtected) => {
    expect(planStage(withDefaults({}), { ...PLACE, stage }).deletionProtection).toBe(isProtected);
  });
});

describe('memorySize and logRetention', () => {
  it('are 640 MB and 14 days unless the stage says otherwise, for both logs', () => {
    for (const [parameters, memorySize, logRetention] of [
      [{}, 640, 14],
      [{ memorySize: '1024', logRetention: '400' }, 1_024, 400],
    ] as const) {
      const planned = plan({ ...parameters, accessLog: 'true' });
      expect(planned).toMatchObject({ memorySize, logRetention });
      expect(planned.properties('AccessLog').RetentionInDays).toBe(logRetention);
    }
  });
});

describe('the alarm on refused tokens', () => {
  it.each<[Partial<Parameters>, boolean]>([
    [{ tokenIssuer: 'https://login.example.com', tokenAudience: 'a' }, true],
    [{ tokenIssuer: 'https://login.example.com', tokenAudience: 'a', logLevel: 'warn' }, false],
    [{}, false],
  ])('is there where people sign in and the log has requests: %j', (parameters, isThere) => {
    const { resources } = plan({ table: 'items', alarmEmail: 'a@b.example', ...parameters });
    for (const id of ['RefusedTokens', 'RefusedTokensAlarm']) expect(id in resources.Resources).toBe(isThere);
  });

  it('is missing, with all that counts lines, where the function logs nothing', () => {
    const { resources } = plan({ table: 'items', alarmEmail: 'a@b.example', logLevel: 'silent' });
    expect(Object.keys(resources.Resources).filter((id) => /ErrorLines|RefusedTokens/.test(id))).toEqual([]);
  });
});

describe('the alarms of a table', () => {
  it('go off at ten dollars a day: 1,000 read units a second, or 200 write units, which cost five times as much', () => {
    const { properties } = plan({ table: 'items', alarmEmail: 'a@b.example' });
    const thresholds = ['TableReadsAlarm', 'TableWritesAlarm'].map((id) => {
      const { MetricName, Threshold, Period, Dimensions } = properties(id);
      expect(Dimensions).toEqual([{ Name: 'TableName', Value: 'items' }]);
      return [MetricName, Threshold / Period];
    });
    expect(thresholds).toEqual([
      ['ConsumedReadCapacityUnits', 1_000],
      ['ConsumedWriteCapacityUnits', 200],
    ]);
  });

  it.each([
    ['TableThrottlesAlarm', 'ThrottledRequests'],
    ['TableErrorsAlarm', 'SystemErrors'],
  ])('add up what DynamoDB counts for each operation on this table: %s', (id, name) => {
    const { Metrics } = plan({ table: 'items', alarmEmail: 'a@b.example' }).properties(id);
    const Expression = `SELECT SUM(${name}) FROM SCHEMA("AWS/DynamoDB", TableName, Operation) WHERE TableName = 'items'`;
    expect(Metrics).toEqual([{ Id: 'query', Expression, Period: 300, ReturnData: true }]);
  });
});

describe('the alarm for 429', () => {
  it.each(['rest', 'http'])(
    'counts the lines that the access log has for them, where there is one: %s',
    (frontDoor) => {
      const { properties } = plan({ alarmEmail: 'a@b.example', accessLog: 'true', frontDoor });
      const { AccessLogSetting, AccessLogSettings = AccessLogSetting } = properties(
        frontDoor === 'rest' ? 'ApiStage' : 'HttpApiStage',
      );
      // API Gateway writes each value in quotes, so that it is text.
      expect(JSON.parse(AccessLogSettings.Format).status).toBe('$context.status');
      const { LogGroupName, FilterPattern, MetricTransformations } = properties('TooManyRequests');
      expect([LogGroupName, FilterPattern]).toEqual([{ Ref: 'AccessLog' }, '{ $.status = "429" }']);
      const [{ MetricNamespace, MetricName }] = MetricTransformations;
      expect(properties('TooManyRequestsAlarm')).toMatchObject({
        Namespace: MetricNamespace,
        MetricName,
        Statistic: 'Sum',
        Threshold: 100,
      });
      expect(plan({ alarmEmail: 'a@b.example', frontDoor }).properties('TooManyRequestsAlarm')).toBeUndefined();
    },
  );
});

describe('the filters of the logs', () => {
  it('exist for the mail and for the dashboard, and not without both, because they cost', () => {
    const filters = ({ resources }: ReturnType<typeof plan>) =>
      Object.entries(resources.Resources as Record<string, Resource>)
        .filter(([, { Type }]) => Type === 'AWS::Logs::MetricFilter')
        .map(([id]) => id)
        .sort();
    const all = ['CollectionsLost', 'ErrorLines', 'TooManyRequests'];
    for (const shown of [{ alarmEmail: 'a@b.example' }, { dashboard: 'true' }])
      expect(filters(plan({ ...shown, accessLog: 'true' }))).toEqual(all);
    expect(filters(plan({ accessLog: 'true' }))).toEqual([]);
  });
});

describe('logLevel', () => {
  it.each([
    ['debug', true, true],
    ['info', true, true],
    ['warn', true, false],
    ['error', true, false],
    ['silent', false, false],
  ])(
    '%s leaves in the log what the alarm for failures counts: %s, and what counts new collections: %s',
    (logLevel, hasErrors, hasRequests) => {
      const { properties } = plan({ logLevel, alarmEmail: 'a@b.example' });
      const made = ['ErrorLines', 'ErrorLinesAlarm', 'CollectionsLost'].map((id) => properties(id) !== undefined);
      expect(made).toEqual([hasErrors, hasErrors, hasRequests]);
      // A table keeps its items whatever happens to an instance.
      const withTable = plan({ logLevel, alarmEmail: 'a@b.example', table: 'items' });
      expect(withTable.properties('CollectionsLost')).toBeUndefined();
    },
  );
});

describe('the region', () => {
  const before = process.env.AWS_REGION;
  const setRegion = (region: string | undefined) => {
    if (region === undefined) delete process.env.AWS_REGION;
    else process.env.AWS_REGION = region;
  };
  beforeEach(() => setRegion(undefined));
  afterEach(() => setRegion(before));

  it.each([
    [{}, 'eu-central-1'],
    [{ shell: 'us-east-2' }, 'us-east-2'],
    [{ shell: 'us-east-2', option: 'us-east-1' }, 'us-east-1'],
    [{ block: 'eu-west-1' }, 'eu-west-1'],
    [{ block: 'eu-west-1', shell: 'eu-west-1', option: 'eu-west-1' }, 'eu-west-1'],
  ])('of dev is its own, or what the command or the shell says, or eu-central-1: %j', async (said, region) => {
    const { shell, option, block = '' } = said as { shell?: string; option?: string; block?: string };
    setRegion(shell);
    const options = option === undefined ? {} : { region: option };
    const resolveVariable = async (variable: string) => (variable.startsWith('param:region') ? block : '');
    const variables = { options, resolveVariable, resolveConfigurationProperty: async () => ({}) };
    expect(await readParameters(variables, 'dev')).toMatchObject({ region });
  });
});
