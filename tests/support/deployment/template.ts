import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType } from '@aws-cdk/service-spec-types';

const specification = loadAwsServiceSpecSync();

/** A CloudFormation template, as far as the checks look into it. */
export interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs: object;
}

/** One resource of a template. */
export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own.
  Properties: any;
  DependsOn?: string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

/**
 * Changes a template.
 *
 * @param template - The template, which stays as it is.
 * @param changes - Values by their paths below `Resources`, such as `ApiRole.Type`; undefined deletes one.
 * @returns The changed template.
 */
export function changed(template: Template, changes: object): Template {
  const copy = structuredClone(template);
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() as string;
    const parent = names.reduce<Record<string, unknown>>((whole, name) => {
      whole[name] ??= {};
      return whole[name] as Record<string, unknown>;
    }, copy.Resources);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}

/**
 * Checks a template of the service, whatever its front door.
 *
 * @param template - The template.
 * @returns What is wrong, and what that breaks on AWS; empty if nothing is.
 */
export function templateFaults(template: Template): string[] {
  const { Resources } = template;
  const rules: readonly (readonly [(resource: Resource) => unknown, string])[] = [
    [({ Type }) => Type === 'AWS::DynamoDB::Table', 'a table in the stack of the service ends with it'],
    [
      ({ DeletionPolicy, UpdateReplacePolicy }) => /Retain/.test(`${DeletionPolicy} ${UpdateReplacePolicy}`),
      'it stays when an update fails after it, and is then in the way of the next try',
    ],
    [
      ({ Type, Properties }) => Type === 'AWS::ApiGateway::Deployment' && Properties?.StageName,
      'the deployment makes a stage that no resource has, and each update fails',
    ],
  ];
  const broken = rules.flatMap(([isBroken, otherwise]) =>
    Object.keys(Resources)
      .filter((id) => isBroken(Resources[id] as Resource))
      .map((id) => `${id}: ${otherwise}`),
  );
  return [...schemaFaults(template), ...broken, ...waitingFaults(Resources), ...circleFaults(Resources)];
}

/** CloudFormation makes resources in any order unless one needs another. */
function waitingFaults(resources: Template['Resources']): string[] {
  const rules: readonly (readonly [RegExp, RegExp, string])[] = [
    [/::Lambda::Function$/, /::IAM::Policy$/, 'the table denies requests that come before'],
    [
      /::ApiGateway::Deployment$/,
      /::ApiGateway::(Method|GatewayResponse)$/,
      'a deployment is a copy of the API as it is then',
    ],
  ];
  return rules.flatMap(([type, needed, otherwise]) => {
    const waiting = Object.values(resources).find(({ Type }) => type.test(Type));
    return Object.entries(resources)
      .filter(([id, { Type }]) => waiting && needed.test(Type) && !waiting.DependsOn?.includes(id))
      .map(([id]) => `${id} may be made after the ${waiting?.Type}: ${otherwise}`);
  });
}

function circleFaults(resources: Template['Resources']): string[] {
  const visit = (id: string, path: readonly string[]): string[] => {
    if (path.includes(id)) return [`${[...path, id].join(' needs ')}: a circle`];
    return referencesOf(resources[id]).flatMap((needed) => visit(needed, [...path, id]));
  };
  return Object.keys(resources).flatMap((id) => visit(id, []));
}

/**
 * Checks a template against AWS's own resource schemas, and its references against what it has.
 *
 * @param template - The template.
 * @returns What is wrong, and where; empty if nothing is.
 */
export function schemaFaults(template: Template): string[] {
  const faults = Object.entries(template.Resources).flatMap(([id, resource]) => {
    const schema = schemaOf(resource.Type);
    const dead = referencesOf(resource).filter((name) => !(name in template.Resources));
    return [
      ...(schema ? membersFaults(resource.Properties ?? {}, schema.properties, id) : [`AWS has no ${resource.Type}`]),
      ...dead.map((name) => `${id} refers to ${name}, which is not there`),
    ];
  });
  // serverless/ leaves out what was not asked for, so no condition is needed. The checks could not decide one.
  return 'Conditions' in template ? [...faults, 'the template has conditions, which the checks do not decide'] : faults;
}

/** Returns AWS's schema of a type of resource; undefined if there is no such type. */
export function schemaOf(type: string) {
  return specification.lookup('resource', 'cloudFormationType', 'equals', type)[0];
}

function membersFaults(value: object, properties: Readonly<Record<string, Property>>, at: string): string[] {
  const missing = Object.keys(properties).filter((name) => properties[name]?.required && !(name in value));
  const faults = Object.entries(value).flatMap(([name, member]) => {
    const property = properties[name];
    return property ? typeFaults(member, property.type, `${at}.${name}`) : [`${at}.${name}: AWS has no such property`];
  });
  return [...missing.map((name) => `${at}.${name}: is missing`), ...faults];
}

function typeFaults(value: unknown, type: PropertyType, at: string): string[] {
  if (intrinsicOf(value)[0] || type.type === 'json') return [];
  if (type.type === 'union') {
    const tries = type.types.map((candidate) => typeFaults(value, candidate, at));
    return tries.find((faults) => faults.length === 0) ?? tries.flat();
  }
  const elements = typeof value === 'object' ? Object.entries(value ?? {}) : [];
  if (type.type === 'array' || type.type === 'map') {
    if (Array.isArray(value) !== (type.type === 'array') || typeof value !== 'object')
      return [`${at}: no ${type.type}`];
    return elements.flatMap(([key, element]) => typeFaults(element, type.element, `${at}.${key}`));
  }
  if (type.type === 'ref' && typeof value === 'object' && value)
    return membersFaults(value, specification.get('typeDefinition', type.reference.$ref).properties, at);
  if (type.type === 'tag' && typeof value === 'object' && value && 'Key' in value && 'Value' in value) return [];
  if (type.type === 'integer' && Number.isInteger(Number(value))) return [];
  return type.type === typeof value ? [] : [`${at}: ${JSON.stringify(value)} is no ${type.type}`];
}

/** Returns the logical ids that a value refers to, also in substitutions, without pseudo parameters such as `AWS::Region`. */
function referencesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const [intrinsic, argument] = intrinsicOf(value);
  const named = {
    Ref: () => [String(argument)],
    'Fn::GetAtt': () => [String(argument).split(/[.,]/)[0] as string],
    'Fn::Sub': () => Array.from(String(argument).matchAll(/\$\{([\w:]+)/g), ([, name]) => name as string),
  };
  const own = named[intrinsic as keyof typeof named]?.() ?? [];
  const needed = 'DependsOn' in value ? [value.DependsOn].flat().map(String) : [];
  return [...own, ...needed, ...Object.values(value).flatMap(referencesOf)].filter((id) => !id.startsWith('AWS::'));
}

function intrinsicOf(value: unknown): [name?: string, argument?: unknown] {
  const [first, ...more] = typeof value === 'object' ? Object.entries(value ?? {}) : [];
  return first && more.length === 0 && /^(Ref|Fn::\w+)$/.test(first[0]) ? first : [];
}
