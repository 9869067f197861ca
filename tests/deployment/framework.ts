import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { NOWHERE } from '../support/nowhere.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** JSON, as CloudFormation gets it. */
// biome-ignore lint/suspicious/noExplicitAny: a template has any shape.
export type Json = any;

/**
 * Runs Serverless Framework, each time in another copy of this service, with more stages in serverless/stages.yml.
 *
 * @returns `call` takes the words of a command line. `packageStage` returns the template as CloudFormation applies it, without
 *   what its conditions leave out.
 */
export function frameworkWith(stages: Readonly<Record<string, object>>) {
  const parent = temporaryFolder();
  const command = resolve('node_modules/serverless/bin/serverless.js');
  // Unlike a start, a deployment takes no variables from the shell.
  const env = { PATH: process.env.PATH, ...NOWHERE, TABLE_NAME: 'shell', CORS_ORIGINS: 'https://shell' };

  async function call(...words: readonly string[]) {
    const folder = mkdtempSync(join(parent, 'service-'));
    for (const name of ['dist', 'functions', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
    for (const name of ['serverless.yml', 'serverless']) cpSync(name, join(folder, name), { recursive: true });
    // JSON is YAML, too.
    for (const [name, stage] of Object.entries(stages))
      appendFileSync(join(folder, 'serverless/stages.yml'), `\n${name}: ${JSON.stringify(stage)}\n`);
    const child = spawn(process.execPath, [command, ...words], { cwd: folder, env });
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await once(child, 'close');
    return { folder, code, printed: (await printed).join('') };
  }

  async function packageStage(name: string): Promise<Json> {
    const { folder, code, printed } = await call('package', '--no-build', '--stage', name);
    if (code !== 0) throw new Error(printed);
    return decided(JSON.parse(readFileSync(`${folder}/.serverless/cloudformation-template-update-stack.json`, 'utf8')));
  }
  return { call, packageStage };
}

function decided({ Conditions, ...template }: Json): Json {
  const isTrue = ({ 'Fn::Not': not, 'Fn::Equals': equals, ...other }: Json): boolean => {
    if (not) return !isTrue(not[0]);
    if (equals) return String(equals[0]) === String(equals[1]);
    throw new Error(`The tests can't decide the condition ${JSON.stringify(other)}`);
  };
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    const { Ref, Condition, 'Fn::If': choice } = value;
    // A policy's statement has a Condition, too, but an object.
    const isLeftOut = typeof Condition === 'string' && !isTrue(Conditions[Condition]);
    if (isLeftOut || Ref === 'AWS::NoValue') return undefined;
    if (choice) return resolve(choice[isTrue(Conditions[choice[0]]) ? 1 : 2]);
    const entries = Object.entries(value).map(([name, child]) => [name, resolve(child)]);
    return Object.fromEntries(entries.filter(([, child]) => child !== undefined));
  };
  return resolve(template);
}
