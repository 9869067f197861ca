import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageService } from './support/deployment.js';
import { deriveTemplate, packagedAt } from './support/derived.js';
import { type Resource, schemaFaults, type Template } from './support/schema.js';
import { deploy, NOTHING } from './support/updates.js';

const table = { todoTable: 'todo-items' };
const mail = { alarmEmail: 'operator@example.com' };

const SETS = {
  'the defaults': {},
  'nothing reserved': { reservedConcurrency: 'none' },
  CORS: { corsOrigins: 'https://example.com' },
  'a log of warnings': { logLevel: 'warn', ...mail },
  'a table': table,
  'a table that goes with the stack': { ...table, tableRemoval: 'Delete' },
  "a table under AWS's managed key": { ...table, tableKey: 'aws-managed' },
  'another table': { todoTable: 'other-items' },
  'a table and alarms': { ...table, ...mail },
  alarms: mail,
  'alarms for somebody else': { alarmEmail: 'someone@example.com' },
  'an access log': { accessLog: 'true' },
  everything: { ...table, ...mail, accessLog: 'true', corsOrigins: '*', logLevel: 'debug' },
};

type Name = keyof typeof SETS;
const NAMES = Object.keys(SETS) as Name[];

const folder = mkdtempSync(join(tmpdir(), 'todo-updates-'));
const templates = {} as Record<Name, Template>;
let next: Template;

