import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { namesOf, type Stage, stageOf } from './names.js';
import { type Resolved, references, resolveTemplate } from './resolved.js';
import type { Template } from './schema.js';

const specification = loadAwsServiceSpecSync();

/** What there is of a stack, and what it left behind. */
export interface Stack {
  readonly resources: ReadonlyMap<string, Made>;
  /** The names that are taken, and by what. */
  readonly taken: ReadonlyMap<string, string>;
  /** How often it was deployed. */
  readonly age: number;
}

/** A resource that exists: another one each time it is made, even under the same logical id. */
interface Made extends Resolved {
  readonly identity: string;
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
 * @returns The stack as it would then be, and why it would not; no faults where CloudFormation would succeed.
 */
export function deploy(
  stack: Stack,
  template: Template,
): { readonly stack: Stack; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const wanted = resolveTemplate(template);
  const resources = new Map<string, Made>();
  const taken = new Map(stack.taken);
  const going: Going[] = [];

  for (const id of inOrder(wanted, faults)) {
    const resource = wanted.get(id) as Resolved;
    const properties = withIdentities(resource.properties, resources, stack.age);
    const old = stack.resources.get(id);
    if (old && old.type !== resource.type) faults.push(`${id} changes its type, which was ${old.type}`);
    const reasons = old ? replacing(old, properties) : [];
    if (old && reasons.length === 0) {
      resources.set(id, { ...old, ...resource, properties });
      continue;
    }
    const names = namesOf(resource.type, properties);
    for (const name of names) faults.push(...clash(id, name, taken.get(name), reasons));
    for (const name of names) taken.set(name, id);
    faults.push(...stageFaults(id, stageOf(resource.type, properties), taken));
    resources.set(id, { ...resource, properties, names, identity: identityOf(id, stack.age) });
    if (old) going.push([id, old, old.replacement, resource.replacement]);
  }

  for (const [id, old] of stack.resources) if (!wanted.has(id)) going.push([id, old, old.deletion]);
  for (const gone of going) faults.push(...cleanUp(gone, resources, taken));
  return { stack: { resources, taken, age: stack.age + 1 }, faults };
}

/** A resource that goes, with the policies that decide whether it does; all must agree where there are two. */
type Going = readonly [id: string, old: Made, ...policies: (string | undefined)[]];

function cleanUp([id, old, ...policies]: Going, resources: ReadonlyMap<string, Made>, taken: Map<string, string>) {
  const kept = policies.every((policy) => policy === 'Retain');
  for (const name of old.names) {
    if (kept) taken.set(name, LEFT);
    else if (taken.get(name) === id && !resources.get(id)?.names.includes(name)) taken.delete(name);
  }
  return kept ? [] : lossFaults(id, old, policies);
}

const LEFT = 'an earlier deployment, which left it behind';

/** Needed before needing. */
function inOrder(wanted: ReadonlyMap<string, Resolved>, faults: string[]): Iterable<string> {
  const order = new Set<string>();
  const visit = (id: string, path: readonly string[]) => {
    if (path.includes(id)) faults.push(`${[...path, id].join(' needs ')}: a circle`);
    if (order.has(id) || path.includes(id)) return;
    for (const needed of wanted.get(id)?.needs ?? []) {
      if (wanted.has(needed)) visit(needed, [...path, id]);
      else faults.push(`${id} needs ${needed}, which is not there or goes`);
    }
    order.add(id);
  };
  for (const id of wanted.keys()) visit(id, []);
  return order;
}

/** What refers to a resource changes when another one takes its place. */
function withIdentities(
  properties: object,
  resources: ReadonlyMap<string, Made>,
  age: number,
): Record<string, unknown> {
  const ids = new Set(references(properties));
  const text = [...ids].reduce((json, id) => {
    const identity = resources.get(id)?.identity ?? identityOf(id, age);
    return json
      .replaceAll(`"Ref":"${id}"`, `"Ref":"${identity}"`)
      .replaceAll(`"Fn::GetAtt":["${id}"`, `"Fn::GetAtt":["${identity}"`)
      .replaceAll(`\${${id}`, `\${${identity}`);
  }, JSON.stringify(properties));
  return JSON.parse(text);
}

function identityOf(id: string, age: number): string {
  return `${id}#${age}`;
}

/** The changed properties that CloudFormation can't change in place; "maybe" counts. */
function replacing(old: Made, properties: Readonly<Record<string, unknown>>): string[] {
  const [schema] = specification.lookup('resource', 'cloudFormationType', 'equals', old.type);
  const fixed = Object.entries(schema?.properties ?? {}).filter(
    ([, { causesReplacement: causes = 'no' }]) => causes !== 'no',
  );
  const paths = [...fixed.map(([name]) => [name]), ...(schema?.additionalReplacementProperties ?? [])];
  const at = (whole: object, path: readonly string[]) =>
    JSON.stringify(path.reduce<unknown>((value, name) => Object(value)[name], whole));
  return paths.filter((path) => at(old.properties, path) !== at(properties, path)).map((path) => path.join('.'));
}

function clash(id: string, name: string, holder: string | undefined, reasons: readonly string[]): string[] {
  if (holder === undefined) return [];
  const why = reasons.length > 0 ? `, and must be made anew, for what changes is ${reasons.join(' and ')}` : '';
  return [`${id} can't be made: there is ${name} already, of ${holder === id ? 'its old self' : holder}${why}`];
}

/** The stage that a deployment makes by the way belongs to no resource, and stays. */
function stageFaults(id: string, stage: Stage | undefined, taken: Map<string, string>): string[] {
  if (!stage) return [];
  const exists = taken.has(stage.name);
  if (!exists) taken.set(stage.name, `${id}, which made it by the way`);
  if (!exists || !stage.described) return [];
  return [`${id}: StageDescription cannot be specified when stage referenced by StageName already exists`];
}

/** What keeps something may go only where the template says so. */
function lossFaults(id: string, { type, properties }: Made, policies: readonly (string | undefined)[]): string[] {
  const [schema] = specification.lookup('resource', 'cloudFormationType', 'equals', type);
  const meant = policies.every((policy) => policy === 'Delete' || policy === 'Retain');
  return [
    ...(schema?.isStateful && !meant
      ? [`${id} is deleted, with what it keeps, and the template does not say Delete`]
      : []),
    ...(properties.DeletionProtectionEnabled ? [`${id} can't be deleted: it is protected from that`] : []),
  ];
}
