import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compare, forecast } from '../../serverless/changes/changes.js';
import type { Stack, Template } from '../../serverless/changes/deployed-stack.js';
import { PARAMETERS } from '../../serverless/parameters/parameters.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { configurationWithoutBuild, copyForPackaging, type Run, runAll, stagesFile } from './packaging.js';
import { DOMAIN, PIPELINE, STAGE_NAMES, STAGES } from './stages.js';
import { committedTemplate, TEMPLATE_NAMES } from './templates.js';
import { changed } from './updates.js';

type Values = Readonly<Record<string, string>>;
/** A stage, what changes in it, and what is said of that. Each line but those of the code. */
type Case = readonly [from: Values, change: Values, ...lines: string[]];

const OPEN: Values = { region: 'eu-central-1', table: 'items-live', tokenIssuer: 'none' };
const MEMORY = { ...OPEN, table: 'none' };
const PEOPLE = { ...OPEN, tokenIssuer: 'https://a.example.com', tokenAudience: 'todo', writeScope: 'write' };
const HTTP = { ...OPEN, frontDoor: 'http' };
const AT_DOMAIN = { ...OPEN, ...DOMAIN };
const MAILED = { ...OPEN, alarmEmail: 'a@example.com' };
const BOUNDARY = 'arn:aws:iam::123456789012:policy/boundary';
const { functionRole, deploymentBucket, deploymentRole } = PIPELINE;
const OWN = { ...OPEN, functionRole, deploymentBucket };
const ROLE = 'arn:aws:iam::123456789012:role/other';

