import { readFileSync } from 'node:fs';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import PackagePlugin from '../../serverless/package.cjs';
import { TIMEOUTS } from '../../shared/dynamodb/client.js';
import { detailOf } from '../../shared/http/problem-details.js';
import { PROBLEMS, type ProblemKind, TITLES } from '../../shared/problem-kinds.js';
import { attributesOf } from '../../shared/store/row.js';
import { parseYaml } from '../support/parse-yaml.js';
import { frameworkWith, type Json } from './framework.js';

const BOUNDARY = 'arn:aws:iam::123456789012:policy/todo-item-service-table-boundary';
const CERTIFICATE = 'arn:aws:acm:eu-central-1:123456789012:certificate/1';
const TABLE = { region: 'eu-central-1', table: 'items', tokenIssuer: 'none', alarmEmail: 'you@example.com' };
const DOMAIN = { domain: 'api.example.com', certificate: CERTIFICATE, hostedZone: 'Z0123456789ABC' };
const TOKEN = { tokenIssuer: 'https://login.example.com', tokenAudience: 'todo' };
const SIGN_IN = { ...TOKEN, listBy: 'all', readScope: 'read', writeScope: 'write' };

const STAGES = {
  memory: { ...TABLE, ...DOMAIN, table: 'none', corsOrigins: '*' },
  table: { ...TABLE, throttle: 20, reservedConcurrency: 5, permissionsBoundary: BOUNDARY },
  http: { ...TABLE, ...SIGN_IN, table: 'items-http', frontDoor: 'http', throttle: 30 },
  bare: { region: 'eu-central-1', table: 'none', tokenIssuer: 'none' },
};
/** Its alarmEmail is blank only once Serverless Framework has resolved all variables. */
const BLANK = { ...TABLE, table: 'items-blank', alarmEmail: `\${param:nothing, ''}` };
const WRONG = { region: 'eu-central-1', frontDoor: 'url', reservedConcurrency: 'none' };
type Name = keyof typeof STAGES;
const NAMES = Object.keys(STAGES) as Name[];

const { call, packageStage } = frameworkWith({ ...STAGES, blank: BLANK, wrong: WRONG, nowhere: {} });
const packaged = {} as Record<Name, Json>;

beforeAll(async () => {
  const templates = await Promise.all(NAMES.map(packageStage));
  for (const [index, name] of NAMES.entries()) packaged[name] = templates[index];
});

const file = (name: string): Json => parseYaml(readFileSync(`serverless/${name}.yml`, 'utf8'));
const spec = loadAwsServiceSpecSync();

/** The properties of all resources of a type, by logical id. */
function made(from: Json, type: string): Record<string, Json> {
  const resources = Object.entries<Json>(from.Resources).filter(([, { Type }]) => Type === `AWS::${type}`);
  return Object.fromEntries(resources.map(([id, { Properties }]) => [id, Properties]));
}

function only(from: Json, type: string): Json {
  const [first, ...others] = Object.values(made(from, type));
  expect(others).toEqual([]);
  return first;
}

const sorted = (values: readonly string[]) => [...values].sort();
const actionsOf = ({ Action }: Json): string[] => sorted([Action].flat());

