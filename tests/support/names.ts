import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';

const specification = loadAwsServiceSpecSync();

/** A stage that a deployment makes by the way. */
export interface Stage {
  readonly name: string;
  /** Whether the deployment has settings for it, which API Gateway takes only where there is none yet. */
  readonly described: boolean;
}

/**
 * Finds the names that a template gives to a resource, which no other may have at the same time.
 *
 * @param type - The type, such as `AWS::DynamoDB::Table`.
 * @param properties - The properties.
 * @returns The names; none where AWS makes one up.
 */
export function namesOf(type: string, properties: Readonly<Record<string, unknown>>): string[] {
  const [schema] = specification.lookup('resource', 'cloudFormationType', 'equals', type);
  const identifiers = [schema?.primaryIdentifier, UNIQUE[type]].filter((identifier) => identifier !== undefined);
  return identifiers
    .filter((identifier) => identifier.every((name) => properties[name] !== undefined))
    .map((identifier) =>
      nameOf(
        type,
        identifier.map((name) => properties[name]),
      ),
    );
}

/**
 * Finds the stage that a deployment makes.
 *
 * @param type - The type of the resource.
 * @param properties - Its properties.
 * @returns The stage; undefined where it makes none.
 */
export function stageOf(type: string, properties: Readonly<Record<string, unknown>>): Stage | undefined {
  const { RestApiId, StageName, StageDescription } = properties;
  if (type !== 'AWS::ApiGateway::Deployment' || StageName === undefined) return undefined;
  return { name: nameOf('AWS::ApiGateway::Stage', [RestApiId, StageName]), described: StageDescription !== undefined };
}

/** What must be unique although AWS identifies it by something that it makes up. */
const UNIQUE: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::GatewayResponse': ['RestApiId', 'ResponseType'],
  'AWS::ApiGateway::Resource': ['RestApiId', 'ParentId', 'PathPart'],
  // A second one of the same name takes the place of the first, and is deleted with it.
  'AWS::IAM::Policy': ['Roles', 'PolicyName'],
};

function nameOf(type: string, values: readonly unknown[]): string {
  return `${type} ${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')}`;
}