beforeAll(async () => {
  const base = packageService(join(folder, '1')).template;
  for (const name of NAMES) templates[name] = await deriveTemplate(base, SETS[name]);
  next = packageService(join(folder, '2')).template;
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Deploys one template after the other, and returns what is wrong with each but the first. */
function faultsOf(...deployed: readonly Template[]): string[] {
  let { stack, faults } = deploy(NOTHING, deployed[0] as Template);
  expect(faults).toEqual([]);
  return deployed.slice(1).flatMap((template) => {
    ({ stack, faults } = deploy(stack, template));
    return faults;
  });
}

/** The same, with something changed. */
function planted(
  template: Template,
  change: (resources: Record<string, Resource>, template: Template) => void,
): Template {
  const copy = structuredClone(template);
  change(copy.Resources, copy);
  return copy;
}

/** Another logical id for a resource, and for what refers to it. */
function renamed(template: Template, from: string, to: string): Template {
  return JSON.parse(JSON.stringify(template).replaceAll(`"${from}"`, `"${to}"`));
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

/**
 * Which `UpdateReplacePolicy` counts where both the table and the policy change, that of before or that of after, AWS does
 * not say. The deploy guide has the two changed one after the other.
 */
function known(from: Name, to: Name): string[] {
  const both = from === 'another table' && to === 'a table that goes with the stack';
  return both ? ["TodoTable can't be deleted: it is protected from that"] : [];
}

describe('an update', () => {
  it.each(NAMES)('from any set of parameters to %s succeeds', (to) => {
    expect(schemaFaults(templates[to])).toEqual([]);
    for (const from of NAMES) {
      expect([from, ...faultsOf(templates[from], packagedAt(templates[to], 2))]).toEqual([from, ...known(from, to)]);
    }
  });

  it('makes a new deployment of the API and moves the stage on to it, and changes all else in place', () => {
    const [before, after] = [templates['the defaults'], next];
    const { stack } = deploy(NOTHING, before);
    const { faults, stack: updated } = deploy(stack, after);
    expect(faults).toEqual([]);
    const { resources } = updated;
    const made = Array.from(resources, ([id, { identity }]) => (identity.endsWith('#0') ? '' : id)).filter(Boolean);
    const [deployment] = Object.keys(after.Resources).filter((id) => id.startsWith('ApiGatewayDeployment'));
    expect(made).toEqual([deployment]);
    expect(resources.get('ApiStage')?.properties.DeploymentId).toEqual({ Ref: `${deployment}#1` });
    expect(packagedAt(after, 1)).toEqual(packagedAt(before, 1));
  });

  it('fails only where a table that was left behind is in the way of one of the same name', () => {
    const inTheWay = [
      "TodoTable can't be made: there is AWS::DynamoDB::Table todo-items already, of an earlier deployment, which left it behind",
    ];
    expect(faultsOf(templates['a table'], templates['the defaults'], templates['a table'])).toEqual(inTheWay);
    const names: Name[] = [
      'the defaults',
      'a table',
      'a table that goes with the stack',
      'another table',
      'everything',
    ];
    for (const first of names) {
      for (const second of names) {
        for (const third of names) {
          const faults = faultsOf(templates[first], packagedAt(templates[second], 2), templates[third]);
          const others = faults.filter((fault) => !/^TodoTable .* left it behind/.test(fault));
          expect([first, second, third, ...others]).toEqual([
            ...[first, second, third],
            ...[...known(first, second), ...known(second, third)],
          ]);
        }
      }
    }
  });
});

describe('an update that would fail', () => {
  it.each<[string, () => Template[], string | RegExp]>([
    [
      'has the deployment describe a stage that there is already',
      () => [withInlineStage(templates['the defaults']), withInlineStage(next)],
      'StageDescription cannot be specified when stage referenced by StageName already exists',
    ],
    [
      'makes a stage that an earlier deployment made by the way',
      () => [withInlineStage(templates['the defaults']), next],
      /^ApiStage can't be made: there is AWS::ApiGateway::Stage .*dev already, of ApiGatewayDeployment\d+, which made it by the way$/,
    ],
    [
      'has the stage under a new logical id',
      () => [templates['the defaults'], renamed(next, 'ApiStage', 'ApiStage2')],
      /^ApiStage2 can't be made: there is AWS::ApiGateway::Stage .*dev already, of ApiStage$/,
    ],
    [
      'leaves the stage at a deployment that goes',
      () => [
        templates['the defaults'],
        planted(next, ({ ApiStage }) => {
          ApiStage?.Properties &&
            Object.assign(ApiStage.Properties, { DeploymentId: { Ref: 'ApiGatewayDeployment1' } });
        }),
      ],
      'ApiStage needs ApiGatewayDeployment1, which is not there or goes',
    ],
    [
      "has the function's log group under a new logical id",
      () => [templates['the defaults'], renamed(next, 'ApiLogGroup', 'ApiLog')],
      "ApiLog can't be made: there is AWS::Logs::LogGroup /aws/lambda/todo-item-service-dev-api already, of ApiLogGroup",
    ],
    [
      'deletes a log group without a word',
      () => [
        planted(templates['an access log'], ({ AccessLog }) => delete AccessLog?.DeletionPolicy),
        templates['the defaults'],
      ],
      'AccessLog is deleted, with what it keeps, and the template does not say Delete',
    ],
    [
      'answers for the gateway under a new logical id',
      () => [templates['the defaults'], renamed(next, 'BusyResponse', 'RefusedResponse')],
      /^RefusedResponse can't be made: there is AWS::ApiGateway::GatewayResponse .*INTEGRATION_FAILURE already, of BusyResponse$/,
    ],
    [
      'has the path under a new logical id',
      () => [templates['the defaults'], renamed(next, 'ApiGatewayResourceProxyVar', 'Proxy')],
      /^Proxy can't be made: there is AWS::ApiGateway::Resource .*\{proxy\+\} already, of ApiGatewayResourceProxyVar$/,
    ],
    [
      'has a policy under a new logical id',
      () => [templates['a table'], renamed(templates['a table'], 'TodoTablePolicy', 'TablePolicy')],
      /^TablePolicy can't be made: there is AWS::IAM::Policy .*table already, of TodoTablePolicy$/,
    ],
    [
      'has the table under a new logical id',
      () => [templates['a table'], renamed(templates['a table'], 'TodoTable', 'Table')],
      "Table can't be made: there is AWS::DynamoDB::Table todo-items already, of TodoTable",
    ],
    [
      'gives the table another key',
      () => [
        templates['a table'],
        planted(templates['a table'], ({ TodoTable }) => TodoTable?.Properties.KeySchema.pop()),
      ],
      "TodoTable can't be made: there is AWS::DynamoDB::Table todo-items already, of its old self, and must be made anew, for what changes is KeySchema",
    ],
    [
      'removes a table that is not retained',
      () => [
        planted(templates['a table'], ({ TodoTable }) => delete TodoTable?.DeletionPolicy),
        templates['the defaults'],
      ],
      'TodoTable is deleted, with what it keeps, and the template does not say Delete',
    ],
    [
      'replaces a table that is not retained',
      () => [
        planted(templates['a table'], ({ TodoTable }) => delete TodoTable?.UpdateReplacePolicy),
        templates['another table'],
      ],
      'TodoTable is deleted, with what it keeps, and the template does not say Delete',
    ],
    [
      'deletes a table that is protected',
      () => [
        planted(templates['a table that goes with the stack'], ({ TodoTable }) =>
          Object.assign(TodoTable?.Properties, { DeletionProtectionEnabled: true }),
        ),
        templates['the defaults'],
      ],
      "TodoTable can't be deleted: it is protected from that",
    ],
    [
      'makes something of another type under the same logical id',
      () => [
        templates.alarms,
        planted(templates.alarms, ({ ErrorsAlarm }) =>
          Object.assign(ErrorsAlarm ?? {}, { Type: 'AWS::CloudWatch::CompositeAlarm' }),
        ),
      ],
      'ErrorsAlarm changes its type, which was AWS::CloudWatch::Alarm',
    ],
    [
      'needs what a condition leaves out',
      () => [
        templates['a table'],
        planted(templates['a table'], ({ TodoTable }, template) => {
          Object.assign(TodoTable ?? {}, { Condition: 'Table' });
          Object.assign(template, { Conditions: { Table: { 'Fn::Not': [{ 'Fn::Equals': ['', ''] }] } } });
        }),
      ],
      'TodoTablePolicy needs TodoTable, which is not there or goes',
    ],
    [
      'needs in a circle',
      () => [
        templates['a table'],
        planted(templates['a table'], ({ TodoTable }) =>
          Object.assign(TodoTable ?? {}, { DependsOn: ['ApiLambdaFunction'] }),
        ),
      ],
      /needs TodoTable needs ApiLambdaFunction.*: a circle$/,
    ],
  ])('%s', (_name, history, fault) => {
    const faults = faultsOf(...history());
    const expected = typeof fault === 'string' ? expect.stringContaining(fault) : expect.stringMatching(fault);
    expect(faults).toContainEqual(expected);
  });
});