it.each([...NAMES, 'dynamodb-table', 'pipeline'])(
  'uses only types and properties that CloudFormation knows, and refers only to what it declares: %s',
  (name) => {
    const { Resources, Outputs, Parameters } = packaged[name as Name] ?? file(name);
    for (const [id, { Type, Properties = {} }] of Object.entries<Json>(Resources)) {
      const properties = Object.entries(
        spec.lookup('resource', 'cloudFormationType', 'equals', Type)[0]?.properties ?? {},
      );
      const unknown = Object.keys(Properties).filter((name) => !properties.some(([known]) => known === name));
      const missing = properties.filter(([name, { required }]) => required && !(name in Properties));
      expect([id, unknown, missing]).toEqual([id, [], []]);
    }
    const references = /"(?:Ref":|Fn::GetAtt":\[)"([^":]+)"|\$\{(\w+)[.}]/g;
    const named = [...JSON.stringify([Resources, Outputs]).matchAll(references)].map(([, id, inText]) => id ?? inText);
    const needed = Object.values<Json>(Resources).flatMap(({ DependsOn = [] }) => DependsOn);
    for (const id of [...named, ...needed]) expect(Object.keys({ ...Resources, ...Parameters })).toContain(id);
  },
);

it.each(NAMES)('lets the function of the stage %s only write to its log, and read and write its table', (name) => {
  const { Policies, PermissionsBoundary } = only(packaged[name], 'IAM::Role');
  const statements: Json[] = Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
  const rights = Object.fromEntries(statements.map((one) => [JSON.stringify(one.Resource), actionsOf(one)]));
  const log = { '{"Fn::GetAtt":["ApiLogGroup","Arn"]}': ['logs:CreateLogStream', 'logs:PutLogEvents'] };
  const { table } = STAGES[name];
  const arn = `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${table}`;
  const rows = { [`{"Fn::Sub":"${arn}"}`]: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'] };
  expect(rights).toEqual(table === 'none' ? log : { ...log, ...rows });
  expect(PermissionsBoundary).toBe(name === 'table' ? BOUNDARY : undefined);
});

it('gives the function its parameters, time to say that the table does not answer, and a log for two weeks', () => {
  const { Environment, LoggingConfig, Timeout } = only(packaged.http, 'Lambda::Function');
  expect(Environment.Variables).toEqual({
    TABLE_NAME: 'items-http',
    TOKEN_ISSUER: 'https://login.example.com',
    TOKEN_AUDIENCE: 'todo',
    LIST_BY: 'all',
    TOKEN_READ_SCOPE: 'read',
    TOKEN_WRITE_SCOPE: 'write',
    CORS_ORIGINS: '',
  });
  expect(Timeout * 1_000).toBeGreaterThan(TIMEOUTS.total);
  expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'INFO' });
  expect(only(packaged.http, 'Logs::LogGroup').RetentionInDays).toBe(14);
});

it('has one instance in memory and any number with a table, unless the stage says otherwise', () => {
  const reserved = NAMES.map((name) => [name, only(packaged[name], 'Lambda::Function').ReservedConcurrentExecutions]);
  expect(Object.fromEntries(reserved)).toEqual({ memory: 1, table: 5, http: undefined, bare: 1 });
});

describe.each(['memory', 'table'] as const)('the REST API of the stage %s', (name) => {
  it('has a stage that leads to a copy of all methods and answers', () => {
    const [[copy, { StageName }]] = Object.entries(made(packaged[name], 'ApiGateway::Deployment')) as [[string, Json]];
    expect(StageName).toBeUndefined();
    const rate = name === 'table' ? 20 : 100;
    expect(only(packaged[name], 'ApiGateway::Stage')).toMatchObject({
      StageName: name,
      DeploymentId: { Ref: copy },
      MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: rate, ThrottlingBurstLimit: rate }],
    });
    const types = ['ApiGateway::Method', 'ApiGateway::GatewayResponse'];
    const copied = types.flatMap((type) => Object.keys(made(packaged[name], type)));
    expect(sorted(packaged[name].Resources[copy].DependsOn)).toEqual(sorted(copied));
    const through = { BinaryMediaTypes: ['*/*'], MinimumCompressionSize: 8192 };
    expect(only(packaged[name], 'ApiGateway::RestApi')).toMatchObject(through);
  });

  it('answers with problems of the table of problems, which every page may read with corsOrigins', () => {
    const codes: Record<string, string | undefined> = {};
    for (const response of Object.values(made(packaged[name], 'ApiGateway::GatewayResponse'))) {
      const { ResponseType, StatusCode, ResponseParameters, ResponseTemplates } = response;
      const header = (field: string) => ResponseParameters[`gatewayresponse.header.${field}`];
      expect(header('Content-Type')).toBe("'application/problem+json'");
      expect(header('Access-Control-Allow-Origin')).toBe(name === 'memory' ? "'*'" : undefined);
      const body = ResponseTemplates['application/json'].replace('$context.error.messageString', '"own"');
      const { code, ...problem } = JSON.parse(body);
      codes[ResponseType] = code;
      if (code === undefined) continue;
      const kind: ProblemKind = PROBLEMS[code as keyof typeof PROBLEMS];
      const { status, applied } = kind;
      const row = { type: 'about:blank', title: TITLES[status], status, detail: detailOf(kind), applied };
      expect(problem).toEqual({ ...row, requestId: '$context.requestId' });
      const retry = [429, 503].includes(status) ? "'1'" : undefined;
      expect([StatusCode, header('Retry-After')]).toEqual([String(status), retry]);
      const exposed = name === 'memory' && retry ? "'Retry-After'" : undefined;
      expect(header('Access-Control-Expose-Headers')).toBe(exposed);
    }
    expect(codes).toEqual({
      INTEGRATION_FAILURE: name === 'table' ? 'busy-or-failed' : 'busy',
      THROTTLED: 'throttled',
      MISSING_AUTHENTICATION_TOKEN: 'unknown-method',
      DEFAULT_4XX: undefined,
      DEFAULT_5XX: undefined,
    });
  });
});

