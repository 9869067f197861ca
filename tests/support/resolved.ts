import type { Template } from './schema.js';

/** A resource as CloudFormation sees it once the conditions are decided. */
export interface Resolved {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The logical ids of what must be there first: by `Ref`, `Fn::GetAtt`, `Fn::Sub` or `DependsOn`. */
  readonly needs: readonly string[];
  /** What becomes of it when it leaves the template, and when another takes its place; undefined where not said. */
  readonly deletion: string | undefined;
  readonly replacement: string | undefined;
}

/**
 * Decides the conditions of a template: what is not to be made is left out, with the branches and values that are not.
 *
 * @param template - The template.
 * @returns Its resources by logical id.
 */
export function resolveTemplate(template: Template): ReadonlyMap<string, Resolved> {
  const made = Object.entries(template.Resources).filter(
    ([, { Condition }]) => !Condition || decide(Condition, template),
  );
  return new Map(
    made.map(([id, resource]) => {
      const properties = (resolve(resource.Properties ?? {}, template) ?? {}) as Record<string, unknown>;
      return [
        id,
        {
          type: resource.Type,
          properties,
          needs: [...new Set([...references(properties), ...(resource.DependsOn ?? [])])],
          deletion: resource.DeletionPolicy,
          replacement: resource.UpdateReplacePolicy,
        },
      ];
    }),
  );
}

/**
 * Finds what a value refers to.
 *
 * @param value - A value of a template.
 * @returns Logical ids; pseudo parameters such as `AWS::Region` are left out.
 */
export function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = value as Record<string, unknown>;
  const own = [
    ...(typeof Ref === 'string' ? [Ref] : []),
    ...(attribute ? [String(attribute).split(/[.,]/)[0] as string] : []),
    ...(text ? Array.from(String(text).matchAll(/\$\{([\w:]+)/g), ([, name]) => name as string) : []),
  ];
  return [...own.filter((id) => !id.startsWith('AWS::')), ...Object.values(value).flatMap(references)];
}

function decide(name: string, template: Template): boolean {
  const condition = template.Conditions?.[name];
  if (condition === undefined) throw new Error(`there is no condition ${name}`);
  return isTrue(condition, template);
}

function isTrue(condition: object, template: Template): boolean {
  const [[operator, operands]] = Object.entries(condition) as [[string, never]];
  const each = (operand: object) => isTrue(operand, template);
  if (operator === 'Condition') return decide(operands, template);
  if (operator === 'Fn::Not') return !each(operands[0]);
  if (operator === 'Fn::And') return (operands as object[]).every(each);
  if (operator === 'Fn::Or') return (operands as object[]).some(each);
  if (operator === 'Fn::Equals') return JSON.stringify(operands[0]) === JSON.stringify(operands[1]);
  throw new Error(`${operator} is no condition`);
}

/** Returns undefined for what is no value. */
function resolve(value: unknown, template: Template): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => resolve(each, template)).filter((each) => each !== undefined);
  const { Ref, 'Fn::If': branches } = value as Record<string, [string, unknown, unknown]>;
  if (String(Ref) === 'AWS::NoValue') return undefined;
  if (branches) return resolve(decide(branches[0], template) ? branches[1] : branches[2], template);
  const members = Object.entries(value).map(([name, member]) => [name, resolve(member, template)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
