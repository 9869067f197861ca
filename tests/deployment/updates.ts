import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import type { Resource, Template } from './packaging.js';

/** Finds the logical ids of the resources of a type. */
export function idsOf({ Resources }: Template, type: string): string[] {
  return Object.keys(Resources).filter((id) => Resources[id]?.Type === type);
}

/** Replaces in a template what is new at each packaging: the name of the API's deployment, and that of the upload. */
export function normalized(template: Template): Template {
  const deployment = idsOf(template, 'AWS::ApiGateway::Deployment')[0] ?? 'none';
  const text = JSON.stringify(template).replaceAll(deployment, 'ApiGatewayDeployment');
  return JSON.parse(text.replaceAll(/\d{13}-[^/"]*Z/g, 'TIME'));
}

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
 */
export function updateFaults(from: Template, to: Template): string[] {
  const [before, after] = [normalized(from), normalized(to)];
  const faults: string[] = [];
  fullDiff(before, after).resources.forEachDifference((id, { changeImpact }) => {
    const [old, next] = [before.Resources[id], after.Resources[id]];
    if (old && next && old.Type !== next.Type) faults.push(`${id} changes its type, which was ${old.Type}`);
    // An address can only be replaced. Nothing is lost with it, and nothing else refers to it.
    else if (/REPLACE/.test(changeImpact) && id !== 'AlarmSubscription') faults.push(`${id} is replaced`);
    if (changeImpact === ResourceImpact.WILL_DESTROY && old && keepsData(old) && !old.DeletionPolicy)
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

function keepsData({ Type }: Resource): boolean {
  return ['AWS::DynamoDB::Table', 'AWS::Logs::LogGroup', 'AWS::S3::Bucket'].includes(Type);
}

/** The properties by which AWS tells resources of a type apart. It chooses the names of all other types. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::GatewayResponse': ['RestApiId', 'ResponseType'],
  'AWS::ApiGateway::Method': ['RestApiId', 'ResourceId', 'HttpMethod'],
  'AWS::ApiGateway::Resource': ['RestApiId', 'ParentId', 'PathPart'],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::ApiGatewayV2::Route': ['ApiId', 'RouteKey'],
  'AWS::ApiGatewayV2::Stage': ['ApiId', 'StageName'],
  'AWS::DynamoDB::Table': ['TableName'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Lambda::Url': ['TargetFunctionArn'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
};

function namesOf({ Type, Properties = {} }: Resource): string[] {
  const values = NAMES[Type]?.map((property) => Properties[property]);
  return values ? [`${Type} ${JSON.stringify(values)}`] : [];
}
