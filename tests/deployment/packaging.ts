import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { load, type Schema } from 'js-yaml';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A command of Serverless Framework, such as `package --stage live`. */
export interface Run {
  readonly command: string;
  /** What is written before it, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Environment variables besides those of the tests. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** How it ended, and what it printed; its processes print elsewhere. */
export type Result = { readonly code: number; readonly printed: string };

/** Those that no test has set on purpose. */
const UNSET = /^(TABLE_NAME|TODO_TABLE|TOKEN_ISSUER|TOKEN_AUDIENCE|CORS_ORIGINS|LOG_LEVEL|AWS_REGION)$/;

/**
 * Copies what packaging needs to a folder that is removed after the tests of the file, so that nothing depends on how this project
 * is deployed. Instead of the build, which templates don't depend on, the copy has an empty file.
 */
export function copyForPackaging(): string {
  const project = temporaryFolder();
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

/** Has a run write serverless/stages.yml, with these blocks. */
export const stagesFile = (blocks: object) => ({ 'serverless/stages.yml': JSON.stringify(blocks) });

/** Runs commands of Serverless Framework in the folder of a project, one after the other, and returns how each one ended. */
export async function runAll(project: string, runs: readonly Run[]): Promise<Result[] & { readonly stdout: string }> {
  const file = join(project, 'runs.json');
  writeFileSync(file, JSON.stringify(runs));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !UNSET.test(name)));
  const scripts = ['tests/deployment/run-all.cjs', 'node_modules/serverless/bin/serverless.js'];
  const script = [...scripts.map((name) => resolve(name)), file];
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: project, env, timeout: 600_000 });
  return Object.assign(JSON.parse(readFileSync(file, 'utf8')), { stdout });
}

const schema: Schema = createRequire(resolve('serverless.yml'))(
  'serverless/lib/utils/serverless-utils/cloudformation-schema',
);

/** Parses YAML as Serverless Framework does: with the short forms of CloudFormation's functions, such as `!Ref`. */
export function parseYaml(text: string): unknown {
  return load(text, { schema });
}
