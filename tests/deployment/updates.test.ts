import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { packageAll, parseYaml } from '../support/deployment/packaging.js';
import { changed, idsOf, normalized, previous, type Template } from '../support/deployment/template.js';
import { updateFaults } from '../support/deployment/updates.js';

const table = { table: 'items-live' };
const mail = { alarmEmail: 'operator@example.com' };
const accessLog = { accessLog: true };
const everything = { ...table, ...mail, ...accessLog, corsOrigins: 'https://example.com', logLevel: 'warn' };

const SETS = {
  memory: {},
  'memory with alarms and an access log': { ...mail, ...accessLog },
  'nothing reserved': { reservedConcurrency: 'none', corsOrigins: 'https://example.com' },
  'a table': table,
  'another table': { table: 'other-items' },
  'everything on a REST API': everything,
  'alarms for somebody else': { alarmEmail: 'someone@example.com', permissionsBoundary: 'arn:aws:iam::aws:policy/b' },
  'signed calls of a REST API': { ...everything, signedCalls: true },
  'an HTTP API': { frontDoor: 'http' },
  'everything on an HTTP API': { ...everything, frontDoor: 'http' },
  'signed calls of an HTTP API': { ...everything, frontDoor: 'http', signedCalls: true },
  'a function URL': { frontDoor: 'url' },
  'everything on a function URL': { ...everything, frontDoor: 'url', accessLog: false },
};

type Name = keyof typeof SETS;
const NAMES = Object.keys(SETS) as Name[];

/** The templates by the names of their parameters. */
let t: Record<Name, Template>;

beforeAll(async () => {
  t = await packageAll(SETS);
});

describe('an update', () => {
  it.each(NAMES)('from any parameters to %s succeeds and loses nothing', (to) => {
    for (const from of NAMES) expect([from, updateFaults(t[from], t[to])]).toEqual([from, []]);
  });

  it.each<['memory' | 'table', Name]>([
    ['memory', 'memory with alarms and an access log'],
    ['table', 'everything on a REST API'],
  ])('from the release before loses nothing, and each resource keeps its logical id: %s', (file, same) => {
    const deployed = normalized(previous(file));
    for (const to of NAMES) expect([to, updateFaults(deployed, t[to])]).toEqual([to, []]);
    expect(Object.keys(normalized(t[same]).Resources)).toEqual(expect.arrayContaining(Object.keys(deployed.Resources)));
  });

  it('to another front door leaves the function, its role, its rights and both logs as they are', () => {
    const kept = (name: Name, ...ids: string[]) => ids.map((id) => normalized(t[name]).Resources[id]);
    const everywhere = ['ApiLambdaFunction', 'ApiRole', 'TodoTablePolicy', 'ApiLogGroup'];
    const rest = kept('everything on a REST API', ...everywhere, 'AccessLog');
    expect(rest).not.toContain(undefined);
    expect(kept('everything on an HTTP API', ...everywhere, 'AccessLog')).toEqual(rest);
    expect(kept('everything on a function URL', ...everywhere)).toEqual(rest.slice(0, -1));
  });

  it('to signed calls removes no open method, which would stay in the deployment of the API until the next update', () => {
    const methods = (name: Name) => idsOf(t[name], 'AWS::ApiGateway::Method');
    const open = methods('everything on a REST API');
    expect(open).toHaveLength(2);
    expect(methods('signed calls of a REST API')).toEqual(expect.arrayContaining(open));
  });

  it('makes a new deployment of a REST API each time', () => {
    const deployments = [t.memory, t['a table']].flatMap((template) => idsOf(template, 'AWS::ApiGateway::Deployment'));
    expect(new Set(deployments).size).toBe(2);
  });
});

const tableYml = readFileSync('serverless/table.yml', 'utf8');
const tableStack = parseYaml(tableYml) as Template & { readonly Conditions: object; readonly Parameters: object };