it('limits requests to an HTTP API', () => {
  const limits = { ThrottlingRateLimit: 30, ThrottlingBurstLimit: 30 };
  expect(only(packaged.http, 'ApiGatewayV2::Stage').DefaultRouteSettings).toEqual(limits);
});

describe('alarms', () => {
  it('are there only if somebody gets their mail', () => {
    expect(only(packaged.http, 'SNS::Subscription')).toMatchObject({ Protocol: 'email', Endpoint: 'you@example.com' });
    const types = ['CloudWatch::Alarm', 'Logs::MetricFilter', 'SNS::Subscription', 'SNS::Topic'];
    expect(types.map((type) => made(packaged.bare, type))).toEqual([{}, {}, {}, {}]);
  });

  const line = (status: number, duration = 5) => ({ level: 'INFO', message: { status, duration } });
  /** Requests that come evenly: what AWS measures of each, and what the function logs. */
  const requests = (count: number, minutes: number, status: number, more: object = {}) => {
    const each = { status, latency: 50, errors: 0, throttles: 0, lines: [line(status)] as object[], ...more };
    return Array.from({ length: count }, (_, index) => ({ ...each, minute: ((index + 1) * minutes) / count }));
  };
  type Requests = ReturnType<typeof requests>;
  const logged = (level: string) => ({ lines: [{ level, message: { event: 'failed' } }, line(500)] });
  const unlogged = { lines: [] };
  const timedOut = { errors: 1, lines: [{ type: 'platform.report', record: { status: 'timeout' } }] };
  const throttled = { throttles: 1, lines: [] };
  const slow = { latency: 6_000, lines: [line(200, 5_900)] };

  it.each<[what: string, alarms: string[], ...traffic: Requests[]]>([
    ['9 requests that got 502 from API Gateway', ['ServerErrors'], requests(9, 10, 502, unlogged)],
    ['a fifth with 503 on a busy stage', ['ServerErrors'], requests(7_200, 10, 200), requests(1_800, 10, 503)],
    ['30 requests that got 401', ['Refused'], requests(30, 10, 401)],
    ['30 requests that got 403', ['Refused'], requests(30, 10, 403)],
    ['30 requests that got 401 after a preflight', ['Refused'], requests(30, 10, 401), requests(30, 10, 204)],
    ['an operation that throws', ['ErrorLines'], requests(89, 10, 200), requests(1, 10, 500, logged('ERROR'))],
    ['two calls an hour to a table that is gone', ['ErrorLines'], requests(2, 60, 503, logged('ERROR'))],
    ['a time-out of the function', ['FunctionErrors'], requests(89, 10, 200), requests(1, 10, 503, timedOut)],
    ['20 minutes in which answers take six seconds', ['Slow'], requests(40, 20, 200, slow)],
    ['30 calls that Lambda refused', ['Throttles'], requests(9_000, 10, 200), requests(30, 10, 503, throttled)],
    ['one 503 among 10,000', [], requests(9_999, 10, 200), requests(1, 10, 503, logged('WARN'))],
    ['120 unknown paths', [], requests(120, 10, 404)],
    ['an expired token in every sixth request', [], requests(200, 10, 200), requests(40, 10, 401)],
    ['10 minutes in which answers take six seconds', [], requests(40, 10, 200, slow)],
    ['one slow answer in ten', [], requests(36, 20, 200), requests(4, 20, 200, slow)],
    ['a quiet hour in which each call starts an instance', [], requests(12, 60, 200, { latency: 900 })],
    ['a busy hour', [], requests(36_000, 60, 200), requests(40, 60, 503, throttled)],
  ])('after %s, those that ring are %j', (_, alarms, ...traffic) => {
    expect([ringing('table', traffic.flat()), ringing('http', traffic.flat())]).toEqual([alarms, alarms]);
  });

  it('ring later in memory, where requests wait for one another', () => {
    const traffic = (count: number) => [...requests(300, 10, 200, unlogged), ...requests(count, 10, 503, throttled)];
    const rung = [299, 300].map((count) => ringing('memory', traffic(count)));
    expect(rung).toEqual([[], ['ServerErrors', 'Throttles']]);
  });

  /** The alarms that ring after the last of these requests. Each mails, and its command finds what the function has logged. */
  function ringing(name: Name, traffic: Requests): string[] {
    const measure = measuring(name, traffic);
    const rings = ({ Metrics, Statistic, ...alarm }: Json) => {
      const MetricStat = { Metric: alarm, Period: alarm.Period, Stat: Statistic ?? alarm.ExtendedStatistic };
      const [{ Expression }, ...inputs]: Json[] = Metrics ?? [{ Expression: 'value' }, { Id: 'value', MetricStat }];
      const calculate = new Function('IF', ...inputs.map(({ Id }) => Id), `return ${Expression}`);
      const breaches = Array.from({ length: alarm.EvaluationPeriods }, (_, periodsAgo) => {
        const values = inputs.map((input) => measure(input.MetricStat, periodsAgo));
        if (values.includes(undefined)) return alarm.TreatMissingData === 'breaching';
        return calculate((is: boolean, yes: number, no: number) => (is ? yes : no), ...values) >= alarm.Threshold;
      });
      return breaches.every(Boolean);
    };
    const loud = Object.entries(made(packaged[name], 'CloudWatch::Alarm')).filter(([, alarm]) => rings(alarm));
    const lines = traffic.flatMap((one) => one.lines);
    for (const [, { AlarmDescription, AlarmActions, OKActions }] of loud) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: 'AlarmTopic' }], [{ Ref: 'AlarmTopic' }]]);
      const command = /: aws (?:logs tail .*--since 3d .*--filter-pattern '(.+)'|lambda get-function-concurrency .+)$/;
      expect(AlarmDescription).toMatch(command);
      const [, pattern] = command.exec(AlarmDescription) ?? [];
      if (pattern && lines.length > 0) expect(lines.some(matcherOf(pattern))).toBe(true);
    }
    return loud.map(([id]) => id.replace('Alarm', ''));
  }

  /** What CloudWatch has measured of a metric in a period; undefined if there is nothing. */
  function measuring(name: Name, traffic: Requests) {
    const ofRest = [{ Name: 'ApiName', Value: `todo-item-service-${name}` }];
    const api = JSON.stringify(name === 'http' ? [{ Name: 'ApiId', Value: { Ref: 'HttpApi' } }] : ofRest);
    const lambda = JSON.stringify([{ Name: 'FunctionName', Value: { Ref: 'ApiLambdaFunction' } }]);
    const filters = Object.values(made(packaged[name], 'Logs::MetricFilter')).map((filter) => {
      const [{ MetricNamespace, MetricName, MetricValue }] = filter.MetricTransformations;
      expect([filter.LogGroupName, MetricValue]).toEqual([{ Ref: 'ApiLogGroup' }, '1']);
      const count: Measure = ({ lines }) => lines.filter(matcherOf(filter.FilterPattern)).map(() => 1);
      return [`${MetricNamespace} ${MetricName} undefined`, count];
    });
    const measures: Record<string, Measure> = {
      [`AWS/ApiGateway Count ${api}`]: () => 1,
      [`AWS/ApiGateway ${name === 'http' ? '5xx' : '5XXError'} ${api}`]: ({ status }) => Number(status >= 500),
      [`AWS/ApiGateway Latency ${api}`]: ({ latency }) => latency,
      [`AWS/Lambda Errors ${lambda}`]: ({ errors }) => errors,
      [`AWS/Lambda Throttles ${lambda}`]: ({ throttles }) => throttles,
      ...Object.fromEntries(filters),
    };
    const last = Math.max(...traffic.map(({ minute }) => minute));
    return ({ Metric, Period, Stat }: Json, periodsAgo: number): number | undefined => {
      const end = last - (periodsAgo * Period) / 60;
      const measured = traffic.filter(({ minute }) => end - Period / 60 < minute && minute <= end);
      const metric = `${Metric.Namespace} ${Metric.MetricName} ${JSON.stringify(Metric.Dimensions)}`;
      const values = measured.flatMap(measures[metric] as Measure).sort((one, other) => one - other);
      if (Stat === 'p50') return values[Math.floor(values.length / 2)];
      return values.length > 0 ? values.reduce((sum, value) => sum + value) : undefined;
    };
  }
  type Measure = (request: Requests[number]) => number | number[];

  /** Matches lines by a pattern such as `{ $.level = "ERROR" }`. */
  function matcherOf(pattern: string) {
    const condition = pattern.slice(1, -1).replace(/\$[\w.]+/g, (path) => path.replaceAll('.', '?.'));
    return new Function('$', `return ${condition.replaceAll(' = ', ' === ')}`) as (line: object) => boolean;
  }
});

