import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { packageService } from '../support/deployment/deployment.js';
import { deriveTemplate, packagedAt } from '../support/deployment/derived-template.js';
import { parseYaml } from '../support/deployment/recipe.js';
import { deploy, NOTHING } from '../support/deployment/simulated-stack.js';
import { differences } from '../support/deployment/template-comparison.js';
import { type Resource, schemaFaults, type Template } from '../support/deployment/template-schema.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const table = { todoTable: 'todo-items' };
const mail = { alarmEmail: 'operator@example.com' };

const SETS = {
  memory: {},
  'nothing reserved': { reservedConcurrency: 'none', corsOrigins: 'https://example.com' },
  'a log of warnings': { logLevel: 'warn', ...mail },
  'a table': table,
  'another table': { todoTable: 'other-items' },
  'a table and alarms': { ...table, ...mail },
  alarms: mail,
  'alarms for somebody else': { alarmEmail: 'someone@example.com' },
  'an access log': { accessLog: 'true' },
  everything: { ...table, ...mail, accessLog: 'true', corsOrigins: '*', logLevel: 'debug' },
};

type Name = keyof typeof SETS;
const NAMES = Object.keys(SETS) as Name[];

const tableYml = readFileSync('serverless/table.yml', 'utf8');
const PROTECTED = { DeletionProtectionEnabled: true };
const EMPTY = { Resources: {}, Outputs: {} };
const folder = temporaryFolder();
/** The templates by the names of their parameters. */
const t = {} as Record<Name, Template>;
let next: Template;

beforeAll(async () => {
  const base = packageService(join(folder, '1')).template;
  for (const name of NAMES) t[name] = await deriveTemplate(base, SETS[name]);
  next = packageService(join(folder, '2')).template;
});

/** Deploys one template after the other, and returns what is wrong with each but the first. */
function faultsOf(first: Template, ...more: readonly Template[]): string[] {
  let { stack } = deploy(NOTHING, first);
  return more.flatMap((template) => {
    const deployed = deploy(stack, template);
    ({ stack } = deployed);
    return deployed.faults;
  });
}

/** The same, with something changed. */
function planted(template: Template, change: (resources: Record<string, Resource>) => void): Template {
  const copy = structuredClone(template);
  change(copy.Resources);
  return copy;
}

/** The same, with properties of a resource, or of what it says besides, changed. */
function changed(template: Template, id: string, properties: object, others: object = {}): Template {
  return planted(template, (resources) => {
    Object.assign(resources[id] ?? {}, others);
    Object.assign(resources[id]?.Properties, properties);
  });
}

/** Another logical id for a resource, and for what refers to it. */
function renamed(template: Template, from: string, to: string): Template {
  return JSON.parse(JSON.stringify(template).replaceAll(`"${from}"`, `"${to}"`));
}

/** The table's own stack. */
function tableStack(name: string): Template {
  return parseYaml(tableYml.replace('!Ref AWS::StackName', name)) as Template;
}

/** How the table was made before: by the service's stack. */
function withTable(policy: string, name = 'todo-items'): Template {
  return planted(t['a table'], (resources) => {
    const { TodoTable } = tableStack(name).Resources as { TodoTable: Resource };
    Object.assign(TodoTable, { DeletionPolicy: policy, UpdateReplacePolicy: policy });
    TodoTable.Properties.DeletionProtectionEnabled = policy === 'Retain';
    resources.TodoTable = TodoTable;
    const [statement] = resources.TodoTablePolicy?.Properties.PolicyDocument.Statement ?? [];
    statement.Resource = { 'Fn::GetAtt': ['TodoTable', 'Arn'] };
  });
}

/** The right to the table as it might be moved, under its name. */
function withRightInRole(): Template {
  return planted(t['a table'], (resources) => {
    const { PolicyName, PolicyDocument } = resources.TodoTablePolicy?.Properties ?? {};
    resources.ApiRole?.Properties.Policies.push({ PolicyName, PolicyDocument });
    Object.assign(resources.ApiLambdaFunction ?? {}, { DependsOn: ['ApiRole'] });
    delete resources.TodoTablePolicy;
  });
}

/** How the stage was made before: by the deployment, under a new logical id each time. */
function withInlineStage(template: Template): Template {
  return planted(template, (resources) => {
    const { StageName, MethodSettings } = (resources.ApiStage as Resource).Properties;
    for (const { Type, Properties } of Object.values(resources))
      if (Type === 'AWS::ApiGateway::Deployment')
        Object.assign(Properties, { StageName, StageDescription: { MethodSettings } });
    delete resources.ApiStage;
  });
}

