import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { load, type Schema } from 'js-yaml';
import { copyProject, type Deployment, packageService } from './deployment.js';

const schema: Schema = createRequire(resolve('serverless.yml'))(
  'serverless/lib/utils/serverless-utils/cloudformation-schema',
);

/** Parses YAML as Serverless Framework does: with the short forms of CloudFormation's functions, such as `!Ref`. */
export function parseYaml(text: string): unknown {
  return load(text, { schema });
}

/**
 * Finds the lines of configuration that a guide shows.
 *
 * @param guide - The guide's file.
 * @param heading - The heading that they stand under.
 * @returns Each block of YAML as it stands there.
 * @throws Error where there is no such heading.
 */
export function recipesIn(guide: string, heading: string): string[] {
  const [, section] = readFileSync(guide, 'utf8').split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`${guide} has no heading "${heading}"`);
  const [text = ''] = section.split('\n## ');
  return Array.from(text.matchAll(/^```yaml\n(.*?)^```/gms), ([, snippet]) => snippet as string);
}

/**
 * Packages a copy of the service whose serverless.yml was changed as a guide says.
 *
 * @param folder - A new folder, for the copy and its package.
 * @param recipe - Lines that replace those of the same names; null deletes one.
 * @param without - A part of `resources` to delete, by some of its text.
 * @param options - Options of the command.
 * @returns What would be deployed.
 * @throws Error where the recipe deletes what is not there, or the copy can't be packaged.
 */
export function packageRecipe(
  folder: string,
  recipe: string,
  without?: string,
  options: readonly string[] = [],
): Deployment {
  const project = copyProject(join(folder, 'project'));
  const file = join(project, 'serverless.yml');
  const config = parseYaml(readFileSync(file, 'utf8')) as { resources: unknown[] };
  const resources = config.resources.filter((part) => without === undefined || !String(part).includes(without));
  if (without && resources.length === config.resources.length) throw new Error(`resources has no ${without}`);
  const changed = merge({ ...config, resources }, parseYaml(recipe));
  rmSync(file);
  writeFileSync(join(project, 'serverless.json'), JSON.stringify(changed));
  return packageService(folder, options, project);
}

/** A JSON merge patch (RFC 7396). */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged = new Map(Object.entries(target ?? {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null) merged.set(name, merge(merged.get(name), value));
    else if (!merged.delete(name)) throw new Error(`the recipe deletes ${name}, which serverless.yml does not have`);
  }
  return Object.fromEntries(merged);
}
