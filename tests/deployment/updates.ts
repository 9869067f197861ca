import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { normalized, type Resource, type Template } from '../../serverless/changes/deployed-stack.js';
import { typeOf } from './resource-types.js';

/** Changes a copy of a template: values by their paths below `Resources`, such as `ApiRole.Type`; undefined deletes one. */
export function changed(template: Template, changes: object): Template {
  const clone = (json: unknown) => JSON.parse(JSON.stringify(json));
  const copy: Template = clone(template);
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() as string;
    const parent = names.reduce<Record<string, unknown>>((whole, name) => {
      whole[name] ??= {};
      return whole[name] as Record<string, unknown>;
    }, copy.Resources);
    if (value === undefined) delete parent[last];
    else parent[last] = clone(value);
  }
  return copy;
}

/**
 * Finds what an update from one template to another breaks or loses. CloudFormation first makes what is new or replaced, and
 * then deletes what is gone. So an update fails if a new resource needs a name that an old one still has.
 *
 * @param from - The template that is deployed.
 * @param to - The next template.
 * @returns Why the update fails, and what it loses; empty if it succeeds and loses nothing.
 * @throws Error naming a type of resource of which nothing is known.
 */
export function updateFaults(from: Template, to: Template): string[] {
  const [before, after] = [normalized(from), normalized(to)];
  const faults: string[] = [];
  fullDiff(before, after).resources.forEachDifference((id, { changeImpact }) => {
    const [old, next] = [before.Resources[id], after.Resources[id]];
    if (old && next && old.Type !== next.Type) faults.push(`${id} changes its type, which was ${old.Type}`);
    // An address can only be replaced. Nothing is lost with it, and nothing else refers to it.
    else if (/REPLACE/.test(changeImpact) && id !== 'AlarmSubscription')
      faults.push(
        `${id} is replaced${next?.Type === 'AWS::Lambda::Url' ? ', and with it the address that callers have' : ''}`,
      );
    if (changeImpact === ResourceImpact.WILL_DESTROY && old && typeOf(old).keepsData && !old.DeletionPolicy)
      faults.push(`${id} is deleted, with what it keeps: say whether it should be`);
  });
  const holders = new Map(
    Object.entries(before.Resources).flatMap(([id, old]) => namesOf(old).map((name) => [name, id])),
  );
  for (const [id, next] of Object.entries(after.Resources)) {
    for (const name of namesOf(next)) {
      const holder = holders.get(name) ?? id;
      if (holder !== id) faults.push(`${id} can't be made: ${holder} has ${name}`);
    }
  }
  return faults;
}

function namesOf(resource: Resource): string[] {
  const { names } = typeOf(resource);
  const values = names.map((property) => resource.Properties?.[property]);
  const isNamed = values.length > 0 && !values.includes(undefined);
  return isNamed ? [`${resource.Type} ${JSON.stringify(values)}`] : [];
}
