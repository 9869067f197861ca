import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** JSON, as CloudFormation gets it. */
// biome-ignore lint/suspicious/noExplicitAny: a template has any shape.
export type Json = any;

/**
 * Calls Serverless Framework, all in one process.
 *
 * @param calls - `command` and `stage`; `parameters` of the stage and `defaults` in place of those in serverless/stages.yml;
 *   `param` of the command line; `env` of the shell; `aws`, what it has before a deployment.
 * @returns What each returned, or the message with which it ended. A template is as CloudFormation carries it out: conditions
 *   are decided, and what they leave out is gone.
 */
export function callFramework(calls: readonly object[]): { readonly result?: Json; readonly error?: string }[] {
  const home = mkdtempSync(join(tmpdir(), 'todo-package-'));
  const input = JSON.stringify(calls.map((call) => ({ command: 'package', stage: 'live', ...call })));
  try {
    // dist/ is there, and other tests use it.
    const env = { PATH: process.env.PATH, HOME: home, NO_BUILD: 'true' };
    const options = { env, input, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 24 } as const;
    const results = JSON.parse(execFileSync(process.execPath, ['tests/deployment/run-framework.cjs'], options));
    return results.map(({ result, error }: Json) => ({ error, result: result?.Conditions ? decided(result) : result }));
  } finally {
    rmSync(home, { recursive: true });
  }
}

const NOTHING = Symbol('AWS::NoValue');

function decided({ Conditions, ...template }: Json): Json {
  const truth = (condition: Json): boolean => {
    const [[operation, operands]] = Object.entries<Json>(condition) as [[string, Json]];
    if (operation === 'Condition') return truth(Conditions[operands]);
    if (operation === 'Fn::Equals') return String(operands[0]) === String(operands[1]);
    if (operation === 'Fn::Not') return !truth(operands[0]);
    if (operation === 'Fn::And') return operands.every(truth);
    if (operation === 'Fn::Or') return operands.some(truth);
    throw new Error(`${operation} is no condition`);
  };
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== NOTHING);
    if (typeof value !== 'object' || value === null) return value;
    if (value.Ref === 'AWS::NoValue') return NOTHING;
    const choice = value['Fn::If'];
    if (choice) return resolve(choice[truth({ Condition: choice[0] }) ? 1 : 2]);
    const entries = Object.entries(value).map(([name, child]) => [name, resolve(child)]);
    return Object.fromEntries(entries.filter(([, child]) => child !== NOTHING));
  };
  const isMade = ({ Condition }: Json) => Condition === undefined || truth({ Condition });
  const made = (section: Json) => Object.fromEntries(Object.entries<Json>(section).filter(([, one]) => isMade(one)));
  return resolve({ ...template, Resources: made(template.Resources), Outputs: made(template.Outputs) });
}