/** For each parameter what is said of its changes, or why nothing is. */
// biome-ignore format: a case a line
const CASES: Record<keyof typeof PARAMETERS | 'code' | 'timeout' | 'runtime', readonly [Case, ...Case[]] | string> = {
  table: [
    [OPEN, { table: 'other' }, '! Items are in the table other from now on. Those in items-live stay there, unseen.'],
    [OPEN, { table: 'none' }, "! Items are in memory from now on, and lost with the function's instance. Those in the table items-live stay there, unseen.", '! The limit of instances is 1 (before: none).'],
    [MEMORY, { table: 'items-live' }, '! Items are in the table items-live from now on. Those in memory are lost.', '  Only the account limits the number of instances (before: 1).'],
    [{ ...MAILED, logLevel: 'silent' }, { table: 'none' }, "! Items are in memory from now on, and lost with the function's instance. Those in the table items-live stay there, unseen.", '! The limit of instances is 1 (before: none).', '! Alarms that are deleted: TableReadsAlarm, TableWritesAlarm, TableThrottlesAlarm, TableErrorsAlarm.'],
  ],
  tokenIssuer: [
    [PEOPLE, { tokenIssuer: 'none', tokenAudience: '', writeScope: '' }, '! The stage opens: anyone who knows its address can read and change its list.', "! There is one list for all from now on. Items of each person's list stay in the table, unseen."],
    [OPEN, PEOPLE, '! Calls need a token of https://a.example.com from now on.', '! There is a list for each person from now on. Items of the one list stay in the table, unseen.'],
    [PEOPLE, { tokenIssuer: 'https://b.example.com' }, '! Tokens must be of https://b.example.com from now on. Those of https://a.example.com are refused. Items of those who signed in there stay in the table, unseen.'],
    [{ ...PEOPLE, listBy: 'all' }, { tokenIssuer: 'https://b.example.com' }, '! Tokens must be of https://b.example.com from now on. Those of https://a.example.com are refused.'],
    [{ ...PEOPLE, listBy: 'all' }, { tokenIssuer: 'none', tokenAudience: '', writeScope: '', listBy: '' }, '! The stage opens: anyone who knows its address can read and change its list.'],
  ],
  tokenAudience: [[PEOPLE, { tokenAudience: 'other' }, '! Tokens must be for "other" from now on. Those for "todo" are refused.']],
  listBy: [
    [PEOPLE, { listBy: 'team' }, "! There is a list for each team from now on. Items of each person's list stay in the table, unseen."],
    [{ ...PEOPLE, listBy: 'team' }, { listBy: 'all' }, "! There is one list for all from now on. Items of each team's list stay in the table, unseen."],
    [{ ...PEOPLE, listBy: 'all' }, { listBy: 'sub', table: 'other' }, '! Items are in the table other from now on. Those in items-live stay there, unseen.', '! There is a list for each person from now on.'],
  ],
  readScope: [
    [PEOPLE, { readScope: 'read' }, '! Reading needs the scope read from now on.'],
    [{ ...PEOPLE, readScope: 'read' }, { readScope: '' }, '! Reading no longer needs the scope read.'],
    [{ ...PEOPLE, readScope: 'read' }, { readScope: 'see' }, '! Reading needs the scope see from now on, no longer read.'],
  ],
  writeScope: [
    [PEOPLE, { writeScope: '' }, '! Changing items no longer needs the scope write, so whoever can read can change.'],
    [{ ...PEOPLE, writeScope: '' }, { writeScope: 'write' }, '! Changing items needs the scope write from now on.'],
    [PEOPLE, { writeScope: 'change' }, '! Changing items needs the scope change from now on, no longer write.'],
  ],
  tokenClient: [
    [PEOPLE, { tokenClient: 'page' }, '  The page gets a button to sign in, as the client page.'],
    [{ ...PEOPLE, tokenClient: 'page' }, { tokenClient: '' }, '  The page loses its button to sign in.'],
    [{ ...PEOPLE, tokenClient: 'page' }, { tokenClient: 'spa' }, '  The page signs people in as the client spa, no longer as page.'],
  ],
  corsOrigins: [
    [OPEN, { corsOrigins: '*' }, '  Pages of any origin may call.'],
    [{ ...OPEN, corsOrigins: '*' }, { corsOrigins: 'https://a.example.com' }, '! Pages of any other origin may no longer call.'],
    [{ ...OPEN, corsOrigins: 'https://a.example.com' }, { corsOrigins: '*' }, '  Pages of any other origin may call.'],
    [{ ...OPEN, corsOrigins: 'https://a.example.com,https://b.example.com' }, { corsOrigins: 'https://b.example.com,https://c.example.com' }, '! Pages of https://a.example.com may no longer call. Pages of https://c.example.com may call.'],
  ],
  logLevel: [
    [OPEN, { logLevel: 'warn' }, '  The level of the log is warn (before: info).'],
    [MAILED, { logLevel: 'silent' }, '! The function stops writing a log.', '! Alarms that are deleted: ErrorLinesAlarm.'],
  ],
  region: 'Another region is another stack, which is new there.',
  frontDoor: [
    [OPEN, { frontDoor: 'http' }, '! The address changes: that of the REST API ends, and the HTTP API gets another one. Tell callers first.'],
    [AT_DOMAIN, { frontDoor: 'http' }, '! The front door is the HTTP API, in place of the REST API. https://api.example.com/ stays, but the address that AWS gave to the REST API ends.'],
    [{ ...AT_DOMAIN, defaultAddress: 'false' }, { frontDoor: 'http' }, '  The front door is the HTTP API, in place of the REST API. https://api.example.com/ stays.'],
    [{ ...HTTP, accessLog: 'true' }, { frontDoor: 'url', accessLog: '' }, '! The address changes: that of the HTTP API ends, and the function URL gets another one. Tell callers first.', '! Nothing throttles the function URL: in a flood, each request reaches the function and costs.', '! The access log is deleted, with its lines.'],
    [{ ...OPEN, frontDoor: 'url' }, { frontDoor: 'http' }, '! The address changes: that of the function URL ends, and the HTTP API gets another one. Tell callers first.', '  The front door lets 100 requests a second through.'],
  ],
  signedCalls: [
    [OPEN, { signedCalls: 'true' }, '! Calls must be signed with AWS credentials from now on.'],
    [{ ...HTTP, signedCalls: 'true' }, { signedCalls: '' }, '! The stage opens: anyone who knows its address can read and change its list.'],
    [{ ...HTTP, signedCalls: 'true' }, { ...PEOPLE, signedCalls: '' }, '! Calls need a token of https://a.example.com from now on.', '! There is a list for each person from now on. Items of the one list stay in the table, unseen.'],
  ],
  domain: [
    [OPEN, DOMAIN, '  The stage gets the address https://api.example.com/ as well.'],
    [OPEN, { ...DOMAIN, table: 'other' }, '! Items are in the table other from now on. Those in items-live stay there, unseen.', '  The stage gets the address https://api.example.com/ as well.'],
    [AT_DOMAIN, { domain: '', certificate: '' }, '! The address https://api.example.com/ ends. Tell callers first.'],
    [AT_DOMAIN, { domain: 'b.example.com' }, '! The address https://api.example.com/ ends, and https://b.example.com/ takes its place. Tell callers first.'],
  ],
  certificate: [[AT_DOMAIN, { certificate: `${DOMAIN.certificate}4` }, '  api.example.com gets another certificate.']],
  hostedZone: [
    [AT_DOMAIN, { hostedZone: 'Z1' }, '  Route 53 gets a record of api.example.com in the zone Z1.'],
    [{ ...AT_DOMAIN, hostedZone: 'Z1' }, { hostedZone: 'Z2' }, '! The record of api.example.com moves from the zone Z1 to Z2.'],
    [{ ...AT_DOMAIN, hostedZone: 'Z1' }, { hostedZone: '' }, '! The record of api.example.com in Route 53 is deleted. Enter one yourself, or callers find no address.'],
    [{ ...AT_DOMAIN, hostedZone: 'Z1' }, { hostedZone: '', domain: '', certificate: '' }, '! The address https://api.example.com/ ends. Tell callers first.'],
  ],
  defaultAddress: [
    [AT_DOMAIN, { defaultAddress: 'false' }, '! The address that AWS gives to the API is closed, so callers reach only https://api.example.com/.'],
    [{ ...AT_DOMAIN, frontDoor: 'http', defaultAddress: 'false' }, { defaultAddress: '' }, '  The address that AWS gives to the API opens again.'],
    [OPEN, { ...DOMAIN, frontDoor: 'http', defaultAddress: 'false' }, '! The address changes: that of the REST API ends, and the HTTP API gets another one. Tell callers first.', '  The stage gets the address https://api.example.com/ as well.', '  The address that AWS gives to the API is closed, so callers reach only https://api.example.com/.'],
  ],
  throttle: [
    [OPEN, { throttle: '5' }, '! The front door lets 5 requests a second through (before: 100).'],
    [HTTP, { throttle: '500' }, '  The front door lets 500 requests a second through (before: 100).'],
  ],
  memorySize: [
    [OPEN, { memorySize: '1024' }, '  The function has 1024 MB of memory (before: 640).'],
    [{ ...OPEN, memorySize: '1024' }, { memorySize: '640' }, '! The function has 640 MB of memory (before: 1024).'],
  ],
  reservedConcurrency: [
    [OPEN, { reservedConcurrency: '0' }, '! The stage stops, because no instance may run.'],
    [{ ...OPEN, reservedConcurrency: '0' }, { reservedConcurrency: '5' }, '  The stage runs again. The limit of instances is 5 (before: 0).'],
    [{ ...OPEN, reservedConcurrency: '0' }, { reservedConcurrency: 'none' }, '  The stage runs again. Only the account limits the number of instances (before: 0).'],
    [{ ...OPEN, reservedConcurrency: '5' }, { reservedConcurrency: '10' }, '  The limit of instances is 10 (before: 5).'],
    [{ ...OPEN, reservedConcurrency: '10' }, { reservedConcurrency: '5' }, '! The limit of instances is 5 (before: 10).'],
  ],
  logRetention: [
    [OPEN, { logRetention: '7' }, '! Logs are kept 7 days (before: 14), and older lines are deleted.'],
    [OPEN, { logRetention: '30' }, '  Logs are kept 30 days (before: 14).'],
  ],
  accessLog: [
    [OPEN, { accessLog: 'true' }, '  API Gateway writes an access log.'],
    [{ ...MAILED, accessLog: 'true' }, { accessLog: '' }, '! The access log is deleted, with its lines.', '! Alarms that are deleted: TooManyRequestsAlarm.'],
  ],
  alarmEmail: [
    [OPEN, { alarmEmail: 'a@example.com' }, '  Alarms are mailed to a@example.com, once the link in the mail of AWS is confirmed.'],
    [MAILED, { alarmEmail: 'b@example.com' }, '! Alarms are mailed to b@example.com, once the link in the mail of AWS is confirmed, and no longer to a@example.com.'],
    [MAILED, { alarmEmail: '' }, '! The alarms are deleted, so nobody gets a mail when something is wrong.'],
  ],
  dashboard: [
    [OPEN, { dashboard: 'true' }, '  There is a dashboard.'],
    [{ ...OPEN, dashboard: 'true' }, { dashboard: '' }, '  The dashboard is deleted.'],
  ],
  tracing: [
    [OPEN, { tracing: 'true' }, '  X-Ray gets traces of requests.'],
    [{ ...OPEN, tracing: 'true' }, { tracing: '' }, '  X-Ray no longer gets traces.'],
  ],
  permissionsBoundary: [
    [OPEN, { permissionsBoundary: BOUNDARY }, `  ${BOUNDARY} limits the function's role.`],
    [{ ...OPEN, permissionsBoundary: BOUNDARY }, { permissionsBoundary: '' }, `! ${BOUNDARY} no longer limits the function's role.`],
    [{ ...OPEN, permissionsBoundary: BOUNDARY }, { permissionsBoundary: `${BOUNDARY}-2` }, `  ${BOUNDARY}-2 limits the function's role, in place of ${BOUNDARY}.`],
    [{ ...OPEN, permissionsBoundary: BOUNDARY }, { permissionsBoundary: '', functionRole }, `! The function acts as ${functionRole}. Former versions can no longer run, because the role that the stack made is deleted.`],
  ],
  functionRole: [
    [OPEN, { functionRole }, `! The function acts as ${functionRole}. Former versions can no longer run, because the role that the stack made is deleted.`],
    [{ ...OPEN, functionRole }, { functionRole: '' }, `  The function acts as a role that the stack makes, no longer as ${functionRole}.`],
    [{ ...OPEN, functionRole }, { functionRole: ROLE }, `  The function acts as ${ROLE}, no longer as ${functionRole}.`],
  ],
  deploymentRole: [
    [OWN, { deploymentRole }, `! CloudFormation acts as ${deploymentRole} from now on. That can't be taken back, because a stack keeps its role.`],
    [{ ...OWN, deploymentRole }, { deploymentRole: ROLE }, `  CloudFormation acts as ${ROLE}, no longer as ${deploymentRole}.`],
    [{ ...OWN, deploymentRole }, { deploymentRole: '' }, `! CloudFormation still acts as ${deploymentRole}, because a stack keeps its role. Add deploymentRole again.`],
  ],
  deploymentBucket: [
    [OPEN, { deploymentBucket }, `! Deployments are uploaded to ${deploymentBucket}. This one ends with an error, because CloudFormation can't delete the bucket it made before while it has files.`],
    [{ ...OPEN, deploymentBucket }, { deploymentBucket: '' }, `  Deployments are uploaded to a bucket that the stack makes, no longer to ${deploymentBucket}.`],
    [{ ...OPEN, deploymentBucket }, { deploymentBucket: 'another-bucket' }, `  Deployments are uploaded to another-bucket, no longer to ${deploymentBucket}.`],
  ],
  code: [
    [OPEN, { CODE: '// changed' }],
    [MEMORY, { CODE: '// changed' }, '! The items in memory are lost, because new instances start.'],
  ],
  timeout: [
    [OPEN, { TIMEOUT: '11' }, '  A request may take 11 seconds (before: 10).'],
    [{ ...OPEN, TIMEOUT: '11' }, { TIMEOUT: '10' }, '! A request may take 10 seconds (before: 11).'],
  ],
  runtime: [[OPEN, { RUNTIME: 'nodejs22.x' }, '  The function runs on nodejs22.x (before: nodejs24.x).']],
};