describe("the table's own stack", () => {
  it('keeps the table from loss', () => {
    expect(tableStack.Resources.TodoTable).toMatchObject({
      Type: 'AWS::DynamoDB::Table',
      // Or the table is lost with its stack, or with a property that can't be changed in place.
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        // Or anybody who may, deletes it by mistake.
        DeletionProtectionEnabled: true,
        // Or what was overwritten can't be restored.
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        // Or what is left of deleted items is kept, billed and read forever.
        TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
        // Or it is paid by the hour, and throttles.
        BillingMode: 'PAY_PER_REQUEST',
        // Or the service finds no table, or none with its keys.
        TableName: { Ref: 'AWS::StackName' },
        KeySchema: [
          { AttributeName: 'resource', KeyType: 'HASH' },
          { AttributeName: 'key', KeyType: 'RANGE' },
        ],
      },
    });
  });

  it('has no ceiling of reads and writes unless one is asked for', () => {
    const noValue = { Ref: 'AWS::NoValue' };
    const ceiling = (name: string) => ({ 'Fn::If': [`Has${name}`, { Ref: name }, noValue] });
    expect(tableStack.Resources.TodoTable?.Properties.OnDemandThroughput['Fn::If']).toEqual([
      'HasCeiling',
      { MaxReadRequestUnits: ceiling('MaxReads'), MaxWriteRequestUnits: ceiling('MaxWrites') },
      noValue,
    ]);
    const isSet = (name: string) => ({ 'Fn::Not': [{ 'Fn::Equals': [{ Ref: name }, 0] }] });
    const either = { 'Fn::Or': [{ Condition: 'HasMaxReads' }, { Condition: 'HasMaxWrites' }] };
    const conditions = { HasMaxReads: isSet('MaxReads'), HasMaxWrites: isSet('MaxWrites'), HasCeiling: either };
    expect(tableStack.Conditions).toEqual(conditions);
    expect(tableStack.Parameters).toMatchObject({ MaxReads: { Default: 0 }, MaxWrites: { Default: 0 } });
  });

  it('is adopted as the guide says, with its name written in the template, because AWS takes no reference there', () => {
    const guide = readFileSync('docs/dynamodb.md', 'utf8');
    const [, from = '?', to = '?'] = /sed 's\/(.*?)\/(.*?)\/' serverless\/table\.yml/.exec(guide) ?? [];
    const adopting = parseYaml(tableYml.replace(from, to));
    expect(adopting).toHaveProperty('Resources.TodoTable.Properties.TableName', 'items-live');
    expect(guide).toContain('--import-existing-resources');
  });
});

describe('the checks find an update that', () => {
  const everythingIs = (changes: object): [Template, Template] => {
    const from = normalized(t['everything on a REST API']);
    return [from, changed(from, changes)];
  };

  it.each<[string, () => [from: Template, to: Template], string]>([
    [
      'changes the type of a resource',
      () => everythingIs({ 'ErrorsAlarm.Type': 'AWS::CloudWatch::CompositeAlarm' }),
      'ErrorsAlarm changes its type, which was AWS::CloudWatch::Alarm',
    ],
    [
      'deletes a log group without saying so',
      () => [changed(t['everything on a REST API'], { 'AccessLog.DeletionPolicy': undefined }), t.memory],
      'AccessLog is deleted, with what it keeps: say whether it should be',
    ],
    [
      'replaces a log group',
      () => everythingIs({ 'ApiLogGroup.Properties.LogGroupName': 'other' }),
      'ApiLogGroup is replaced',
    ],
    [
      'changes the key of the table',
      () => [tableStack, changed(tableStack, { 'TodoTable.Properties.KeySchema': [] })],
      'TodoTable is replaced',
    ],
    [
      "moves the function's rights on the table into its role",
      () => {
        const { PolicyName, PolicyDocument } = t['a table'].Resources.TodoTablePolicy?.Properties ?? {};
        const moved = { 'ApiRole.Properties.Policies': [{ PolicyName, PolicyDocument }], TodoTablePolicy: undefined };
        return [t['a table'], changed(t['a table'], moved)];
      },
      `ApiRole can't be made: TodoTablePolicy has AWS::IAM::Policy [[{"Ref":"ApiRole"}],"table"]`,
    ],
  ])('%s', (_name, templates, fault) => {
    expect(updateFaults(...templates())).toContainEqual(fault);
  });

  it.each(['TodoTable', 'TodoTablePolicy', 'ApiStage', 'ApiLogGroup', 'BusyResponse', 'ApiGatewayResourceProxyVar'])(
    'gives the %s a new logical id',
    (id) => {
      const before: Template = id === 'TodoTable' ? tableStack : t['a table'];
      const after: Template = JSON.parse(JSON.stringify(before).replaceAll(`"${id}"`, '"Renamed"'));
      expect(updateFaults(before, after)).toContainEqual(expect.stringMatching(`^Renamed can't be made: ${id} has `));
    },
  );
});
