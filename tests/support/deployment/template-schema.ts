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
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own, which the checks find out about.
  Properties: any;
  DependsOn?: string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

/** Finds what AWS says of a type of resource; undefined where there is no such type. */
export function schemaOf(type: string) {
  return specification.lookup('resource', 'cloudFormationType', 'equals', type)[0];
}

/**
 * Checks a template against AWS's own resource schemas, and its references against what it has.
 *
 * @param template - The template.
 * @returns What is wrong, and where; empty when nothing is.
 */
export function schemaFaults(template: Template): string[] {
  const resources = Object.entries(template.Resources).flatMap(([name, { Type, Properties }]) => {
    const schema = schemaOf(Type);
    return schema ? membersFaults(Properties ?? {}, schema.properties, name) : [`${name}: AWS has no ${Type}`];
  });
  // The modules of the deployment leave out what was not asked for. A condition would hide it from the checks.
  const conditions = 'Conditions' in template ? ['the template has conditions, which the checks do not decide'] : [];
  return [...conditions, ...resources, ...referenceFaults(template, template, 'template')];
}

/**
 * Finds what a value refers to.
 *
 * @param value - A value of a template.
 * @returns Logical ids, each once; pseudo parameters such as `AWS::Region` are left out.
 */
export function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const all = [...namesReferred(value), ...Object.values(value).flatMap(references)];
  return [...new Set(all)].filter((id) => !id.startsWith('AWS::'));
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
  if (intrinsicOf(value)[0]) return [];
  if (type.type === 'json') return [];
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
  if (type.type === 'ref' && typeof value === 'object' && value) {
    return membersFaults(value, specification.get('typeDefinition', type.reference.$ref).properties, at);
  }
  if (type.type === 'tag' && typeof value === 'object' && value && 'Key' in value && 'Value' in value) return [];
  if (type.type === 'integer' && Number.isInteger(Number(value))) return [];
  return type.type === typeof value ? [] : [`${at}: ${JSON.stringify(value)} is no ${type.type}`];
}

function intrinsicOf(value: unknown): [name?: string, argument?: unknown] {
  const [first, ...more] = typeof value === 'object' ? Object.entries(value ?? {}) : [];
  return first && more.length === 0 && /^(Ref|Fn::\w+)$/.test(first[0]) ? first : [];
}

function referenceFaults(value: unknown, template: Template, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = [...namesReferred(value), ...('DependsOn' in value ? [value.DependsOn].flat().map(String) : [])];
  const dead = names.filter((name) => !name.startsWith('AWS::') && !(name in template.Resources));
  const deeper = Object.entries(value).flatMap(([key, member]) => referenceFaults(member, template, `${at}.${key}`));
  return [...dead.map((name) => `${at}: refers to ${name}, which is not there`), ...deeper];
}

/** The names in the text of a substitution count, too. */
function namesReferred(value: object): string[] {
  const [intrinsic, argument] = intrinsicOf(value);
  if (intrinsic === 'Ref') return [String(argument)];
  if (intrinsic === 'Fn::GetAtt') return [String(argument).split(/[.,]/)[0] as string];
  if (intrinsic !== 'Fn::Sub') return [];
  return Array.from(String(argument).matchAll(/\$\{([\w:]+)/g), ([, name]) => name as string);
}
