import { type Resource, schemaOf, type Template } from './template.js';

/**
 * Finds what an update from one template to another breaks or loses. CloudFormation first makes what is new or replaced, and
 * then deletes what is gone. So an update fails if a new resource needs a name that an old one still has.
 *
 * @param from - The template that is deployed.
 * @param to - The next template.
 * @returns Why the update fails, and what it loses; empty if it succeeds and loses nothing.
 */
export function updateFaults(from: Template, to: Template): string[] {
  const before = Object.entries(from.Resources);
  const holders = new Map(before.flatMap(([id, resource]) => namesOf(id, resource).map((name) => [name, id])));
  const faults: string[] = [];
  for (const [id, resource] of Object.entries(to.Resources)) {
    const old = from.Resources[id];
    if (old && old.Type !== resource.Type) faults.push(`${id} changes its type, which was ${old.Type}`);
    const isReplaced = old !== undefined && changesFixed(old, resource);
    for (const name of namesOf(id, resource)) {
      const holder = holders.get(name);
      if (holder && (holder !== id || isReplaced)) faults.push(`${id} can't be made: ${holder} has ${name}`);
      holders.set(name, id);
    }
    if (old && isReplaced) faults.push(...lossFaults(id, old, old.UpdateReplacePolicy));
  }
  const gone = before.filter(([id]) => !(id in to.Resources));
  return [...faults, ...gone.flatMap(([id, resource]) => lossFaults(id, resource, resource.DeletionPolicy))];
}

/** Properties that must be unique although AWS identifies the resource by an id of its own. */
const UNIQUE: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::GatewayResponse': ['RestApiId', 'ResponseType'],
  'AWS::ApiGateway::Resource': ['RestApiId', 'ParentId', 'PathPart'],
  'AWS::IAM::Policy': ['Roles', 'PolicyName'],
};

/** Returns the names that a resource takes; none if AWS chooses one. */
function namesOf(id: string, { Type, Properties = {} }: Resource): string[] {
  const identifiers = [schemaOf(Type)?.primaryIdentifier ?? [], UNIQUE[Type] ?? []];
  const own = identifiers
    .map((identifier) => identifier.map((property) => Properties[property]))
    .filter((values) => values.length > 0 && values.every((value) => value !== undefined))
    .map((values) => `${Type} ${JSON.stringify(values)}`);
  // A policy in a role replaces a separate one with its name, and is deleted when that one is.
  const policies: readonly { PolicyName: string }[] = (Type === 'AWS::IAM::Role' && Properties.Policies) || [];
  return [
    ...own,
    ...policies.map(({ PolicyName }) => `AWS::IAM::Policy ${JSON.stringify([[{ Ref: id }], PolicyName])}`),
  ];
}

/** Whether a property changes that CloudFormation can't change in place; "maybe" counts. */
function changesFixed(old: Resource, resource: Resource): boolean {
  const { properties = {}, additionalReplacementProperties = [] } = schemaOf(resource.Type) ?? {};
  const fixed = Object.keys(properties).filter((name) => (properties[name]?.causesReplacement ?? 'no') !== 'no');
  const at = ({ Properties }: Resource, path: readonly string[]) =>
    JSON.stringify(path.reduce((value, name) => Object(value)[name], Properties));
  const paths = [...fixed.map((name) => [name]), ...additionalReplacementProperties];
  return paths.some((path) => at(old, path) !== at(resource, path));
}

function lossFaults(id: string, { Type }: Resource, policy: string | undefined): string[] {
  return schemaOf(Type)?.isStateful && !policy
    ? [`${id} is deleted, with what it keeps: say whether it should be`]
    : [];
}
