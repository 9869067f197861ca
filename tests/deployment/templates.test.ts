import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { idsOf, type Resource } from '../../serverless/changes/deployed-stack.js';
import { PARAMETERS, type Parameters } from '../../serverless/parameters/parameters.js';
import { TIMEOUTS } from '../../shared/dynamodb/retry.js';
import { connect } from '../../shared/dynamodb/send.js';
import { type Kind, problemResponse } from '../../shared/http/problem.js';
import { openLog } from '../../shared/log/log.js';
import { FIRST_KEY } from '../../shared/store/key.js';
import { startTables } from '../support/dynamodb/tables.js';
import { captureLog } from '../support/service/log.js';
import { PARCELS } from '../support/service/parcels.js';
import { startService } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyForPackaging } from './packaging.js';
import { knownTypes } from './resource-types.js';
import { STAGE_NAMES, STAGES, type StageName } from './stages.js';
import { committedTemplate, makeTemplates, TEMPLATE_NAMES } from './templates.js';
import { updateFaults } from './updates.js';

const project = copyForPackaging(temporaryFolder());
let templates: Awaited<ReturnType<typeof makeTemplates>>;
let operations: readonly string[];

beforeAll(async () => {
  [templates, operations] = await Promise.all([makeTemplates(project), tableOperations()]);
});

/** The parameters of a stage, with their defaults. */
function parametersOf(stage: StageName): Parameters {
  const defaults = Object.entries(PARAMETERS).map(([name, parameter]) => [name, parameter.default]);
  return { ...Object.fromEntries(defaults), ...STAGES[stage] };
}

/** The properties of the resources of a template whose type matches, by logical id. */
function propertiesOf(stage: StageName, type: RegExp): [id: string, properties: Resource['Properties']][] {
  return Object.entries(templates[stage].Resources)
    .filter(([, { Type }]) => type.test(Type))
    .map(([id, { Properties }]) => [id, Properties]);
}

describe('the template is the one in templates/; if it is meant to change, run npm run templates', () => {
  it.each(TEMPLATE_NAMES)('%s', (name) => {
    expect(templates[name]).toEqual(committedTemplate(name));
  });

  it('and each type of resource that is known is in one of them', () => {
    const resources = TEMPLATE_NAMES.flatMap((name) => Object.values(templates[name].Resources));
    expect([...new Set(resources.map(({ Type }) => Type))].sort()).toEqual(knownTypes().sort());
  });

  it('and there are no others', () => {
    const files = readdirSync('tests/deployment/templates').map((file) => file.replace('.json', ''));
    expect(files.sort()).toEqual([...TEMPLATE_NAMES].sort());
  });
});

/** Rights on all resources, because AWS knows none for their action: `ACTION: reason`. */
const TRACES = 'a trace has no resource, and nothing is read or deleted with it';
const RIGHTS_ON_ALL: Readonly<Record<string, string>> = {
  'xray:PutTraceSegments': TRACES,
  'xray:PutTelemetryRecords': TRACES,
};

