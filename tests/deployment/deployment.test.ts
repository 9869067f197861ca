import { readFileSync } from 'node:fs';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, it } from '@jest/globals';
import { TIMEOUTS } from '../../shared/dynamodb/retry.js';
import { PROBLEMS, TITLES } from '../../shared/http/problem.js';
import { attributesOf } from '../../shared/store/row.js';
import { parseYaml } from '../support/parse-yaml.js';
import { callFramework, type Json } from './framework.js';

const MEMORY = { region: 'eu-central-1', table: 'none', tokenIssuer: 'none' };
const TABLE = { ...MEMORY, table: 'items-live' };
const SIGN_IN = { ...TABLE, tokenIssuer: 'https://login.example.com', tokenAudience: 'todo' };
const DOMAIN = { domain: 'api.example.com', certificate: 'arn:aws:acm:eu-central-1:123456789012:certificate/1' };
const BOUNDARY = 'arn:aws:iam::123456789012:policy/todo-item-service-live-boundary';
const MAIL = { alarmEmail: 'you@example.com' };

const STAGES = {
  memory: MEMORY,
  table: { ...TABLE, ...MAIL, throttle: 20, reservedConcurrency: 5, permissionsBoundary: BOUNDARY },
  http: { ...SIGN_IN, ...MAIL, frontDoor: 'http', corsOrigins: 'https://example.com' },
  domain: { ...MEMORY, ...DOMAIN, hostedZone: 'Z0123456789ABC' },
  unreserved: { ...MEMORY, reservedConcurrency: 'none', corsOrigins: '*' },
};
type Name = keyof typeof STAGES;
const NAMES = Object.keys(STAGES) as Name[];
const REST = NAMES.filter((name) => name !== 'http');

const LIST = /^reservedConcurrency .* list/m;
type Fault = readonly [name: string, call: object, message: RegExp];
const FAULTS: readonly Fault[] = [
  ['nothing', {}, /^The stage live in serverless\/stages.yml:\nregion must.*\ntable must.*\ntokenIssuer must/],
  ['null for one', { parameters: { ...TABLE, tokenIssuer: null } }, /^tokenIssuer must be given/m],
  ['nothing in one', { parameters: { ...TABLE, table: '' } }, /^table must be given/m],
  ['a misspelt one', { parameters: { ...MEMORY, throtle: 5 } }, /^throtle is unknown/m],
  ['a misspelt option', { param: ['throtle=5'] }, /^throtle is unknown/m],
  ['one table for all stages', { defaults: { table: 'items' } }, /^table is under default/m],
  ['open stages by default', { defaults: { tokenIssuer: 'none' } }, /^tokenIssuer is under default/m],
  ['one domain for all stages', { defaults: DOMAIN }, /^domain is under default/m],
  ['two lists', { parameters: { ...MEMORY, reservedConcurrency: 2 } }, LIST],
  ['two lists by option', { parameters: MEMORY, param: ['reservedConcurrency=2'] }, LIST],
  ['two lists everywhere', { parameters: MEMORY, defaults: { reservedConcurrency: 2 } }, LIST],
  ['an unknown front door', { parameters: { frontDoor: 'url' } }, /^frontDoor is "url": it takes rest or http/m],
  ['a domain alone', { parameters: { domain: 'api.example.com' } }, /^domain .* certificate/m],
  ['an unknown value', { parameters: { ...MEMORY, corsOrigins: 'x' } }, /^corsOrigins \(CORS_ORIGINS\) has "x"/m],
  ['an issuer alone', { parameters: { ...SIGN_IN, tokenAudience: 'none' } }, /^tokenIssuer .* tokenAudience/m],
  ['an issuer of another type', { parameters: { ...SIGN_IN, tokenIssuer: false } }, /^tokenIssuer .* is "false"/m],
  ...['package', 'deploy', 'deploy function', 'offline', 'offline start', 'invoke local'].map(
    (command): Fault => [`nothing, for ${command}`, { command }, /must be given/],
  ),
  ...['package', 'deploy'].map((command): Fault => {
    const call = { command, stage: 'dev', env: { TABLE_NAME: 'items-live' } };
    return [`a table of the shell, for ${command}`, call, /^table is TABLE_NAME of this shell/m];
  }),
];

const UNCHECKED = ['info', 'logs', 'remove', 'rollback', 'deploy list', 'print'];
const WRONG = { region: 'eu-central-1', frontDoor: 'url', throtle: 5 };

