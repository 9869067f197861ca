import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { load, type Schema } from 'js-yaml';
import { name } from '../../package.json';
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

/** A CloudFormation template, as far as the tests look into it. */
export interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs: Record<string, { readonly Value: unknown }>;
}

// biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties.
export type Resource = { Type: string; Properties: any; DependsOn?: string | string[]; DeletionPolicy?: string };

/** The boundary of the function's role, as docs/deploy-from-ci.md names it. */
export const BOUNDARY = `arn:aws:iam::123456789012:policy/${name}-live-boundary`;

const memory = { alarmEmail: 'operator@example.com', accessLog: true, permissionsBoundary: BOUNDARY };
const origins = 'https://a.example.com,https://b.example.com';
const table = { ...memory, table: 'todo-items-live', corsOrigins: origins, logLevel: 'warn' };
const another = { ...table, table: 'other-items', alarmEmail: 'someone@example.com' };

/** The parameters that tests package the stage `live` with, by what is special about them. */
const STAGES = {
  defaults: {},
  'items in memory': memory,
  'items in a table': table,
  'signed calls, and another table': { ...another, signedCalls: true },
  'an HTTP API': { ...table, frontDoor: 'http' },
  'an HTTP API, by default': { frontDoor: 'http' },
  'signed calls of an HTTP API': { ...table, frontDoor: 'http', signedCalls: true },
  'a function URL': { ...table, frontDoor: 'url', accessLog: false },
  'a function URL, by default': { frontDoor: 'url' },
  'nothing reserved, and no log of requests': { ...memory, reservedConcurrency: 'none', logLevel: 'warn' },
  'no log': { ...table, logLevel: 'silent' },
  'no mail': { ...table, alarmEmail: '' },
} satisfies Record<string, object>;

export type Stage = keyof typeof STAGES;
export const STAGE_NAMES = Object.keys(STAGES) as Stage[];

/** Those that no test has set on purpose. */
const UNSET = /^(TABLE_NAME|LIST_BY|TOKEN_\w+|CORS_ORIGINS|LOG_LEVEL|AWS_REGION)$/;

/**
 * Copies what packaging needs to a folder that is removed after the tests of the file, so that nothing depends on how this project
 * is deployed. Instead of the build, which templates don't depend on, the copy has an empty file.
 */
export function copyForPackaging(): string {
  const project = temporaryFolder();
  for (const path of ['docs/swagger.json', 'functions', 'package.json', 'serverless', 'serverless.yml', 'shared'])
    cpSync(path, join(project, path), { recursive: true });
  mkdirSync(join(project, 'dist'));
  writeFileSync(join(project, 'dist/api.mjs'), '');
  // The project's own plugin would build.
  const config = join(project, 'serverless.yml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('  - ./serverless/plugin.cjs\n', ''));
  // Only the other one and what loads TypeScript, because Serverless Framework reads all packages that it finds.
  mkdirSync(join(project, 'node_modules'));
  for (const name of ['serverless-offline', 'tsx'])
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name), 'junction');
  return project;
}

/** Has a run write serverless/stages.yml, with these blocks. */
export const stagesFile = (blocks: object) => ({ 'serverless/stages.yml': JSON.stringify(blocks) });

/** The same for such a stage. */
export const filesOf = (stage: Stage) =>
  stagesFile({ live: { region: 'eu-central-1', table: 'none', tokenIssuer: 'none', ...STAGES[stage] } });

/** Runs commands of Serverless Framework in the folder of a project, one after the other, and returns how each one ended. */
export async function runAll(project: string, runs: readonly Run[]): Promise<Result[] & { readonly stdout: string }> {
  const file = join(project, 'runs.json');
  writeFileSync(file, JSON.stringify(runs));
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !UNSET.test(variable)));
  const scripts = ['tests/deployment/run-all.cjs', 'node_modules/serverless/bin/serverless.js'];
  const script = [...scripts.map((script) => resolve(script)), file];
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
