import { readFileSync } from 'node:fs';
import { name } from '../../package.json';
import type { Resource } from '../../serverless/changes/deployed-stack.js';
import { parseYaml } from '../../serverless/local/parse-yaml.js';

import { PIPELINE } from './stages.js';

/** The values of the keys that conditions compare. */
export type Context = Readonly<Record<string, string | readonly string[]>>;

/** What somebody does, on an ARN. */
export type Right = readonly [action: string, resource: string, context?: Context | undefined];

/** A statement of a policy. */
export interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** What CloudFormation makes of serverless/pipeline.yml: its functions are evaluated, and resources left out whose condition fails. */
export interface Pipeline {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: string }>>;
}

interface Source {
  readonly Parameters: Readonly<Record<string, { readonly Type: string; readonly Default?: string }>>;
  readonly Conditions: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, Resource & { readonly Condition?: string }>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

const source = parseYaml(readFileSync('serverless/pipeline.yml', 'utf8')) as Source;

/** What a person says of the stage `live`, which has all that a stage can have. */
export const LIVE = {
  Service: name,
  Stage: 'live',
  Repository: 'OWNER/REPOSITORY',
  Table: 'items-live',
  Domains: 'api.example.com',
  HostedZone: 'Z0123456789ABCDEFGHIJ',
  FunctionUrl: 'true',
};

/** Evaluates the template. The parameters that are not given have their defaults. */
export function makePipeline(given: Readonly<Record<string, string>> = LIVE): Pipeline {
  const parameters = Object.entries(source.Parameters).map(([key, { Type, Default }]) => {
    const value = given[key] ?? Default;
    if (value === undefined) throw new Error(`The parameter ${key} is missing.`);
    return [key, Type === 'CommaDelimitedList' ? value.split(',') : value] as const;
  });
  const known = new Map<string, unknown>([
    ...parameters,
    ['AWS::Partition', 'aws'],
    ['AWS::Region', 'eu-central-1'],
    ['AWS::AccountId', '123456789012'],
    ['AWS::NoValue', undefined],
    ['Bucket', PIPELINE.deploymentBucket],
    ['Bucket.Arn', `arn:aws:s3:::${PIPELINE.deploymentBucket}`],
  ]);
  const lookUp = (key: string): unknown => {
    const [id = '', attribute] = key.split('.');
    const { RoleName } = source.Resources[id]?.Properties ?? {};
    if (RoleName && attribute === 'Arn') return `arn:aws:iam::123456789012:role/${evaluated(RoleName)}`;
    if (!known.has(key)) throw new Error(`${key} is unknown.`);
    return known.get(key);
  };
  const functions: Readonly<Record<string, (argument: never) => unknown>> = {
    Ref: lookUp,
    'Fn::GetAtt': (path: string | string[]) => lookUp([path].flat().join('.')),
    'Fn::Sub': (argument: string | [string, Record<string, string>]) => {
      const [text, own] = typeof argument === 'string' ? [argument, {}] : argument;
      return text.replaceAll(/\$\{([\w:.]+)\}/g, (_, key) => String((own as Context)[key] ?? lookUp(key)));
    },
    'Fn::Join': ([separator, parts]: [string, string[]]) => parts.join(separator),
    'Fn::Split': ([separator, text]: [string, string]) => text.split(separator),
    'Fn::Equals': ([one, other]: [string, string]) => one === other,
    'Fn::Not': ([condition]: [boolean]) => !condition,
    'Fn::And': (conditions: boolean[]) => conditions.every(Boolean),
    'Fn::If': ([condition, yes, no]: [string, unknown, unknown]) => (holds(condition) ? yes : no),
    Condition: (condition: string | object) => (typeof condition === 'string' ? holds(condition) : undefined),
  };
  const holds = (condition: string) => evaluated(source.Conditions[condition]) === true;
  const evaluated = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(evaluated).filter((one) => one !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [[key, argument] = ['', undefined]] = entries;
    const isFunction = entries.length === 1 && (key !== 'Condition' || typeof argument === 'string');
    if (isFunction && functions[key]) return functions[key](evaluated(argument) as never);
    return Object.fromEntries(
      entries.map(([name, one]) => [name, evaluated(one)]).filter(([, one]) => one !== undefined),
    );
  };
  const made = Object.entries(source.Resources).filter(([, { Condition }]) => !Condition || holds(Condition));
  return {
    Resources: Object.fromEntries(made.map(([id, { Condition: _, ...resource }]) => [id, evaluated(resource)])),
    Outputs: evaluated(source.Outputs),
  } as Pipeline;
}

/** The statements of the policies of a role. */
export function policyOf({ Resources }: Pipeline, role: string): Statement[] {
  const policies: { PolicyDocument: { Statement: Statement[] } }[] = Resources[role]?.Properties.Policies ?? [];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

type Operator = (has: readonly string[] | undefined, values: readonly string[]) => boolean;

const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: (has, values) => has?.every((one) => values.includes(one)) ?? false,
  StringEqualsIfExists: (has, values) => has === undefined || has.every((one) => values.includes(one)),
  'ForAllValues:StringEquals': (has = [], values) => has.every((one) => values.includes(one)),
  'ForAllValues:StringLike': (has = [], values) => has.every((one) => values.some((value) => isLike(value, one))),
  Null: (has, [isNull]) => String(has === undefined) === isNull,
  Bool: (has, [value]) => has?.[0] === value,
};

/**
 * Decides as IAM does whether the statements allow an action on a resource.
 *
 * @throws Error if a condition has an operator of which nothing is known.
 */
export function allows(statements: readonly Statement[], [action, resource, context = {}]: Right): boolean {
  const all: Context = { 'aws:RequestedRegion': 'eu-central-1', ...context };
  const matches = (patterns: string | readonly string[], value: string) =>
    [patterns].flat().some((pattern) => isLike(String(pattern), value));
  const fitting = statements.filter(
    ({ Action, Resource = '*', Condition = {} }) =>
      matches(Action, action) &&
      matches(Resource, resource) &&
      Object.entries(Condition).every(([operator, keys]) =>
        Object.entries(keys).every(([key, values]) => {
          const holds = OPERATORS[operator];
          if (!holds) throw new Error(`The operator ${operator} is unknown.`);
          const has = all[key];
          return holds(has === undefined ? undefined : [has].flat(), [values].flat());
        }),
      ),
  );
  return fitting.length > 0 && fitting.every(({ Effect }) => Effect === 'Allow');
}

/** The actions that no right needs, each behind the name of its statement. */
export function unused(statements: readonly Statement[], rights: readonly Right[]): string[] {
  return statements.flatMap((statement) =>
    [statement.Action]
      .flat()
      .filter((Action) => !rights.some((right) => allows([{ ...statement, Action }], right)))
      .map((action) => `${statement.Sid}: ${action}`),
  );
}

/** Whether a value fits a pattern with `*`, which is any text. */
function isLike(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.?+^$()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value);
}