const upload = (time: number) =>
  ['todo-item-service.zip', 'serverless-state.json'].map((name) => ({
    Key: `serverless/todo-item-service/live/${time}/${name}`,
  }));
const deployed = { command: 'deploy', parameters: MEMORY };
const template = JSON.stringify({ Code: { S3Key: upload(2)[0]?.Key } });

const results = callFramework([
  ...NAMES.map((name) => ({ parameters: STAGES[name] })),
  ...[{ parameters: MEMORY }, { stage: 'dev' }],
  ...[upload(2), upload(3)].map((newest) => ({ ...deployed, aws: { newest, template } })),
  ...FAULTS.map(([, call]) => call),
  ...UNCHECKED.map((command) => ({ command, parameters: WRONG })),
]);
const next = () => results.shift() ?? {};
const packaged = Object.fromEntries(NAMES.map((name) => [name, next().result])) as Record<Name, Json>;
const [again, dev, unchanged, failed] = [next(), next(), next(), next()].map(({ result }) => result);
const refusals = FAULTS.map(([name, , message]) => [name, message, next().error] as const);
const started = UNCHECKED.map((command) => [command, next().error]);

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

it.each([
  ...NAMES.map((name): [string, Json] => [`the stage ${name}`, packaged[name]]),
  ['the table', file('dynamodb-table')],
  ['the pipeline', file('pipeline')],
])('has no type or property that CloudFormation does not know, and refers only to what it has: %s', (_, from) => {
  const { Resources, Outputs, Parameters } = from;
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
});

