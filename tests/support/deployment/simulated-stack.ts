import { type Made, namesOf } from './resource-names.js';
import { type Resource, references, schemaOf, type Template } from './template-schema.js';

/** What there is of a stack, and what it left behind. */
export interface Stack {
  readonly resources: ReadonlyMap<string, Existing>;
  /** The names that are taken, and by what; in all stacks of the account. */
  readonly taken: ReadonlyMap<string, string>;
  /** How often it was deployed. */
  readonly age: number;
}

/** A resource that exists: another one each time it is made, even under the same logical id. */
interface Existing extends Made {
  readonly names: readonly string[];
}

/** No stack yet. */
export const NOTHING: Stack = { resources: new Map(), taken: new Map(), age: 0 };

/**
 * Deploys a template as CloudFormation would: first all that is new, changed or replaced, what is needed before what needs
 * it, and then it deletes what is not in the template any more and what was replaced.
 *
 * @param stack - The stack as it stands.
 * @param template - The template.
 * @param adopting - Whether a resource that an earlier stack left behind is taken over (`--import-existing-resources`).
 * @returns The stack as it would then be, and why it would not, what would be lost, and what would be in the way if the
 *   update failed before its end; no faults where all goes well either way.
 */
export function deploy(
  stack: Stack,
  template: Template,
  adopting = false,
): { readonly stack: Stack; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const resources = new Map<string, Existing>();
  const taken = new Map(stack.taken);
  const order = creationOrder(template, faults);
  const replaced: Existing[] = [];

  for (const id of order) {
    const resource = template.Resources[id] as Resource;
    const old = stack.resources.get(id);
    if (old && old.resource.Type !== resource.Type)
      faults.push(`${id} changes its type, which was ${old.resource.Type}`);
    const properties = withIdentities(resource.Properties ?? {}, resources, stack.age);
    const reasons = old ? replacing(old, properties) : [];
    const kept = old && reasons.length === 0;
    const made = { id, resource, properties, identity: kept ? old.identity : `${id}#${stack.age}` };
    const names = namesOf(made);
    for (const { name, fault } of names) {
      if (kept && old.names.includes(name)) continue;
      const holder = taken.get(name);
      if (holder && !(adopting && holder === LEFT && retains(resource.DeletionPolicy)))
        faults.push(clash(id, name, holder, reasons, fault));
      taken.set(name, id);
    }
    resources.set(id, { ...made, names: names.map(({ name }) => name) });
    if (old && !kept) replaced.push(old);
    if (!kept && id !== order.at(-1)) faults.push(...rollbackFaults(made));
  }

  for (const old of replaced)
    faults.push(
      ...cleanUp(old, taken, resources, [
        old.resource.UpdateReplacePolicy,
        template.Resources[old.id]?.UpdateReplacePolicy,
      ]),
    );
  for (const old of stack.resources.values())
    if (!resources.has(old.id)) faults.push(...cleanUp(old, taken, resources, [old.resource.DeletionPolicy]));
  return { stack: { resources, taken, age: stack.age + 1 }, faults };
}

const LEFT = 'an earlier deployment, which left it behind';

/** Each after those that it depends on. */
function creationOrder({ Resources }: Template, faults: string[]): readonly string[] {
  const order = new Set<string>();
  const visit = (id: string, path: readonly string[]) => {
    if (path.includes(id)) faults.push(`${[...path, id].join(' needs ')}: a circle`);
    if (order.has(id) || path.includes(id)) return;
    const { Properties, DependsOn = [] } = Resources[id] as Resource;
    for (const needed of new Set([...references(Properties), ...DependsOn])) {
      if (needed in Resources) visit(needed, [...path, id]);
      else faults.push(`${id} needs ${needed}, which is not there or goes`);
    }
    order.add(id);
  };
  for (const id of Object.keys(Resources)) visit(id, []);
  return [...order];
}

/** What refers to a resource changes when another one takes its place. */
function withIdentities(properties: object, resources: ReadonlyMap<string, Existing>, age: number): Made['properties'] {
  const text = references(properties).reduce((json, id) => {
    const identity = resources.get(id)?.identity ?? `${id}#${age}`;
    return json
      .replaceAll(`"Ref":"${id}"`, `"Ref":"${identity}"`)
      .replaceAll(`"Fn::GetAtt":["${id}"`, `"Fn::GetAtt":["${identity}"`)
      .replaceAll(new RegExp(`\\$\\{${id}(?=[.}])`, 'g'), `\${${identity}`);
  }, JSON.stringify(properties));
  return JSON.parse(text);
}

/** The changed properties that CloudFormation can't change in place; "maybe" counts. */
function replacing(old: Existing, properties: Made['properties']): string[] {
  const schema = schemaOf(old.resource.Type);
  const fixed = Object.entries(schema?.properties ?? {}).filter(
    ([, { causesReplacement: causes = 'no' }]) => causes !== 'no',
  );
  const paths = [...fixed.map(([name]) => [name]), ...(schema?.additionalReplacementProperties ?? [])];
  const at = (whole: object, path: readonly string[]) =>
    JSON.stringify(path.reduce<unknown>((value, name) => Object(value)[name], whole));
  return paths.filter((path) => at(old.properties, path) !== at(properties, path)).map((path) => path.join('.'));
}

function clash(id: string, name: string, holder: string, reasons: readonly string[], fault: string | undefined) {
  if (fault) return `${id}: ${fault}`;
  const why = reasons.length > 0 ? `, and must be made anew, for what changes is ${reasons.join(' and ')}` : '';
  return `${id} can't be made: there is ${name} already, of ${holder === id ? 'its old self' : holder}${why}`;
}

/** A failed update deletes what it has made, unless that is to be retained. */
function rollbackFaults({ id, resource, properties }: Made): string[] {
  if (resource.DeletionPolicy === 'Retain')
    return [`${id} stays when the update fails after it, and is then in the way of the next try`];
  return properties.DeletionProtectionEnabled
    ? [`${id} can't be deleted when the update fails after it: it is protected from that`]
    : [];
}

function cleanUp(
  { id, names, resource, properties }: Existing,
  taken: Map<string, string>,
  resources: ReadonlyMap<string, Existing>,
  policies: readonly (string | undefined)[],
): string[] {
  // AWS does not say which policy of a replaced resource counts, its old one or its new one.
  const left = policies.every(retains);
  for (const name of names) {
    if (left) taken.set(name, LEFT);
    else if (taken.get(name) === id && !resources.get(id)?.names.includes(name)) taken.delete(name);
  }
  if (left) return [];
  const meant = resource.Type === 'AWS::Logs::LogGroup' && policies.every((policy) => policy === 'Delete');
  return [
    ...(schemaOf(resource.Type)?.isStateful && !meant
      ? [`${id} is deleted, with what it keeps: say Retain first`]
      : []),
    ...(properties.DeletionProtectionEnabled ? [`${id} can't be deleted: it is protected from that`] : []),
  ];
}

function retains(policy: string | undefined): boolean {
  return policy === 'Retain' || policy === 'RetainExceptOnCreate';
}