it('leads a domain to the API', () => {
  const { memory, http } = packaged;
  const domain = { DomainName: 'api.example.com', DomainNameConfigurations: [{ CertificateArn: CERTIFICATE }] };
  expect(only(memory, 'ApiGatewayV2::DomainName')).toMatchObject(domain);
  const mapping = { ApiId: { Ref: 'ApiGatewayRestApi' }, Stage: { Ref: 'ApiStage' } };
  expect(only(memory, 'ApiGatewayV2::ApiMapping')).toMatchObject(mapping);
  const record = { Name: 'api.example.com', HostedZoneId: 'Z0123456789ABC' };
  expect(only(memory, 'Route53::RecordSet')).toMatchObject(record);
  const url = { 'Fn::Sub': 'https://api.example.com/api/todo' };
  expect(memory.Outputs).toMatchObject({ ApiUrl: { Value: url }, DomainTarget: {}, DomainTargetZone: {} });
  expect(JSON.stringify(http.Outputs.PageUrl)).toMatch(/HttpApi}\.execute-api.*\/swagger\/ui/);
});

it.each([
  ['deploy --stage wrong', /stage wrong in .*:\ntable is missing.*reservedConcurrency.*frontDoor/s],
  ['package --stage blank', /stage blank in serverless\/stages\.yml:\nalarmEmail has no value/],
  ['package --stage memory --param corsOrigins=a', /corsOrigins \(CORS_ORIGINS\) has "a"/],
  ['deploy', /Name the stage with --stage: .* dev, which anyone can call/],
  ['deploy --stage memory -p .serverless', /Leave out --package: /],
  ['deploy function -f api --stage memory', /serverless deploy --force --stage memory/],
  ['info --stage lvie', /no stage lvie in serverless\/stages\.yml/],
  ['info --stage default', /no stage default in serverless\/stages\.yml/],
  ['info --stage nowhere', /Set the region of nowhere/],
  ['rollback --stage wrong --timestamp 1', /settings .*table, sign-in, scopes, alarms.*npm run smoke/s],
  ['rollback --stage wrong', /^(?!.*restores).*credentials not found/s],
])('ends serverless %s with a sentence', async (command, sentence) => {
  expect(await call(...command.split(' '))).toMatchObject({ code: 1, printed: expect.stringMatching(sentence) });
});