describe.each(NAMES)('the function of the stage %s', (name) => {
  it('may write its log and, with a table, use that table, and nothing else', () => {
    const { Policies, PermissionsBoundary } = only(packaged[name], 'IAM::Role');
    const statements = Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
    const rights = statements.map(({ Action, Resource }: Json) => [Action, JSON.stringify(Resource)]);
    const log = [['logs:CreateLogStream', 'logs:PutLogEvents'], '{"Fn::GetAtt":["ApiLogGroup","Arn"]}'];
    const actions = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'];
    const table = [actions, expect.stringMatching(/:table\/items-live"}$/)];
    expect(rights).toEqual(STAGES[name].table === 'none' ? [log] : [log, table]);
    expect(PermissionsBoundary).toBe(name === 'table' ? BOUNDARY : undefined);
  });

  it('gets the parameters as variables, has time to say that the table does not answer, and keeps its log for two weeks', () => {
    const { Environment, LoggingConfig, Timeout } = only(packaged[name], 'Lambda::Function');
    const { table, tokenIssuer } = STAGES[name];
    expect(Environment.Variables).toMatchObject({ TABLE_NAME: table, TOKEN_ISSUER: tokenIssuer });
    expect(Timeout * 1_000).toBeGreaterThan(TIMEOUTS.total);
    expect(LoggingConfig.ApplicationLogLevel).toBe('INFO');
    expect(only(packaged[name], 'Logs::LogGroup').RetentionInDays).toBe(14);
  });
});

it('has one instance in memory, and as many as are needed with a table, unless a stage says otherwise', () => {
  const reserved = NAMES.map((name) => only(packaged[name], 'Lambda::Function').ReservedConcurrentExecutions);
  expect(reserved).toEqual([1, 5, undefined, 1, undefined]);
});

describe.each(REST)('the REST API of the stage %s', (name) => {
  it('has a stage that leads to a copy of all methods and answers', () => {
    const [[copy, { StageName }]] = Object.entries(made(packaged[name], 'ApiGateway::Deployment')) as [[string, Json]];
    expect(StageName).toBeUndefined();
    const rate = name === 'table' ? 20 : 100;
    expect(only(packaged[name], 'ApiGateway::Stage')).toMatchObject({
      StageName: 'live',
      DeploymentId: { Ref: copy },
      MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: rate, ThrottlingBurstLimit: rate }],
    });
    const types = ['ApiGateway::Method', 'ApiGateway::GatewayResponse'];
    const copied = types.flatMap((type) => Object.keys(made(packaged[name], type)));
    expect(packaged[name].Resources[copy].DependsOn.sort()).toEqual(copied.sort());
  });

  it('answers with problems of the table of problems, which pages may read if others may call', () => {
    const codes: Record<string, string | undefined> = {};
    for (const response of Object.values(made(packaged[name], 'ApiGateway::GatewayResponse'))) {
      const { ResponseType, StatusCode, ResponseParameters, ResponseTemplates } = response;
      const header = (field: string) => ResponseParameters[`gatewayresponse.header.${field}`];
      expect(header('Content-Type')).toBe("'application/problem+json'");
      expect(header('Access-Control-Allow-Origin')).toBe(name === 'unreserved' ? "'*'" : undefined);
      const body = ResponseTemplates['application/json'].replace('$context.error.messageString', '"own"');
      const { code, ...problem } = JSON.parse(body);
      codes[ResponseType] = code;
      if (code === undefined) continue;
      const { meaning: _meaning, ...row } = { meaning: '', ...PROBLEMS[code as keyof typeof PROBLEMS] };
      const requestId = '$context.requestId';
      expect(problem).toEqual({ type: 'about:blank', title: TITLES[row.status], ...row, requestId });
      const retry = [429, 503].includes(row.status) ? "'1'" : undefined;
      expect([StatusCode, header('Retry-After')]).toEqual([String(row.status), retry]);
      const exposed = name === 'unreserved' && retry ? "'Retry-After'" : undefined;
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

it('updates a REST API by another packaging, and makes only the deployment anew', () => {
  const { memory } = packaged;
  const kept = ({ Resources }: Json) => Object.keys(Resources).filter((id) => !id.startsWith('ApiGatewayDeployment'));
  expect(kept(again)).toEqual(kept(memory));
  expect(Object.keys(made(again, 'ApiGateway::Deployment'))).not.toEqual(
    Object.keys(made(memory, 'ApiGateway::Deployment')),
  );
  const through = { BinaryMediaTypes: ['*/*'], MinimumCompressionSize: 8192 };
  for (const stage of [again, memory]) expect(only(stage, 'ApiGateway::RestApi')).toMatchObject(through);
});

it('limits requests to an HTTP API', () => {
  const limits = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 100 };
  expect(only(packaged.http, 'ApiGatewayV2::Stage').DefaultRouteSettings).toEqual(limits);
});

describe('alarms', () => {
  it('are made only for an e-mail address', () => {
    const counts = NAMES.map((name) => Object.keys(made(packaged[name], 'CloudWatch::Alarm')).length);
    expect(counts).toEqual([0, 6, 6, 0, 0]);
    expect(only(packaged.table, 'SNS::Subscription')).toMatchObject({ Protocol: 'email', Endpoint: MAIL.alarmEmail });
  });

  const ofRest = [
    { Name: 'ApiName', Value: 'todo-item-service-live' },
    { Name: 'Stage', Value: 'live' },
  ];
  it.each([
    ['table', ['5XXError', '4XXError'], ofRest],
    ['http', ['5xx', '4xx'], [{ Name: 'ApiId', Value: { Ref: 'HttpApi' } }]],
  ] as const)(
    'watch what AWS counts for the stage %s, mail, and name the first command',
    (name, [failed, refused], api) => {
      const ofFunction = [{ Name: 'FunctionName', Value: { Ref: 'ApiLambdaFunction' } }];
      const alarms = Object.values(made(packaged[name], 'CloudWatch::Alarm'));
      const watched = alarms.map(({ Metrics, Threshold, ...plain }) => {
        const [{ Expression }, ...counts] = Metrics ?? [{}];
        const metrics = Metrics ? counts.map(({ MetricStat }: Json) => MetricStat.Metric) : [plain];
        return [
          Expression ?? plain.Statistic,
          Threshold,
          metrics.map(({ Namespace, MetricName, Dimensions }: Json) => [Namespace, MetricName, Dimensions]),
        ];
      });
      const [gateway, lambda] = ['AWS/ApiGateway', 'AWS/Lambda'];
      const all = [gateway, 'Count', api];
      expect(watched).toEqual([
        ['IF(failed >= 10, 100 * failed / requests, 0)', 10, [[gateway, failed, api], all]],
        ['IF(requests >= 100, 100 * refused / requests, 0)', 50, [[gateway, refused, api], all]],
        ['Sum', 1, [[lambda, 'Errors', ofFunction]]],
        ['Sum', 1, [[lambda, 'Throttles', ofFunction]]],
        ['Maximum', 8000, [[lambda, 'Duration', ofFunction]]],
        ['Sum', 1, [['todo-item-service-live', 'ErrorLines', undefined]]],
      ]);
      const command =
        /\. First: aws (logs tail .* \/aws\/lambda\/todo-item-service-live-api --filter-pattern .+|lambda \S+ .*)$/;
      for (const alarm of alarms) {
        expect(alarm.AlarmDescription).toMatch(command);
        expect(alarm).toMatchObject({ AlarmActions: [{ Ref: 'AlarmTopic' }], OKActions: [{ Ref: 'AlarmTopic' }] });
      }
    },
  );
});

it('leads a domain to the API', () => {
  const { domain, http } = packaged;
  const [{ CertificateArn }] = only(domain, 'ApiGatewayV2::DomainName').DomainNameConfigurations;
  expect(CertificateArn).toBe(DOMAIN.certificate);
  const mapping = { ApiId: { Ref: 'ApiGatewayRestApi' }, Stage: { Ref: 'ApiStage' } };
  expect(only(domain, 'ApiGatewayV2::ApiMapping')).toMatchObject(mapping);
  const record = { Name: 'api.example.com', HostedZoneId: 'Z0123456789ABC' };
  expect(only(domain, 'Route53::RecordSet')).toMatchObject(record);
  const { ApiUrl, PageUrl, DomainTarget, DomainTargetZone } = domain.Outputs;
  expect([ApiUrl, PageUrl].map(({ Value }) => Value['Fn::Join'][1].join(''))).toEqual([
    'https://api.example.com/api/todo',
    'https://api.example.com/swagger/ui',
  ]);
  expect([DomainTarget, DomainTargetZone]).toEqual([expect.anything(), expect.anything()]);
  expect(JSON.stringify(http.Outputs.PageUrl)).toMatch(/HttpApi}\.execute-api.*\/swagger\/ui/);
});

describe('a deployment', () => {
  it.each(refusals)('is refused with %s', (_name, message, error) => {
    expect(error).toMatch(message);
  });

  it.each(started)('with wrong parameters leaves %s to work', (_command, error) => {
    expect(error).toBeUndefined();
  });

  it('of dev has an open list in memory', () => {
    const { Variables } = only(dev, 'Lambda::Function').Environment;
    expect(Variables).toMatchObject({ TABLE_NAME: 'none', TOKEN_ISSUER: 'none' });
  });

  it('is compared with the newest upload only if the stack has that', () => {
    expect([unchanged, failed]).toEqual([upload(2), []]);
  });
});

it('keeps the table when its stack is deleted, and no row that has expired', () => {
  const { DeletionPolicy, Properties } = file('dynamodb-table').Resources.Table;
  expect([DeletionPolicy, Properties.DeletionProtectionEnabled]).toEqual(['Retain', true]);
  const tombstone = attributesOf({ key: '', number: 2, expires: 1 }, '');
  expect(tombstone).toHaveProperty(Properties.TimeToLiveSpecification.AttributeName, { N: '1' });
});

describe('the pipeline', () => {
  const { Boundary, DeploymentRole, PipelineRole } = file('pipeline').Resources;
  const policies = [...DeploymentRole.Properties.Policies, ...PipelineRole.Properties.Policies, Boundary.Properties];
  const statements: Json[] = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const actionsOf = ({ Action }: Json): string[] => [Action].flat();

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
    expect(others.flatMap(actionsOf)).toEqual([
      'apigateway:*',
      'iam:CreateServiceLinkedRole',
      ...['cloudwatch:DescribeAlarms', 'logs:DescribeLogGroups', 'route53:Get*', 'route53:List*'],
      'cloudformation:ValidateTemplate',
      'apigateway:GET',
    ]);
  });

  it("makes no role without the boundary, which is as narrow as the function's role", () => {
    const changes = /^iam:(Create|Put|Attach|Update)(?!ServiceLinkedRole)/;
    const conditions = statements.filter((one) => actionsOf(one).some((action) => changes.test(action)));
    const needed = { StringEquals: { 'iam:PermissionsBoundary': { Ref: 'Boundary' } } };
    expect(conditions.map(({ Condition }) => Condition)).toEqual([needed]);
    const actions = (documents: Json[]) => documents.flatMap(({ Statement }) => Statement).map(actionsOf);
    const { Policies } = only(packaged.table, 'IAM::Role');
    expect(actions([Boundary.Properties.PolicyDocument])).toEqual(
      actions(Policies.map(({ PolicyDocument }: Json) => PolicyDocument)),
    );
  });
});
