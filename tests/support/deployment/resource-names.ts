import { type Resource, schemaOf } from './template-schema.js';

/** A resource of a stack, its references followed. */
export interface Made {
  readonly id: string;
  readonly resource: Resource;
  /** Its properties, with identities in the place of logical ids. */
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own.
  readonly properties: Readonly<Record<string, any>>;
  /** The logical id, and the deployment that made it. */
  readonly identity: string;
}

/** A name that no other resource may have at the same time. */
interface Name {
  readonly name: string;
  /** What happens where another resource has it; left out where the resource then can't be made. */
  readonly fault?: string;
}

/**
 * Finds the names that a resource takes.
 *
 * @param made - The resource.
 * @returns The names; none where AWS makes one up.
 */
export function namesOf({ resource: { Type }, properties, identity }: Made): Name[] {
  const identifiers = [schemaOf(Type)?.primaryIdentifier, UNIQUE[Type]].filter(
    (identifier) => identifier !== undefined,
  );
  const own = identifiers
    .map((identifier) => identifier.map((name) => properties[name]))
    .filter((values) => values.every((value) => value !== undefined))
    .map((values) => ({ name: nameOf(Type, values), ...(Type === 'AWS::IAM::Policy' && OVERWRITTEN) }));
  const { RestApiId, StageName, StageDescription, Policies = [] } = properties;
  // The stage that a deployment makes along with itself belongs to no resource, and stays.
  if (Type === 'AWS::ApiGateway::Deployment' && StageName !== undefined)
    own.push({ name: nameOf('AWS::ApiGateway::Stage', [RestApiId, StageName]), ...(StageDescription && DESCRIBED) });
  if (Type === 'AWS::IAM::Role')
    for (const { PolicyName } of Policies)
      own.push({ name: nameOf('AWS::IAM::Policy', [[{ Ref: identity }], PolicyName]), ...OVERWRITTEN });
  return own;
}

/** What must be unique although AWS identifies it by something that it makes up. */
const UNIQUE: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::GatewayResponse': ['RestApiId', 'ResponseType'],
  'AWS::ApiGateway::Resource': ['RestApiId', 'ParentId', 'PathPart'],
  'AWS::IAM::Policy': ['Roles', 'PolicyName'],
};

const OVERWRITTEN = { fault: "its policy takes the place of another's of that name, whose clean-up then deletes it" };
const DESCRIBED = { fault: 'StageDescription cannot be specified when stage referenced by StageName already exists' };

function nameOf(type: string, values: readonly unknown[]): string {
  return `${type} ${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')}`;
}