/** What makes a version, which a line more is about. */
const VERSIONED =
  /^(CODE|TIMEOUT|RUNTIME|table|token\w+|listBy|(read|write)Scope|corsOrigins|logLevel|memorySize|tracing|functionRole)$/;

const cases = Object.entries(CASES).flatMap(([name, all]) =>
  typeof all === 'string' ? [] : all.map((one) => [name, ...one] as const),
);
const stages = [
  ...STAGE_NAMES.map((name): Values => STAGES[name]),
  ...cases.flatMap(([, from, change]) => [from, { ...from, ...change }]),
].filter((stage, index, all) => all.findIndex((other) => sameText(stage, other)) === index);
const project = copyForPackaging(temporaryFolder());
const packaged = new Map<string, Stack>();

function sameText(one: Values, other: Values): boolean {
  return keyOf(one) === keyOf(other);
}

/** Parameters that are empty are not set. */
function keyOf(stage: Values): string {
  return JSON.stringify(
    Object.entries(stage)
      .filter(([, value]) => value !== '')
      .sort(),
  );
}

const stackOf = (stage: Values): Stack => packaged.get(keyOf(stage)) as Stack;

beforeAll(async () => {
  const configuration = configurationWithoutBuild();
  const runs = stages.map(({ CODE = '', TIMEOUT = '10', RUNTIME = 'nodejs24.x', ...stage }, index): Run => {
    const changedConfiguration = configuration
      .replace(/(?<=^ *timeout: )\d+/m, TIMEOUT)
      .replace(/(?<=^ *runtime: )\S+/m, RUNTIME);
    return {
      command: `package --stage live --package packaged/${index}`,
      files: { ...stagesFile({ live: stage }), 'dist/api.mjs': CODE, 'serverless.yml': changedConfiguration },
    };
  });
  for (const { code, printed } of await runAll(project, runs)) if (code !== 0) throw new Error(printed);
  for (const [index, stage] of stages.entries()) {
    const file = join(project, `packaged/${index}/cloudformation-template-update-stack.json`);
    packaged.set(keyOf(stage), { template: JSON.parse(readFileSync(file, 'utf8')), role: stage.deploymentRole });
  }
});