it.each([
  [{}, /stage live in eu-central-1 .* in memory\.\nAnyone can read and change the one list\.\nNobody gets alarms/],
  [{ table: 'items', alarmEmail: 'a@b.example' }, /in the table items\..*\nAlarms go to a@b\.example/s],
  [TOKEN, /token from https:\/\/login.* for todo can read their own list, and change it\.\n/],
  [{ ...SIGN_IN, listBy: 'org' }, /the list of their org with the scope read, and change it with the scope write/],
  [SIGN_IN, /can read the one list with/],
])('says who may do what before it deploys %j', (parameters, sentence) => {
  const params = { default: {}, live: { ...STAGES.bare, ...parameters } };
  const configurationInput = { provider: { environment: {} }, params };
  const service = { provider: { stage: 'live' }, validate() {} };
  const notice = jest.fn();
  const serverless = { configurationInput, processedInput: { commands: ['deploy'] }, service };
  new PackagePlugin(serverless, {}, { log: { notice } }).hooks['before:deploy:deploy']();
  expect(notice).toHaveBeenCalledWith(expect.stringMatching(sentence));
});

it('keeps the table when its stack is deleted or replaces it, every state of it for a while, and no row that has expired', () => {
  const { Table } = file('dynamodb-table').Resources;
  expect(Table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  const recovery = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };
  expect(Table.Properties).toMatchObject({ DeletionProtectionEnabled: true, ...recovery });
  const tombstone = attributesOf({ key: '', version: 2, expires: 1 }, '');
  expect(tombstone).toHaveProperty(Table.Properties.TimeToLiveSpecification.AttributeName, { N: '1' });
});

