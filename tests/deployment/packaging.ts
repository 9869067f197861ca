import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { load, type Schema } from 'js-yaml';
import type { Template } from './template.js';

/** The parameters of a stage, as serverless/stages.yml has them. */
export type Parameters = Readonly<Record<string, string | number | boolean>>;

/** A command of Serverless Framework, what serverless/stages.yml has, and environment variables besides those of the tests. */
export interface Run {
  readonly command: readonly string[];
  readonly stages: object;
  readonly variables?: Readonly<Record<string, string>>;
  /** What is added to serverless.yml. */
  readonly added?: string;
}

/** How it ended. */
export type Result = { readonly code: number; readonly printed: string };

/** Those that no test has set on purpose. */
const UNSET = /^(TABLE_NAME|TODO_TABLE|TOKEN_ISSUER|TOKEN_AUDIENCE|CORS_ORIGINS|LOG_LEVEL|AWS_REGION)$/;

/**
 * Copies what packaging needs to a new folder, so that nothing depends on how this project is deployed. Instead of the build, which
 * templates don't depend on, the copy has an empty file.
 */
export function copyForPackaging(project: string): string {
  const shared = ['shared/http/problems.cjs', 'shared/openid/issuer.mjs'];
  for (const name of ['docs/swagger.json', 'package.json', 'serverless', 'serverless.yml', ...shared])
    cpSync(name, join(project, name), { recursive: true });
  mkdirSync(join(project, 'dist'));
  writeFileSync(join(project, 'dist/api.mjs'), '');
  // The project's own plugin would build.
  const config = join(project, 'serverless.yml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('  - ./serverless/plugin.cjs\n', ''));
  // Only the other one, because Serverless Framework reads all packages that it finds.
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(resolve('node_modules/serverless-offline'), join(project, 'node_modules/serverless-offline'), 'junction');
  return project;
}

/** Runs commands of Serverless Framework in the folder of a project, one after the other, and returns how each one ended. */
export async function tryAll(project: string, runs: readonly Run[]): Promise<Result[]> {
  const file = join(project, 'runs.json');
  writeFileSync(file, JSON.stringify(runs));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !UNSET.test(name)));
  const scripts = ['tests/deployment/run-all.cjs', 'node_modules/serverless/bin/serverless.js'];
  const script = [...scripts.map((name) => resolve(name)), file];
  await promisify(execFile)(process.execPath, script, { cwd: project, env, timeout: 600_000 });
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Like {@link tryAll}, but throws an error with what was printed if a command fails. */
export async function runAll(project: string, runs: readonly Run[]): Promise<void> {
  const failed = (await tryAll(project, runs)).find(({ code }) => code !== 0);
  if (failed) throw new Error(failed.printed);
}

/** Reads the template that was packaged into a folder. */
export function readTemplate(folder: string): Template {
  return JSON.parse(readFileSync(join(folder, 'cloudformation-template-update-stack.json'), 'utf8'));
}

const schema: Schema = createRequire(resolve('serverless.yml'))(
  'serverless/lib/utils/serverless-utils/cloudformation-schema',
);

/** Parses YAML as Serverless Framework does: with the short forms of CloudFormation's functions, such as `!Ref`. */
export function parseYaml(text: string): unknown {
  return load(text, { schema });
}
