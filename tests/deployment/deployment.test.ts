import { readFileSync } from 'node:fs';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TIMEOUTS } from '../../shared/dynamodb/client.js';
import { PROBLEMS, type ProblemKind, TITLES } from '../../shared/problem.js';
import { attributesOf } from '../../shared/store/row.js';
import { parseYaml } from '../support/parse-yaml.js';
import { frameworkWith, type Json } from './framework.js';

const BOUNDARY = 'arn:aws:iam::123456789012:policy/todo-item-service-table-boundary';
const CERTIFICATE = 'arn:aws:acm:eu-central-1:123456789012:certificate/1';
const TABLE = { region: 'eu-central-1', table: 'items', tokenIssuer: 'none', alarmEmail: 'you@example.com' };
const DOMAIN = { domain: 'api.example.com', certificate: CERTIFICATE, hostedZone: 'Z0123456789ABC' };
const SIGN_IN = { tokenIssuer: 'https://login.example.com', tokenAudience: 'todo', listBy: 'all' };
const SCOPES = { readScope: 'read', writeScope: 'write' };

const STAGES = {
  memory: { ...TABLE, ...DOMAIN, table: 'none', alarmEmail: 'none', corsOrigins: '*' },
  table: { ...TABLE, throttle: 20, reservedConcurrency: 5, permissionsBoundary: BOUNDARY },
  http: { ...TABLE, ...SIGN_IN, ...SCOPES, table: 'items-http', frontDoor: 'http', logLevel: 'WARN' },
};
type Name = keyof typeof STAGES;
const NAMES = Object.keys(STAGES) as Name[];

const { call, packageStage } = frameworkWith({ ...STAGES, wrong: { region: 'eu-central-1' } });
const packaged = {} as Record<Name, Json>;

beforeAll(async () => {
  const templates = await Promise.all(NAMES.map(packageStage));
  for (const [index, name] of NAMES.entries()) packaged[name] = templates[index];
});

const file = (name: string): Json => parseYaml(readFileSync(`serverless/${name}.yml`, 'utf8'));
const { throttle } = file('stages').default;
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
  'has no type or property that CloudFormation does not know, and refers only to what it has: %s',
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

it.each(NAMES)('lets the function of the stage %s write its log and use its table only', (name) => {
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
    CORS_ORIGINS: 'none',
  });
  expect(Timeout * 1_000).toBeGreaterThan(TIMEOUTS.total);
  expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'WARN' });
  expect(only(packaged.http, 'Logs::LogGroup').RetentionInDays).toBe(14);
});

it('has one instance in memory and any number with a table, unless the stage says otherwise', () => {
  const reserved = NAMES.map((name) => [name, only(packaged[name], 'Lambda::Function').ReservedConcurrentExecutions]);
  expect(Object.fromEntries(reserved)).toEqual({ memory: 1, table: 5, http: undefined });
});