describe('the pipeline', () => {
  const { Boundary, DeploymentRole, PipelineRole } = file('pipeline').Resources;
  const statementsOf = ({ Properties }: Json): Json[] =>
    Properties.Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
  const [ofDeployment, ofPipeline] = [statementsOf(DeploymentRole), statementsOf(PipelineRole)];
  const limits: Json[] = Boundary.Properties.PolicyDocument.Statement;
  const statements = [...ofDeployment, ...ofPipeline, ...limits];

  it('is for this service, and for a stage whose roles have names that AWS takes', () => {
    const { Service, Stage } = file('pipeline').Parameters;
    expect(Service.Default).toBe((parseYaml(readFileSync('serverless.yml', 'utf8')) as Json).service);
    const name: string = DeploymentRole.Properties.RoleName['Fn::Sub'];
    const longest = name.replace(`\${Service}`, Service.Default).replace(`\${Stage}`, 'a'.repeat(Stage.MaxLength));
    expect(longest).toHaveLength(64);
  });

  it("trusts CloudFormation and the stage's environment on GitHub, which changes the stack only by CloudFormation's role", () => {
    const [ofCloudFormation, ofGitHub] = [DeploymentRole, PipelineRole].map(({ Properties }) => {
      const [trust, ...others] = Properties.AssumeRolePolicyDocument.Statement;
      expect(others).toEqual([]);
      return trust;
    });
    expect(ofCloudFormation.Principal).toEqual({ Service: 'cloudformation.amazonaws.com' });
    const subject = { 'Fn::Sub': `repo:\${Repository}:environment:\${Stage}` };
    expect(ofGitHub.Condition.StringEquals).toMatchObject({ 'token.actions.githubusercontent.com:sub': subject });
    const role = { 'Fn::GetAtt': ['DeploymentRole', 'Arn'] };
    const statementsFor = (action: string) => ofPipeline.filter((one) => actionsOf(one).includes(action));
    const byRole = { Condition: { StringEquals: { 'cloudformation:RoleArn': role } } };
    expect(statementsFor('cloudformation:CreateChangeSet')).toEqual([expect.objectContaining(byRole)]);
    expect(statementsFor('iam:PassRole')).toEqual([expect.objectContaining({ Resource: role })]);
  });

  it('may change what a stage makes, by its name', () => {
    const names = [...JSON.stringify(statements).matchAll(/\$\{Service\}-\$\{Stage\}-(\w+)[-*]/g)];
    const types = ['IAM::Role', 'SNS::Topic', 'CloudWatch::Alarm'];
    for (const id of types.flatMap((type) => Object.keys(made(packaged.table, type))))
      expect([id, names.some(([, prefix = '?']) => id.startsWith(prefix))]).toEqual([id, true]);
  });

  it('is limited to the stage, except at API Gateway and for actions that cannot be limited', () => {
    expect(statements.flatMap(actionsOf).filter((action) => action.endsWith(':*'))).toEqual(['apigateway:*']);
    const own = /\$\{(Stage|Table|Bucket|Domain|HostedZone)}|"DeploymentRole"/;
    const others = statements.filter(
      ({ Resource }) => ![Resource].flat().every((one) => own.test(JSON.stringify(one))),
    );
    const reads = ['cloudwatch:DescribeAlarms', 'logs:DescribeLogGroups', 'route53:Get*', 'route53:List*'];
    const needed = ['apigateway:*', 'apigateway:GET', 'cloudformation:ValidateTemplate', 'iam:CreateServiceLinkedRole'];
    expect(sorted(others.flatMap(actionsOf))).toEqual(sorted([...reads, ...needed]));
  });

  it("makes no role without the boundary, which is as narrow as the function's role", () => {
    const changes = /^iam:(Create|Put|Attach|Update)(?!ServiceLinkedRole)/;
    const conditions = statements.filter((one) => actionsOf(one).some((action) => changes.test(action)));
    const needed = { StringEquals: { 'iam:PermissionsBoundary': { Ref: 'Boundary' } } };
    expect(conditions.map(({ Condition }) => Condition)).toEqual([needed]);
    const { Policies } = only(packaged.table, 'IAM::Role');
    const ofRole: Json[] = Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
    expect(sorted(limits.flatMap(actionsOf))).toEqual(sorted(ofRole.flatMap(actionsOf)));
  });
});
