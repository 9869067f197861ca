import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseYaml } from './packaging.js';
import { packageStages, STAGE_NAMES, type Stage } from './stages.js';
import { changed, idsOf, normalized, previous, type Template } from './template.js';
import { updateFaults } from './updates.js';

const t = packageStages(...STAGE_NAMES);

describe('an update', () => {
  it.each(STAGE_NAMES)('from any parameters to these succeeds and loses nothing: %s', (to) => {
    for (const from of STAGE_NAMES) expect([from, updateFaults(t[from], t[to])]).toEqual([from, []]);
  });

  it.each<[Parameters<typeof previous>[0], Stage]>([
    ['memory', 'items in memory'],
    ['table', 'items in a table'],
    ['http', 'an HTTP API'],
    ['url', 'a function URL'],
  ])('from the release before loses nothing, and each resource keeps its logical id: %s', (file, same) => {
    const deployed = normalized(previous(file));
    for (const to of STAGE_NAMES) expect([to, updateFaults(deployed, t[to])]).toEqual([to, []]);
    expect(Object.keys(normalized(t[same]).Resources)).toEqual(expect.arrayContaining(Object.keys(deployed.Resources)));
  });

  it('to another front door leaves the function, its role, its rights and both logs as they are', () => {
    const kept = (stage: Stage, ...ids: string[]) => ids.map((id) => normalized(t[stage]).Resources[id]);
    const everywhere = ['ApiLambdaFunction', 'ApiRole', 'TodoTablePolicy', 'ApiLogGroup'];
    const rest = kept('items in a table', ...everywhere, 'AccessLog');
    expect(rest).not.toContain(undefined);
    expect(kept('an HTTP API', ...everywhere, 'AccessLog')).toEqual(rest);
    expect(kept('a function URL', ...everywhere)).toEqual(rest.slice(0, -1));
  });

  it('to signed calls removes no open method, which would stay in the deployment of the API until the next update', () => {
    const methods = (stage: Stage) => idsOf(t[stage], 'AWS::ApiGateway::Method');
    expect(methods('items in a table')).toHaveLength(2);
    expect(methods('signed calls')).toEqual(expect.arrayContaining(methods('items in a table')));
  });

  it('makes a new deployment of a REST API each time', () => {
    const deploymentOf = (stage: Stage) => idsOf(t[stage], 'AWS::ApiGateway::Deployment');
    expect(deploymentOf('items in memory')).not.toEqual(deploymentOf('items in a table'));
  });
});

const tableYml = readFileSync('serverless/dynamodb-table.yml', 'utf8');
const tableStack = parseYaml(tableYml) as Template;

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
    const ceiling = parseYaml(`
      Parameters: { MaxReads: { Default: 0 }, MaxWrites: { Default: 0 } }
      Conditions:
        HasMaxReads: !Not [!Equals [!Ref MaxReads, 0]]
        HasMaxWrites: !Not [!Equals [!Ref MaxWrites, 0]]
        HasCeiling: !Or [{ Condition: HasMaxReads }, { Condition: HasMaxWrites }]
      Resources:
        TodoTable:
          Properties:
            OnDemandThroughput: !If
              - HasCeiling
              - MaxReadRequestUnits: !If [HasMaxReads, !Ref MaxReads, !Ref AWS::NoValue]
                MaxWriteRequestUnits: !If [HasMaxWrites, !Ref MaxWrites, !Ref AWS::NoValue]
              - !Ref AWS::NoValue`);
    expect(tableStack).toMatchObject(ceiling as object);
  });

  it('is adopted as the guide says, with its name written in the template, because AWS takes no reference there', () => {
    const guide = readFileSync('docs/dynamodb.md', 'utf8');
    const [, from = '?', to = '?'] = /sed 's\/(.*?)\/(.*?)\/' serverless\/dynamodb-table\.yml/.exec(guide) ?? [];
    const adopting = parseYaml(tableYml.replace(from, to));
    expect(adopting).toHaveProperty('Resources.TodoTable.Properties.TableName', 'items-live');
    expect(guide).toContain('--import-existing-resources');
  });
});

describe('an update is rejected by which', () => {
  const before = changed(normalized(previous('table')), tableStack.Resources);
  const { Resources } = before;
  const inRole = { 'ApiRole.Properties.Policies': [Resources.TodoTablePolicy?.Properties], TodoTablePolicy: undefined };
  const ids = ['TodoTable', 'TodoTablePolicy', 'ApiStage', 'ApiLogGroup', 'BusyResponse', 'ApiGatewayResourceProxyVar'];
  it.each<[fault: string, changes: object]>([
    ['ApiStage changes its type, which was AWS::', { 'ApiStage.Type': 'AWS::S3::Bucket' }],
    ['ApiLogGroup is deleted, with what it keeps', { ApiLogGroup: undefined }],
    ['ApiLogGroup is replaced', { 'ApiLogGroup.Properties.LogGroupName': 'other' }],
    ['TodoTable is replaced', { 'TodoTable.Properties.KeySchema': [] }],
    ["ApiRole can't be made: TodoTablePolicy has AWS::", inRole],
    ...ids.map((id): [string, object] => [
      `Renamed can't be made: ${id} has `,
      { Renamed: Resources[id], [id]: undefined },
    ]),
  ])('%s', (fault, changes) => {
    expect(updateFaults(before, changed(before, changes))).toContainEqual(expect.stringContaining(fault));
  });
});
