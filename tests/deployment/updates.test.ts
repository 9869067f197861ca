import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { deployTwice, EVERYTHING } from '../support/deployment/aws.js';
import { parseYaml } from '../support/deployment/deployment.js';
import { deriveTemplate, packagedAt } from '../support/deployment/derived-template.js';
import { changed, schemaFaults, type Template, templateFaults } from '../support/deployment/template.js';
import { updateFaults } from '../support/deployment/updates.js';

const table = { table: 'items' };
const mail = { alarmEmail: 'operator@example.com' };

const SETS = {
  memory: {},
  'nothing reserved': { reservedConcurrency: 'none', corsOrigins: 'https://example.com' },
  'a log of warnings': { logLevel: 'warn', ...mail },
  'a table': table,
  'another table': { table: 'other-items' },
  'a table and alarms': { ...table, ...mail },
  alarms: mail,
  'alarms for somebody else': { alarmEmail: 'someone@example.com' },
  'an access log': { accessLog: 'true' },
  'an access log and other pages': { accessLog: 'true', corsOrigins: '*' },
  everything: EVERYTHING,
};

type Name = keyof typeof SETS;
const NAMES = Object.keys(SETS) as Name[];

/** The templates by the names of their parameters. */
const t = {} as Record<Name, Template>;

beforeAll(async () => {
  const { base } = await deployTwice();
  for (const name of NAMES) t[name] = await deriveTemplate(base, SETS[name]);
});

describe('an update', () => {
  it.each(NAMES)('from any parameters to %s succeeds and loses nothing', (to) => {
    for (const from of NAMES) expect([from, updateFaults(t[from], packagedAt(t[to], 2))]).toEqual([from, []]);
    expect(templateFaults(t[to])).toEqual([]);
  });

  it('makes a new deployment of the API, and points the stage to it', async () => {
    const deploymentOf = ({ Resources }: Template) => Resources.ApiStage?.Properties.DeploymentId.Ref;
    const { everything } = await deployTwice();
    expect(deploymentOf(everything)).not.toBe(deploymentOf(t.everything));
    expect(everything.Resources[deploymentOf(everything)]?.Type).toBe('AWS::ApiGateway::Deployment');
  });
});

const tableYml = readFileSync('serverless/table.yml', 'utf8');
const tableStack = parseYaml(tableYml.replace('!Ref AWS::StackName', 'items')) as Template;

describe("the table's own stack", () => {
  it('keeps the table from loss', () => {
    expect(tableStack.Resources).toEqual({
      TodoTable: {
        Type: 'AWS::DynamoDB::Table',
        // Or the table is lost with its stack, or with a property that can't be changed in place.
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          // Or anybody who may, deletes it by mistake.
          DeletionProtectionEnabled: true,
          // Or what was overwritten can't be restored.
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          // Or what is left of deleted items is kept, billed and read for ever.
          TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
          // Or it is paid by the hour, and throttles.
          BillingMode: 'PAY_PER_REQUEST',
          // Or the service finds no table, or none with its keys.
          TableName: 'items',
          AttributeDefinitions: [
            { AttributeName: 'resource', AttributeType: 'S' },
            { AttributeName: 'key', AttributeType: 'S' },
          ],
          KeySchema: [
            { AttributeName: 'resource', KeyType: 'HASH' },
            { AttributeName: 'key', KeyType: 'RANGE' },
          ],
        },
      },
    });
    expect(schemaFaults(tableStack)).toEqual([]);
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
  it.each<[string, () => [from: Template, to: Template], string]>([
    [
      'changes the type of a resource',
      () => [t.alarms, changed(t.alarms, { 'ErrorsAlarm.Type': 'AWS::CloudWatch::CompositeAlarm' })],
      'ErrorsAlarm changes its type, which was AWS::CloudWatch::Alarm',
    ],
    [
      'deletes a log group without saying so',
      () => [changed(t['an access log'], { 'AccessLog.DeletionPolicy': undefined }), t.memory],
      'AccessLog is deleted, with what it keeps: say whether it should be',
    ],
    [
      'replaces a log group without saying so',
      () => [t.memory, changed(t.memory, { 'ApiLogGroup.Properties.LogGroupName': 'other' })],
      'ApiLogGroup is deleted, with what it keeps: say whether it should be',
    ],
    [
      'changes the key of the table',
      () => [tableStack, changed(tableStack, { 'TodoTable.Properties.KeySchema': [] })],
      `TodoTable can't be made: TodoTable has AWS::DynamoDB::Table ["items"]`,
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

  it.each([
    ['TodoTable', 'AWS::DynamoDB::Table ["items"]'],
    ['TodoTablePolicy', 'AWS::IAM::Policy [[{"Ref":"ApiRole"}],"table"]'],
    ['ApiStage', 'AWS::ApiGateway::Stage [{"Ref":"ApiGatewayRestApi"},"live"]'],
    ['ApiLogGroup', 'AWS::Logs::LogGroup ["/aws/lambda/todo-item-service-live-api"]'],
    ['BusyResponse', 'AWS::ApiGateway::GatewayResponse [{"Ref":"ApiGatewayRestApi"},"INTEGRATION_FAILURE"]'],
    [
      'ApiGatewayResourceProxyVar',
      'AWS::ApiGateway::Resource [{"Ref":"ApiGatewayRestApi"},{"Fn::GetAtt":["ApiGatewayRestApi","RootResourceId"]},"{proxy+}"]',
    ],
  ])('gives the %s a new logical id', (id, name) => {
    const before = id === 'TodoTable' ? tableStack : t['a table'];
    const after: Template = JSON.parse(JSON.stringify(before).replaceAll(`"${id}"`, '"Renamed"'));
    expect(updateFaults(before, after)).toContainEqual(`Renamed can't be made: ${id} has ${name}`);
  });
});
