import { readFileSync } from 'node:fs';
import { name, title } from '../../package.json';
import { COLLECTION } from '../support/service/documented.js';

/** A CloudFormation template, as far as the tests look into it. */
export interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs: Record<string, { readonly Value: unknown }>;
}

/** One resource of a template. */
export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own.
  Properties: any;
  DependsOn?: string | string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

/** Replaces in a template what is new at each packaging: the name of the API's deployment, and that of the upload. */
export function normalized(template: Template): Template {
  const deployment = idsOf(template, 'AWS::ApiGateway::Deployment')[0] ?? 'none';
  const text = JSON.stringify(template).replaceAll(deployment, 'ApiGatewayDeployment');
  return JSON.parse(text.replaceAll(/\d{13}-[^/"]*Z/g, 'TIME'));
}

/**
 * Reads a template of the release before: the stage `live` with an access log and alarms, and the names that the service has now.
 * A release puts its own there. The one before had REST APIs only, so those of other front doors are of this one, with a table.
 */
export function previous(file: 'memory' | 'table' | 'http' | 'url'): Template {
  const text = readFileSync(`tests/deployment/previous/${file}.json`, 'utf8');
  const renamed = text.replaceAll('todo-item-service', name).replaceAll('To-do Item Service', title);
  return JSON.parse(renamed.replaceAll('/api/todo', COLLECTION));
}

/** Finds the logical ids of the resources of a type. */
export function idsOf({ Resources }: Template, type: string): string[] {
  return Object.keys(Resources).filter((id) => Resources[id]?.Type === type);
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