describe('an update', () => {
  it.each(NAMES)('from any parameters to %s succeeds, and leaves nothing in the way when it fails half way', (to) => {
    expect(schemaFaults(t[to])).toEqual([]);
    expect(deploy(NOTHING, t[to]).faults).toEqual([]);
    for (const from of NAMES) expect([from, ...faultsOf(t[from], packagedAt(t[to], 2))]).toEqual([from]);
  });

  it('goes from memory to a table, back, and to the table again', () => {
    const { memory, 'a table': kept } = t;
    expect(faultsOf(memory, packagedAt(kept, 2), packagedAt(memory, 3), packagedAt(kept, 4))).toEqual([]);
  });

  it('makes a new deployment of the API and moves the stage on to it, and changes all else in place', () => {
    const { resources } = deploy(deploy(NOTHING, t.memory).stack, next).stack;
    const made = Array.from(resources, ([id, { identity }]) => (identity.endsWith('#0') ? '' : id)).filter(Boolean);
    const [deployment] = Object.keys(next.Resources).filter((id) => id.startsWith('ApiGatewayDeployment'));
    expect(made).toEqual([deployment]);
    expect(resources.get('ApiStage')?.properties.DeploymentId).toEqual({ Ref: `${deployment}#1` });
    expect(packagedAt(next, 1)).toEqual(packagedAt(t.memory, 1));
  });
});