/** What is said of the change from one stack to another, as it is printed. */
function said(from: Stack, to: Stack): string[] {
  return compare(from, to).sentences.map(({ text, warns }) => `${warns ? '!' : ' '} ${text}`);
}

describe('what a deployment would change is said in sentences', () => {
  it('for each parameter of cases in which it changes', () => {
    const others = cases.filter(([name, from, change]) => {
      const parameter = name in PARAMETERS ? name : name.toUpperCase();
      return (from[parameter] ?? '') === (change[parameter] ?? '');
    });
    expect(others).toEqual([]);
  });

  it.each(cases.map(([name, from, change, ...lines]) => [name, change, lines, from] as const))(
    '%s, to %j: %j',
    (_name, change, lines, from) => {
      const isVersioned = Object.keys(change).some((name) => VERSIONED.test(name) && change[name] !== from[name]);
      expect(said(stackOf(from), stackOf({ ...from, ...change }))).toEqual([
        ...lines,
        `  The code is ${change.CODE ? 'new' : 'the same'}. ${isVersioned ? 'A new version takes the requests.' : 'The running instances stay.'}`,
      ]);
    },
  );
});

it('docs/deploy.md shows what is printed', () => {
  const [, shown] = /```text\n(A deployment would .*?)\n```/s.exec(readFileSync('docs/deploy.md', 'utf8')) ?? [];
  const deployed = { ...stackOf(PEOPLE), status: 'UPDATE_COMPLETE' };
  const deployment = { stage: 'live', region: 'eu-central-1', deployed, packaged: stackOf(HTTP) };
  expect(shown?.split('\n')).toEqual(forecast(deployment).lines);
});