describe.each(['memory', 'table'] as const)('the REST API of the stage %s', (name) => {
  it('has a stage that leads to a copy of all methods and answers', () => {
    const [[copy, { StageName }]] = Object.entries(made(packaged[name], 'ApiGateway::Deployment')) as [[string, Json]];
    expect(StageName).toBeUndefined();
    const rate = name === 'table' ? 20 : throttle;
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

  it('answers with problems of the table of problems, which pages may read if others may call', () => {
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
      const { status, detail, applied }: ProblemKind = PROBLEMS[code as keyof typeof PROBLEMS];
      const row = { type: 'about:blank', title: TITLES[status], status, detail, applied };
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
  const limits = { ThrottlingRateLimit: throttle, ThrottlingBurstLimit: throttle };
  expect(only(packaged.http, 'ApiGatewayV2::Stage').DefaultRouteSettings).toEqual(limits);
});

describe('alarms', () => {
  const ofRest = '[{"Name":"ApiName","Value":"todo-item-service-table"},{"Name":"Stage","Value":"table"}]';
  it.each<[Name, readonly string[], string]>([
    ['table', ['4XXError', '5XXError', 'Count'], ofRest],
    ['http', ['4xx', '5xx', 'Count'], '[{"Name":"ApiId","Value":{"Ref":"HttpApi"}}]'],
  ])('watch what AWS counts for the stage %s, mail, and name the first command', (name, ofApi, api) => {
    expect(only(packaged[name], 'SNS::Subscription')).toMatchObject({ Protocol: 'email', Endpoint: 'you@example.com' });
    const alarms = Object.values(made(packaged[name], 'CloudWatch::Alarm'));
    const metrics = alarms.flatMap(
      ({ Metrics, ...one }) => Metrics?.map(({ MetricStat }: Json) => MetricStat?.Metric) ?? one,
    );
    const watched = metrics.filter(Boolean).map((one) => `${one.MetricName} ${JSON.stringify(one.Dimensions)}`);
    const lambda = '[{"Name":"FunctionName","Value":{"Ref":"ApiLambdaFunction"}}]';
    const ofFunction = ['Errors', 'Throttles'].map((metric) => `${metric} ${lambda}`);
    const expected = [...ofApi.map((metric) => `${metric} ${api}`), ...ofFunction, 'ErrorLines undefined'];
    expect(sorted([...new Set(watched)])).toEqual(sorted(expected));
    for (const alarm of alarms) {
      expect(alarm.AlarmDescription).toMatch(/\. First: aws (logs tail .* --filter-pattern .+|lambda \S+ .*)$/);
      expect(alarm).toMatchObject({ AlarmActions: [{ Ref: 'AlarmTopic' }], OKActions: [{ Ref: 'AlarmTopic' }] });
    }
  });

  it('count the lines of the log that Lambda marks as errors', () => {
    const { FilterPattern, LogGroupName, MetricTransformations } = only(packaged.table, 'Logs::MetricFilter');
    expect([FilterPattern.replaceAll(' ', ''), LogGroupName]).toEqual(['{$.level="ERROR"}', { Ref: 'ApiLogGroup' }]);
    const counted = { MetricNamespace: 'todo-item-service-table', MetricName: 'ErrorLines', MetricValue: '1' };
    expect(MetricTransformations).toEqual([counted]);
  });
});

it('leads a domain to the API', () => {
  const { memory, http } = packaged;
  const [{ CertificateArn }] = only(memory, 'ApiGatewayV2::DomainName').DomainNameConfigurations;
  expect(CertificateArn).toBe(CERTIFICATE);
  const mapping = { ApiId: { Ref: 'ApiGatewayRestApi' }, Stage: { Ref: 'ApiStage' } };
  expect(only(memory, 'ApiGatewayV2::ApiMapping')).toMatchObject(mapping);
  const record = { Name: 'api.example.com', HostedZoneId: 'Z0123456789ABC' };
  expect(only(memory, 'Route53::RecordSet')).toMatchObject(record);
  const { ApiUrl, DomainTarget, DomainTargetZone } = memory.Outputs;
  expect(ApiUrl.Value['Fn::Join'][1].join('')).toBe('https://api.example.com/api/todo');
  expect([DomainTarget, DomainTargetZone]).toEqual([expect.anything(), expect.anything()]);
  expect(JSON.stringify(http.Outputs.PageUrl)).toMatch(/HttpApi}\.execute-api.*\/swagger\/ui/);
});

it.each([
  ['deploy --stage wrong', /The stage wrong in serverless\/stages\.yml:\ntable must be given/],
  ['info --stage lvie', /no stage lvie in serverless\/stages\.yml/],
  ['deploy function --function api --stage memory', /serverless deploy --force --stage memory/],
])('ends serverless %s with a sentence', async (command, sentence) => {
  expect(await call(...command.split(' '))).toMatchObject({ code: 1, printed: expect.stringMatching(sentence) });
});

it('keeps the table when its stack is deleted or replaces it, every state of it for a while, and no row that has expired', () => {
  const { DeletionPolicy, UpdateReplacePolicy, Properties } = file('dynamodb-table').Resources.Table;
  expect([DeletionPolicy, UpdateReplacePolicy, Properties.DeletionProtectionEnabled]).toEqual([
    'Retain',
    'Retain',
    true,
  ]);
  expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  const tombstone = attributesOf({ key: '', version: 2, expires: 1 }, '');
  expect(tombstone).toHaveProperty(Properties.TimeToLiveSpecification.AttributeName, { N: '1' });
});

describe('the pipeline', () => {
  const { Boundary, DeploymentRole, PipelineRole } = file('pipeline').Resources;
  const statementsOf = ({ Properties }: Json): Json[] =>
    Properties.Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
  const [ofDeployment, ofPipeline] = [statementsOf(DeploymentRole), statementsOf(PipelineRole)];
  const limits: Json[] = Boundary.Properties.PolicyDocument.Statement;
  const statements = [...ofDeployment, ...ofPipeline, ...limits];

  it.each([
    ['the environment of the stage on GitHub', PipelineRole, `repo:\${Repository}:environment:\${Stage}`],
    ['CloudFormation', DeploymentRole, 'cloudformation.amazonaws.com'],
  ])('lets %s alone act', (_name, role, who) => {
    const [trust, ...others] = role.Properties.AssumeRolePolicyDocument.Statement;
    const { 'token.actions.githubusercontent.com:sub': subject } = { ...trust.Condition?.StringEquals };
    expect([subject?.['Fn::Sub'] ?? trust.Principal.Service, ...others]).toEqual([who]);
  });

  it("changes the stack by CloudFormation's role alone", () => {
    const role = { 'Fn::GetAtt': ['DeploymentRole', 'Arn'] };
    const [create, pass] = ['cloudformation:CreateChangeSet', 'iam:PassRole'].map((action) =>
      ofPipeline.filter((one) => actionsOf(one).includes(action)),
    );
    expect(create?.map(({ Condition }) => Condition)).toEqual([{ StringEquals: { 'cloudformation:RoleArn': role } }]);
    expect(pass?.map(({ Resource }) => Resource)).toEqual([role]);
  });

  it('may change what a stage makes, by its name', () => {
    const names = [...JSON.stringify(statements).matchAll(/\$\{Service\}-\$\{Stage\}-(\w+)[-*]/g)];
    const types = ['IAM::Role', 'SNS::Topic', 'CloudWatch::Alarm'];
    for (const id of types.flatMap((type) => Object.keys(made(packaged.table, type))))
      expect([id, names.some(([, prefix = '?']) => id.startsWith(prefix))]).toEqual([id, true]);
  });

  it('may do everything at API Gateway alone, and nothing else beyond the stage but what knows no names', () => {
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