describe("the table's own stack", () => {
  it('keeps the table from loss', () => {
    const names = { AttributeName: 'resource', AttributeType: 'S' };
    const TodoTable = {
      'the table is lost with its stack, or with a property that can not be changed in place': {
        Type: 'AWS::DynamoDB::Table',
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
      },
      'anybody who may, deletes it by mistake': { DeletionProtectionEnabled: true },
      'what was overwritten can not be restored': {
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
      'what is left of deleted items is kept, billed and read for ever': {
        TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      },
      'it is paid by the hour, and throttles': { BillingMode: 'PAY_PER_REQUEST' },
      'the service finds no table, or none with its keys': {
        TableName: 'todo-items',
        AttributeDefinitions: [names, { ...names, AttributeName: 'key' }],
        KeySchema: [
          { AttributeName: 'resource', KeyType: 'HASH' },
          { AttributeName: 'key', KeyType: 'RANGE' },
        ],
      },
    };
    expect(differences(tableStack('todo-items'), { TodoTable }, /^$/)).toEqual([]);
    expect(schemaFaults(tableStack('todo-items'))).toEqual([]);
    expect(tableYml).toContain('TableName: !Ref AWS::StackName\n');
  });

  it('is deployed any number of times, and leaves the table behind when it is removed', () => {
    const stack = tableStack('todo-items');
    expect(deploy(NOTHING, stack).faults).toEqual([]);
    expect(faultsOf(stack, stack, EMPTY)).toEqual([]);
    expect(faultsOf(stack, EMPTY, stack)).toEqual([expect.stringMatching(/^TodoTable .* left it behind$/)]);
  });

  it("takes over the table that the service's stack made, once that has let go of it", () => {
    const { stack, faults } = deploy(deploy(NOTHING, withTable('Retain')).stack, packagedAt(t['a table'], 2));
    expect(faults).toEqual([]);
    const adopted = deploy({ ...NOTHING, taken: stack.taken }, tableStack('todo-items'), true);
    expect(adopted.faults).toEqual([]);
    expect(deploy(adopted.stack, tableStack('todo-items')).faults).toEqual([]);
  });

  it('is adopted as the guide says: with its name in the template, as AWS demands, and not by a reference', () => {
    const guide = readFileSync('docs/dynamodb.md', 'utf8');
    const [, from = '?', to = '?'] = /sed 's\/(.*?)\/(.*?)\/' serverless\/table\.yml/.exec(guide) ?? [];
    const adopting = tableYml.replace(from, to);
    expect(parseYaml(adopting)).toHaveProperty('Resources.TodoTable.Properties.TableName', 'todo-items-live');
    expect(guide).toContain('--import-existing-resources');
  });
});

describe('an update that would fail or lose something is found, which', () => {
  const lost = 'TodoTable is deleted, with what it keeps: say Retain first';
  const overwritten = "its policy takes the place of another's of that name, whose clean-up then deletes it";

  it.each<[string, () => [Template, ...Template[]], string | RegExp]>([
    ['takes out a table that was to be deleted', () => [withTable('Delete'), t['a table']], lost],
    ['removes a stack with a table in it', () => [withTable('Delete'), EMPTY], lost],
    ['names another table', () => [withTable('Delete'), withTable('Delete', 'other-items')], lost],
    [
      'goes back to a version that made the table',
      () => [withTable('Retain'), t['a table'], withTable('Retain')],
      /^TodoTable can't be made: .* todo-items already, of an earlier deployment, which left it behind$/,
    ],
    [
      'makes a table that stays when a later step fails',
      () => [t.memory, withTable('Retain')],
      'TodoTable stays when the update fails after it, and is then in the way of the next try',
    ],
    [
      'makes a table that can not be deleted when a later step fails',
      () => [t.memory, changed(withTable('RetainExceptOnCreate'), 'TodoTable', PROTECTED)],
      "TodoTable can't be deleted when the update fails after it: it is protected from that",
    ],
    [
      'deletes a table that is protected',
      () => [changed(withTable('Delete'), 'TodoTable', PROTECTED), t.memory],
      "TodoTable can't be deleted: it is protected from that",
    ],
    [
      'gives the table another key',
      () => [tableStack('todo-items'), changed(tableStack('todo-items'), 'TodoTable', { KeySchema: [] })],
      /^TodoTable can't be made: .* already, of its old self, and must be made anew, for what changes is KeySchema$/,
    ],
    ['moves the right to the table into the role', () => [t['a table'], withRightInRole()], `ApiRole: ${overwritten}`],
    [
      'has the deployment describe a stage that is there',
      () => [withInlineStage(t.memory), withInlineStage(next)],
      'StageDescription cannot be specified when stage referenced by StageName already exists',
    ],
    [
      'makes a stage that an earlier deployment made by the way',
      () => [withInlineStage(t.memory), next],
      /^ApiStage can't be made: .*dev already, of ApiGatewayDeployment\d+$/,
    ],
    [
      'leaves the stage at a deployment that goes',
      () => [t.memory, changed(next, 'ApiStage', { DeploymentId: { Ref: 'ApiGatewayDeployment1' } })],
      'ApiStage needs ApiGatewayDeployment1, which is not there or goes',
    ],
    [
      'deletes a log group without a word',
      () => [changed(t['an access log'], 'AccessLog', {}, { DeletionPolicy: undefined }), t.memory],
      'AccessLog is deleted, with what it keeps: say Retain first',
    ],
    [
      'changes the type of a resource',
      () => [t.alarms, changed(t.alarms, 'ErrorsAlarm', {}, { Type: 'AWS::CloudWatch::CompositeAlarm' })],
      'ErrorsAlarm changes its type, which was AWS::CloudWatch::Alarm',
    ],
    [
      'needs in a circle',
      () => [t['a table'], changed(t['a table'], 'TodoTablePolicy', {}, { DependsOn: ['ApiLambdaFunction'] })],
      /needs TodoTablePolicy needs ApiLambdaFunction.*: a circle$/,
    ],
  ])('%s', (_name, history, fault) => {
    const expected = typeof fault === 'string' ? expect.stringContaining(fault) : expect.stringMatching(fault);
    expect(faultsOf(...history())).toContainEqual(expected);
  });

  it.each([
    ['TodoTable', 'todo-items already'],
    ['TodoTablePolicy', overwritten],
    ['ApiStage', 'dev already'],
    ['ApiLogGroup', '/aws/lambda/todo-item-service-dev-api already'],
    ['BusyResponse', 'INTEGRATION_FAILURE already'],
    ['ApiGatewayResourceProxyVar', '{proxy+} already'],
  ])('has the %s under a new logical id', (id, fault) => {
    const before = id === 'TodoTable' ? tableStack('todo-items') : t['a table'];
    const [found] = faultsOf(before, renamed(before, id, 'Renamed'));
    expect(found).toMatch(/^Renamed(:| can't be made: there is AWS::.*)/);
    expect(found).toContain(fault);
  });

  it('is not hidden by a condition, which the checks do not decide', () => {
    const conditional = { ...t.memory, Conditions: {} };
    expect(schemaFaults(conditional)).toEqual(['the template has conditions, which the checks do not decide']);
  });
});
