import { type ForkOptions, fork } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import type { Template } from '../../serverless/changes/deployed-stack.js';
import { NOWHERE } from '../support/nowhere.js';
import { STAGES, type StageName } from './stages.js';

/** A command of Serverless Framework, such as `package --stage live`. */
export interface Run {
  readonly command: string;
  /** What is written before it, by path; null removes a file. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** Environment variables besides those of the tests. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** How it ended, and what it printed; its processes print elsewhere. */
export type Result = { readonly code: number; readonly printed: string };

/** Those that no test has set on purpose: a deployment of a test must not get anybody's credentials. */
const UNSET = /^(TABLE_NAME|LIST_BY|TOKEN_\w+|CORS_ORIGINS|LOG_LEVEL|AWS_\w+)$/;

/**
 * Copies what packaging needs to an empty folder, so that nothing depends on how this project
 * is deployed. Instead of the build, which templates don't depend on, the copy has an empty file.
 */
export function copyForPackaging(project: string): string {
  for (const path of ['docs/swagger.json', 'functions', 'package.json', 'serverless', 'shared'])
    cpSync(path, join(project, path), { recursive: true });
  mkdirSync(join(project, 'dist'));
  writeFileSync(join(project, 'dist/api.mjs'), '');
  writeFileSync(join(project, 'serverless.yml'), configurationWithoutBuild());
  // Only what the others need, because Serverless Framework reads all packages that it finds.
  mkdirSync(join(project, 'node_modules/@aws-sdk'), { recursive: true });
  for (const name of ['@aws-sdk/client-cloudformation', '@aws-sdk/client-lambda', 'aws4', 'serverless-offline', 'tsx'])
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name), 'junction');
  return project;
}

/** Reads serverless.yml without the plugin of the project, which would build. */
export function configurationWithoutBuild(): string {
  const text = readFileSync('serverless.yml', 'utf8');
  const without = text.replace(/^ *- \.\/serverless\/local\/plugin\.cjs\n/m, '');
  if (without === text) throw new Error('serverless.yml names no plugin of the project: leave out here what builds.');
  return without;
}

/** Has a run write serverless/stages.yml, with these blocks. */
export const stagesFile = (blocks: object) => ({ 'serverless/stages.yml': JSON.stringify(blocks) });

/** The same for one of the stages, under the name `live`. */
export const filesOf = (stage: StageName) => stagesFile({ live: STAGES[stage] });

/** Packages stages in a folder that copyForPackaging has made, and returns their templates as they are uploaded. */
export async function packageStages(project: string, stages: readonly StageName[]): Promise<Template[]> {
  const runs = stages.map((stage) => ({
    command: `package --stage live --package packaged/${stage}`,
    files: filesOf(stage),
  }));
  for (const { code, printed } of await runAll(project, runs)) if (code !== 0) throw new Error(printed);
  return stages.map((stage) => {
    const file = `packaged/${stage}/cloudformation-template-update-stack.json`;
    return JSON.parse(readFileSync(join(project, file), 'utf8'));
  });
}

/** What ends the output of a list of runs: a character that nothing else prints. */
const END = '\x04';

/** What the tests of a worker share: environment.mjs. */
const shared: { framework?: Framework } = Reflect.get(globalThis, 'perWorker') ?? {};

type Framework = ReturnType<typeof startFramework>;

/**
 * Runs commands of Serverless Framework in the folder of a project, one after the other, and returns how each one ended. The process in
 * which they run stays for the tests of other files, and ends with this one.
 */
export async function runAll(project: string, runs: readonly Run[]): Promise<Result[] & { readonly stdout: string }> {
  const file = join(project, 'runs.json');
  writeFileSync(file, JSON.stringify(runs));
  const framework = shared.framework ?? startFramework();
  // It is there for others once this has succeeded: one that hangs or has ended never is.
  delete shared.framework;
  const { child, output } = framework;
  child.ref();
  output.ref();
  let stdout = '';
  await new Promise<void>((resolve, reject) => {
    output.on('data', (text) => {
      stdout += text;
      if (stdout.endsWith(END)) resolve();
    });
    child.once('exit', () => reject(new Error(`Serverless Framework ended:\n${stdout}`)));
    child.send(project);
  }).finally(() => {
    output.removeAllListeners('data').unref();
    child.removeAllListeners('exit').unref();
  });
  shared.framework = framework;
  return Object.assign(JSON.parse(readFileSync(file, 'utf8')), { stdout: stdout.slice(0, -END.length) });
}

function startFramework() {
  const set = Object.entries(process.env).filter(([variable]) => !UNSET.test(variable));
  const env = { ...Object.fromEntries(set), ...NOWHERE };
  const options = { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] } satisfies ForkOptions;
  const child = fork(
    'tests/deployment/run-all.cjs',
    [resolve('node_modules/serverless/bin/serverless.js'), END],
    options,
  );
  child.channel?.unref();
  return { child, output: (child.stdout as Socket).setEncoding('utf8') };
}