describe('only where nothing differs, nothing is said', () => {
  const silent = (from: Stack, to: Stack) => {
    const { none, sentences } = compare(from, to);
    // One is always about the code.
    return none || sentences.length === 1;
  };

  it('for all pairs of forty stages', () => {
    const forty = stages.filter(({ CODE }) => !CODE).slice(0, 40);
    const pairs = forty.flatMap((from) => forty.map((to) => [from, to] as const));
    const wrong = pairs.filter(([from, to]) => silent(stackOf(from), stackOf(to)) !== sameText(from, to));
    expect(wrong).toEqual([]);
    expect(pairs).toHaveLength(1_600);
  });

  it('for all pairs of the templates that a reviewer reads', () => {
    const stacks = TEMPLATE_NAMES.map((name): Stack => ({ template: committedTemplate(name), role: undefined }));
    const wrong = stacks.flatMap((from) => stacks.filter((to) => silent(from, to) !== (from === to)));
    expect(wrong).toEqual([]);
  });

  it('also not where letters beyond ASCII come back as question marks, or the time of packaging differs', () => {
    const { template, role } = stackOf(OPEN);
    const named = (name: string, time: string): Stack => {
      const { template: renamed } = {
        template: changed(template, { 'ApiLambdaFunction.Properties.Description': name }),
      };
      return { template: JSON.parse(JSON.stringify(renamed).replaceAll(/\d{13}-[^/"]*Z/g, time)), role };
    };
    const [was, is] = [
      named('Eink?ufe ?', '1700000000000-2023-11-14T22:13:20.000Z'),
      named('Einkäufe 🛒', '1800000000000-2027-01-15T08:00:00.000Z'),
    ];
    expect(compare(was, is).none).toBe(true);
    const deployment = { stage: 'live', region: 'eu-central-1', deployed: { ...was, status: 'UPDATE_COMPLETE' } };
    const lines = ['A deployment would change nothing of live.'];
    expect(forecast({ ...deployment, packaged: is })).toEqual({ lines, warns: false, none: true });
    expect(compare(was, named('Einkauf', '1800000000000-2027-01-15T08:00:00.000Z')).none).toBe(false);
  });

  it('nothing but the code, where the same origins are in another order', () => {
    const from = stackOf(OPEN);
    const allowing = (CORS_ORIGINS: string): Stack => {
      const template = changed(from.template, {
        'ApiLambdaFunction.Properties.Environment.Variables': { CORS_ORIGINS },
      });
      return { ...from, template };
    };
    const { none, sentences } = compare(allowing('https://a.example.com,null'), allowing('null,https://a.example.com'));
    expect([none, sentences.length]).toEqual([false, 1]);
  });

  it('and only a version of its own is enough to differ', () => {
    const { template, role } = stackOf(OPEN);
    const text = JSON.stringify(template).replaceAll(/ApiLambdaVersion\w+/g, 'ApiLambdaVersionOther');
    expect(compare({ template, role }, { template: JSON.parse(text), role }).none).toBe(false);
  });
});

describe('a resource that no sentence is about', () => {
  const stack = (changes: object): Stack => ({ template: changed(stackOf(OPEN).template, changes), role: undefined });
  const deletion = (id: string, type: string) => `! ${id} (${type}) is deleted, with what it keeps.`;
  const queue = { Type: 'AWS::SQS::Queue', Properties: {} };

  it.each<[what: string, from: object, to: object, id: string, type: string]>([
    ['is gone', { Queue: queue }, {}, 'Queue', 'AWS::SQS::Queue'],
    ['has another type', { Queue: queue }, { Queue: { Type: 'AWS::SNS::Topic' } }, 'Queue', 'AWS::SQS::Queue'],
    ['has another name', {}, { 'ApiLogGroup.Properties.LogGroupName': 'other' }, 'ApiLogGroup', 'AWS::Logs::LogGroup'],
  ])('is said to be deleted with what it keeps, if it %s', (_what, from, to, id, type) => {
    expect(said(stack(from), stack(to))).toEqual([
      deletion(id, type),
      '  The code is the same. The running instances stay.',
    ]);
  });

  it.each<[what: string, from: object, to: object]>([
    ['keeps nothing', { Topic: { Type: 'AWS::SNS::Topic' } }, {}],
    ['stays when the stack drops it', { Queue: { ...queue, DeletionPolicy: 'Retain' } }, {}],
    ['changes in place', { Queue: queue }, { Queue: { ...queue, Properties: { DelaySeconds: 1 } } }],
    ['is new', {}, { Queue: queue }],
  ])('is not, if it %s', (_what, from, to) => {
    expect(said(stack(from), stack(to))).toEqual(['  The code is the same. The running instances stay.']);
  });

  it('is listed with --verbose, with the properties that differ; else they are counted', () => {
    const from = stack({ Old: queue, 'ApiRole.Properties.Path': '/a/' });
    const to = stack({ New: queue, 'ApiRole.Properties.Path': '/b/', 'ApiLogGroup.DeletionPolicy': 'Retain' });
    const deployment = {
      stage: 'live',
      region: 'eu-central-1',
      deployed: { ...from, status: 'UPDATE_COMPLETE' },
      packaged: to,
    };
    expect(forecast(deployment).lines.slice(-2)).toEqual([
      '',
      "Of CloudFormation's resources, 4 change: --verbose lists them.",
    ]);
    expect(forecast(deployment, true).lines.slice(-6)).toEqual([
      '',
      "Of CloudFormation's resources, 4 change:",
      '~ ApiLogGroup (AWS::Logs::LogGroup): DeletionPolicy',
      '~ ApiRole (AWS::IAM::Role): Path',
      '- Old (AWS::SQS::Queue)',
      '+ New (AWS::SQS::Queue)',
    ]);
  });
});

it('one resource that changes is counted as one, and none is not', () => {
  const [from, deployment] = [stackOf(OPEN), { stage: 'live', region: 'eu-central-1' }];
  const to = { ...from, template: changed(from.template, { 'ApiRole.Properties.Path': '/a/' }) };
  const status = 'UPDATE_COMPLETE';
  expect(forecast({ ...deployment, deployed: { ...from, status }, packaged: to }).lines.at(-1)).toBe(
    "Of CloudFormation's resources, 1 changes: --verbose lists it.",
  );
  expect(forecast({ ...deployment, deployed: { ...from, status }, packaged: { ...from, role: ROLE } }).lines).toEqual([
    'A deployment would change live:',
    '',
    expect.stringMatching(/^! CloudFormation acts as /),
    '  The code is the same. The running instances stay.',
  ]);
});

it('a function URL that is replaced gets another address', () => {
  const from = committedTemplate('url-sign-in');
  const to = changed(from, {
    'ApiLambdaFunctionUrl.Properties.TargetFunctionArn': { 'Fn::GetAtt': ['ApiLambdaFunction', 'Arn'] },
  });
  expect(said({ template: to, role: undefined }, { template: from, role: undefined })[0]).toBe(
    '! The address changes: the function URL is replaced by another one. Tell callers first.',
  );
});

describe('what is not compared', () => {
  const packaged = () => stackOf(OPEN);
  const place = { stage: 'live', region: 'eu-central-1' };
  const EMPTY: Template = {
    Resources: { ServerlessDeploymentBucket: { Type: 'AWS::S3::Bucket', Properties: {} } },
    Outputs: {},
  };

  it.each([
    ['of which there is no stack', undefined],
    ['whose stack has no function yet', { template: EMPTY, role: undefined, status: 'CREATE_COMPLETE' }],
  ])('is a stage %s', (_what, deployed) => {
    const lines = ['Nothing of live is deployed in eu-central-1 yet, so everything would be new.'];
    expect(forecast({ ...place, deployed, packaged: packaged() })).toEqual({ lines, warns: false, none: false });
  });

  it('is one whose last deployment did not succeed, so what changes is unknown, which warns', () => {
    const deployed = { template: undefined, role: undefined, status: 'UPDATE_ROLLBACK_COMPLETE' };
    const [line] = forecast({ ...place, deployed, packaged: packaged() }).lines;
    expect(line).toMatch(/^! What a deployment would change of live is unknown, because .*UPDATE_ROLLBACK_COMPLETE/);
    expect(forecast({ ...place, deployed, packaged: packaged() })).toMatchObject({ warns: true, none: false });
  });
});
