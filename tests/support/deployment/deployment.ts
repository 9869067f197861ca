import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import AdmZip from 'adm-zip';
import { load, type Schema } from 'js-yaml';
import type { Template } from './template.js';

/** What Serverless Framework would deploy. */
export interface Deployment {
  readonly template: Template;
  /** The folder with the unzipped package. */
  readonly folder: string;
}

/**
 * Packages the service, with what was built last.
 *
 * @param folder - A folder, for the package and what is in it.
 * @param options - Options of the command, such as `--param=logLevel=warn`.
 * @param project - The project's folder; by default a copy in the folder.
 * @returns What would be deployed.
 * @throws Error with what was printed if it can't be packaged.
 */
export async function packageService(
  folder: string,
  options: readonly string[] = [],
  project = copyForPackaging(join(folder, 'project')),
): Promise<Deployment> {
  await runServerless(['package', ...options], project);
  new AdmZip(join(project, '.serverless/todo-item-service.zip')).extractAllTo(folder);
  return { template: readTemplate(project), folder };
}

/** Reads the template that was packaged last in a project's folder. */
export function readTemplate(project: string): Template {
  return JSON.parse(readFileSync(join(project, '.serverless/cloudformation-template-update-stack.json'), 'utf8'));
}

/**
 * Copies what packaging needs, because two packagings in one folder would overwrite each other's files.
 *
 * @param project - The new folder.
 * @returns The same.
 */
export function copyForPackaging(project: string): string {
  for (const name of ['dist', 'docs/swagger.json', 'shared', 'serverless', 'serverless.yml'])
    cpSync(name, join(project, name), { recursive: true });
  // What is packaged is the build that the tests use, so the project's own plugin does not build again.
  const config = join(project, 'serverless.yml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('  - ./serverless/plugin.cjs\n', ''));
  // Only this plugin, because Serverless Framework reads all packages that it finds.
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(resolve('node_modules/serverless-offline'), join(project, 'node_modules/serverless-offline'), 'junction');
  return project;
}

/**
 * Runs Serverless Framework.
 *
 * @param command - The command and its options.
 * @param project - The project's folder.
 * @param environment - Environment variables besides those that are set.
 * @returns What it printed.
 * @throws Error with what it printed if it fails, or runs for ten minutes.
 */
export async function runServerless(
  command: readonly string[],
  project: string,
  environment: object = {},
): Promise<string> {
  const script = resolve('node_modules/serverless/bin/serverless.js');
  const options = { cwd: project, env: { ...process.env, ...environment }, timeout: 600_000 };
  const run = promisify(execFile)(process.execPath, [script, ...command], options);
  const { stdout, stderr } = await run.catch(({ stdout, stderr }) => {
    throw new Error(`serverless ${command[0]} failed:\n${stdout}${stderr}`);
  });
  return stdout + stderr;
}

const schema: Schema = createRequire(resolve('serverless.yml'))(
  'serverless/lib/utils/serverless-utils/cloudformation-schema',
);

/** Parses YAML as Serverless Framework does: with the short forms of CloudFormation's functions, such as `!Ref`. */
export function parseYaml(text: string): unknown {
  return load(text, { schema });
}

/**
 * Packages a copy of the service whose serverless.yml was changed as a guide says.
 *
 * @param folder - A new folder, for the copy and its package.
 * @param guide - The guide's file.
 * @param recipe - The number of the guide's block of YAML to merge; null in it deletes.
 * @param without - A part of `resources` to delete, by some of its text.
 * @param options - Options of the command.
 * @returns The template.
 * @throws Error if the guide deletes what is not there, or the copy can't be packaged.
 */
export async function packageRecipe(
  folder: string,
  guide: string,
  recipe: number,
  without?: string,
  options: readonly string[] = [],
): Promise<Template> {
  const project = copyForPackaging(join(folder, 'project'));
  const file = join(project, 'serverless.yml');
  const config = parseYaml(readFileSync(file, 'utf8')) as { resources: unknown[] };
  const resources = config.resources.filter((part) => without === undefined || !String(part).includes(without));
  if (without && resources.length === config.resources.length) throw new Error(`resources has no ${without}`);
  const recipes = Array.from(readFileSync(guide, 'utf8').matchAll(/^```yaml\n(.*?)^```/gms), ([, yaml]) => yaml);
  const changed = merge({ ...config, resources }, parseYaml(recipes[recipe] as string));
  rmSync(file);
  writeFileSync(join(project, 'serverless.json'), JSON.stringify(changed));
  return (await packageService(folder, options, project)).template;
}

/** Applies a JSON Merge Patch (RFC 7396). */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged = new Map(Object.entries(target ?? {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null) merged.set(name, merge(merged.get(name), value));
    else if (!merged.delete(name)) throw new Error(`the recipe deletes ${name}, which serverless.yml does not have`);
  }
  return Object.fromEntries(merged);
}