describe('whatever is deployed', () => {
  it.each(STAGE_NAMES)('refers only to what it has, and has no condition: %s', (stage) => {
    const { Resources, Outputs, ...others } = templates[stage];
    const needed = Object.values(Resources).flatMap(({ DependsOn = [] }) => DependsOn);
    const references = /"(?:Ref":|Fn::GetAtt":\[)"([^":]+)"|\$\{(\w+)[.}]/g;
    const named = [...JSON.stringify([Resources, Outputs]).matchAll(references)].map(([, id, inText]) => id ?? inText);
    for (const id of [...needed, ...named]) expect(Object.keys(Resources)).toContain(id);
    // A condition could hide a resource from these tests.
    expect(Object.keys(others)).toEqual(['AWSTemplateFormatVersion', 'Description']);
  });

  it.each(STAGE_NAMES)(
    'lets the function do nothing with all resources of a service, and no more than it does: %s',
    (stage) => {
      const rights = propertiesOf(stage, /IAM::/).flatMap(([, { Policies }]) =>
        Policies.flatMap((policy: { PolicyDocument: { Statement: object[] } }) => policy.PolicyDocument.Statement),
      ) as { Action: string[]; Resource: unknown; Effect: string }[];
      const { table, functionRole } = parametersOf(stage);
      const onTable = rights.filter(({ Action }) => Action.some((action) => action.startsWith('dynamodb:')));
      const arn = `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${table}`;
      const expected = { Effect: 'Allow', Action: operations, Resource: { 'Fn::Sub': arn } };
      expect(onTable).toEqual(table === 'none' || functionRole ? [] : [expected]);
      for (const { Action, Resource } of rights) {
        expect(Action.filter((action) => action.includes('*'))).toEqual([]);
        const reasons = Action.map((action) => RIGHTS_ON_ALL[action]);
        if (JSON.stringify(Resource).includes('*')) expect(reasons).not.toContain(undefined);
      }
    },
  );

  // API Gateway takes the most specific route, and compares letter by letter: what is spelled in another way needs a signature.
  it.each(STAGE_NAMES)(
    'asks for signatures where they are asked for, but of the page, the documents and OPTIONS: %s',
    (stage) => {
      const { signedCalls, frontDoor } = parametersOf(stage);
      const OPEN_METHODS = [
        'ApiGatewayMethodAny',
        'ApiGatewayMethodSwaggerProxyVarAny',
        'ApiGatewayMethodProxyVarOptions',
      ];
      const OPEN_ROUTES = ['ANY /', 'ANY /swagger/{proxy+}', 'OPTIONS /{proxy+}'];
      const signed = {
        rest: { open: OPEN_METHODS, all: 'ApiGatewayMethodProxyVarAny' },
        http: { open: OPEN_ROUTES, all: '$default' },
      };
      const routes = propertiesOf(stage, /::(Method|Route)$/).map(([id, { RouteKey, AuthorizationType = 'NONE' }]) => [
        RouteKey ?? id,
        AuthorizationType,
      ]);
      if (signedCalls === 'true') {
        const { open, all } = signed[frontDoor as 'rest' | 'http'];
        const expected = [[all, 'AWS_IAM'], ...open.map((route) => [route, 'NONE'])];
        expect(Object.fromEntries(routes)).toEqual(Object.fromEntries(expected));
      } else expect(routes.filter(([, type]) => type !== 'NONE')).toEqual([]);
    },
  );

  it.each(STAGE_NAMES)(
    'mails each alarm, and has those for its front door, its function, its log and its table: %s',
    (stage) => {
      const { alarmEmail, frontDoor, table, logLevel, accessLog } = parametersOf(stage);
      const alarms = Object.fromEntries(propertiesOf(stage, /::Alarm$/));
      const subscribed = propertiesOf(stage, /::Subscription$/).map(([, properties]) => properties);
      const topic = { Ref: 'AlarmTopic' };
      const mail = { TopicArn: topic, Protocol: 'email', Endpoint: alarmEmail };
      expect(subscribed).toEqual(alarmEmail ? [mail] : []);
      for (const alarm of Object.values(alarms))
        expect(alarm).toMatchObject({ AlarmActions: [topic], OKActions: [topic], TreatMissingData: 'notBreaching' });
      const watches = (pattern: RegExp) => Object.values(alarms).some((alarm) => pattern.test(JSON.stringify(alarm)));
      const door = { rest: /5XXError/, http: /"5xx"/, url: /Url5xxCount/ }[frontDoor as 'rest' | 'http' | 'url'];
      const expected = {
        door: alarmEmail !== '',
        errors: alarmEmail !== '',
        throttles: alarmEmail !== '',
        slow: alarmEmail !== '',
        refused: alarmEmail !== '' && accessLog === 'true',
        log: alarmEmail !== '' && logLevel !== 'silent',
        writes: alarmEmail !== '' && table !== 'none',
        failures: alarmEmail !== '' && table !== 'none',
      };
      const found = {
        door: watches(door),
        errors: watches(/"AWS\/Lambda","MetricName":"Errors"/),
        throttles: watches(/"AWS\/Lambda","MetricName":"Throttles"/),
        slow: watches(/"Stat":"p99"/),
        refused: watches(/"TooManyRequests"/),
        log: watches(/"ErrorLines"/),
        writes: watches(/ConsumedWriteCapacityUnits.*items-live/),
        failures: watches(/SystemErrors.*items-live/),
      };
      expect(found).toEqual(expected);
    },
  );

  it.each(STAGE_NAMES)(
    'shows on its dashboard, if it has one, all that alarms watch, and no text instead of a reference: %s',
    (stage) => {
      const { dashboard } = parametersOf(stage);
      const [[, { DashboardBody }] = [undefined, {}]] = propertiesOf(stage, /::Dashboard$/);
      expect(DashboardBody !== undefined).toBe(dashboard === 'true');
      if (!DashboardBody) return;
      const body: string = DashboardBody['Fn::Sub'];
      const { widgets } = JSON.parse(body);
      const shown: string[] = widgets.flatMap(({ properties }: { properties: { metrics: unknown[][] } }) =>
        properties.metrics.map((metric) => JSON.stringify(metric)),
      );
      const watched = propertiesOf(stage, /::Alarm$/).flatMap(([, { MetricName, Metrics = [] }]) => [
        MetricName,
        ...Metrics.map((one: { MetricStat?: { Metric: { MetricName: string } }; Id: string; Expression?: string }) =>
          one.Id === 'query' ? /SUM\((\w+)\)/.exec(one.Expression ?? '')?.[1] : one.MetricStat?.Metric.MetricName,
        ),
      ]);
      const missing = watched.filter(
        (name) => name && name !== 'Invocations' && !shown.some((one) => one.includes(`${name}`)),
      );
      expect(missing).toEqual([]);
      // CloudWatch takes one query of this kind a chart.
      const queries = widgets.map((widget: object) => JSON.stringify(widget).split('SELECT ').length - 1);
      expect(Math.max(...queries)).toBeLessThanOrEqual(1);
      expect(body).not.toContain('"Ref"');
      const places = widgets.map(({ x, y, width, height }: Record<string, number>) => [x, y, width, height].join());
      expect(new Set(places).size).toBe(widgets.length);
    },
  );

  it.each(STAGE_NAMES)('lets callers reach the function by its alias alone, and only once they may: %s', (stage) => {
    const { Resources } = templates[stage];
    const of = (type: string) => idsOf(templates[stage], `AWS::${type}`);
    const [version = ''] = of('Lambda::Version');
    expect(Resources[version]).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
    expect(Resources.ApiAlias?.Properties).toEqual({
      Name: 'current',
      FunctionName: { Ref: 'ApiLambdaFunction' },
      FunctionVersion: { 'Fn::GetAtt': [version, 'Version'] },
    });
    const permissions = of('Lambda::Permission');
    const callers = [...of('ApiGateway::Method'), ...of('ApiGatewayV2::Integration'), ...of('Lambda::Url')];
    for (const id of [...permissions, ...callers]) {
      const { Properties, DependsOn } = Resources[id] as Resource;
      expect([id, functionsIn(Properties)]).toEqual([id, ['ApiLambdaFunction.Arn:current']]);
      expect([id, DependsOn].flat()).toContain('ApiAlias');
    }
    // An API that is deployed already would call the alias before it may. A URL has a new address.
    for (const id of [...of('ApiGateway::Method'), ...of('ApiGatewayV2::Integration')])
      expect(Resources[id]?.DependsOn).toEqual(expect.arrayContaining(permissions));
    expect([permissions.length > 0, callers.length > 0]).toEqual([true, true]);
  });

  it.each(['rest-memory', 'rest-sign-in', 'rest-signed'] as const)(
    'copies an API to its stage only when all of it is made: %s',
    (stage) => {
      const [deployment = ''] = idsOf(templates[stage], 'AWS::ApiGateway::Deployment');
      const copied = propertiesOf(stage, /ApiGateway::(Method|GatewayResponse)$/).map(([id]) => id);
      expect(templates[stage].Resources[deployment]?.DependsOn).toEqual(expect.arrayContaining(copied));
      expect(copied.length).toBeGreaterThan(2);
    },
  );

  it('gives the function more time than the store takes, and less than the gateway waits', () => {
    const [[, { Timeout }] = []] = propertiesOf('rest-signed', /Lambda::Function$/) as [
      [string, Resource['Properties']],
    ];
    expect(Timeout * 1_000).toBeGreaterThan(TIMEOUTS.total);
    expect(Timeout).toBeLessThan(29);
  });

  it('counts the lines that the log has for failed requests', () => {
    const lines = captureLog();
    openLog('error').error?.('the collection is unavailable', {});
    jest.restoreAllMocks();
    const { FilterPattern } = templates['rest-signed'].Resources.ErrorLines?.Properties ?? {};
    expect(FilterPattern).toBe(`{ $.level = "${lines[0]?.level}" }`);
  });
});

/** How properties name the function: by its ARN, and by what they join to that. */
function functionsIn(properties: object): string[] {
  const joined = JSON.stringify(properties, (_name, value) => {
    const [separator, parts] = value?.['Fn::Join'] ?? [];
    if (!parts) return value;
    return parts
      .map((part: string | Record<string, string[]>) =>
        typeof part === 'string' ? part : Object.values(part).flat().join('.'),
      )
      .join(separator);
  });
  return joined.match(/ApiLambdaFunction[^"/]*/g) ?? [];
}

/** What a service calls of DynamoDB for each operation, on items that are there, are new, are gone, or never were. */
async function tableOperations(): Promise<string[]> {
  const called = new Set<string>();
  const tables = await startTables();
  const service = startService(undefined, {
    table: await tables.create(),
    timeouts: TIMEOUTS,
    connect(access) {
      const send = connect(access);
      return (operation, ...call) => {
        called.add(`dynamodb:${operation}`);
        return send(operation, ...call);
      };
    },
  });
  const [first] = (await service.call('GET', PARCELS)).json;
  const headers = { 'Idempotency-Key': 'k' };
  const post = () => service.call('POST', PARCELS, { headers, body: { label: 'a' } });
  const [{ key }] = [(await post()).json, await post()];
  for (const id of [first.key, key, FIRST_KEY.replaceAll('0', '1')])
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'PATCH'])
      await service.call(method, `${PARCELS}/${id}`, /^P/.test(method) ? { body: { key: id, label: 'b' } } : {});
  await service.call('GET', `${PARCELS}?limit=1`);
  await tables.stop();
  return [...called].sort();
}

describe('API Gateway answers by itself with a problem like those of the service', () => {
  it.each<[Kind, id: string, type: string, applied: boolean | undefined, StageName]>([
    ['busy', 'BusyResponse', 'INTEGRATION_FAILURE', false, 'rest-memory'],
    // The function may have failed after it wrote.
    ['busy-or-failed', 'BusyResponse', 'INTEGRATION_FAILURE', undefined, 'rest-sign-in'],
    ['throttled', 'ThrottledResponse', 'THROTTLED', false, 'rest-sign-in'],
    ['timed-out', 'TimeoutResponse', 'INTEGRATION_TIMEOUT', undefined, 'rest-memory'],
    ['unknown-method', 'UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN', undefined, 'rest-memory'],
    ['not-signed', 'UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN', undefined, 'rest-signed'],
  ])('%s', (kind, id, type, applied, stage) => {
    const { status, body = '' } = problemResponse({ id: '$context.requestId' }, kind);
    const { ResponseTemplates, ...response } = templates[stage].Resources[id]?.Properties ?? {};
    expect(response).toMatchObject({ ResponseType: type, StatusCode: String(status) });
    expect(JSON.parse(ResponseTemplates['application/json'])).toEqual(JSON.parse(body));
    expect(JSON.parse(body).applied).toBe(applied);
  });
});

describe('an update of a live stage', () => {
  // CloudFormation deletes no bucket that has objects: CHANGELOG.md says what to do.
  const OTHER_BUCKET = ['ServerlessDeploymentBucket is deleted, with what it keeps: say whether it should be'];

  it.each(STAGE_NAMES)('to any other parameters succeeds and loses nothing: from %s', (from) => {
    const faults = STAGE_NAMES.map((to) => [to, updateFaults(templates[from], templates[to])]);
    const loses = (to: StageName) => !parametersOf(from).deploymentBucket && parametersOf(to).deploymentBucket;
    expect(faults).toEqual(STAGE_NAMES.map((to) => [to, loses(to) ? OTHER_BUCKET : []]));
  });

  it('to signed calls removes no open method, which would stay in the deployment of the API until the next update', () => {
    const methods = (stage: StageName) => idsOf(templates[stage], 'AWS::ApiGateway::Method');
    expect(methods('rest-memory')).toHaveLength(2);
    expect(methods('rest-signed')).toEqual(expect.arrayContaining(methods('rest-memory')));
  });
});

describe("the table's own stack", () => {
  it('keeps the table from loss, and what is overwritten or deleted can be restored', () => {
    // Neither with its stack, nor with a property that can't be changed in place, nor by mistake.
    expect(templates.table.Resources.Table).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });
});
