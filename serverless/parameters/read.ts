import { existsSync, readFileSync } from 'node:fs';
import { readConfiguration } from '../../functions/configuration.js';
import { environmentOf, PARAMETERS, type Parameter, type Parameters, variablesOf } from './parameters.js';
import { CONFLICTS, missing, shared } from './rejected.js';

/** What Serverless Framework passes to the functions that make its variables. */
export interface Variables {
  /** The options of the command line. */
  readonly options: { readonly param?: string | readonly string[]; readonly region?: string };
  resolveVariable(variable: string): Promise<unknown>;
  resolveConfigurationProperty(path: readonly string[]): Promise<unknown>;
}

/**
 * Reads the parameters of a deployment, and rejects those that are wrong before anything is packaged or started.
 *
 * @param variables - What Serverless Framework knows.
 * @param stage - The stage. What dev does not say is taken from the shell.
 * @param given - Values that replace what is said anywhere else.
 * @returns The parameters by name.
 * @throws Error naming each parameter that is wrong, unknown or missing, and what it takes.
 */
export async function readParameters(
  variables: Variables,
  stage: string,
  given: Partial<Parameters> = {},
): Promise<Parameters> {
  const { options, resolveVariable, resolveConfigurationProperty } = variables;
  const blocks = (await resolveConfigurationProperty(['params'])) as Readonly<Record<string, object | null>>;
  const fromCommand = [options.param ?? []].flat().map((parameter) => parameter.split('=')[0] as string);
  const fromShell = new Set<string>();
  const values: Record<string, string> = {};
  for (const [name, { default: otherwise, variable = '' }] of Object.entries<Parameter>(PARAMETERS)) {
    const shell = stage === 'dev' && !fromCommand.includes(name) ? process.env[variable] : undefined;
    if (shell) fromShell.add(variable);
    values[name] = String(shell ?? (await resolveVariable(`param:${name}, ''`))) || otherwise;
  }
  const parameters = Object.assign(values, given) as Parameters;
  const region = regionOf(parameters.region, options.region);
  const faults = [
    ...unknown('--param', fromCommand),
    ...Object.entries(blocks).flatMap(([block, named]) => unknown(block, Object.keys(named ?? {}))),
    ...shared(blocks, stage, parameters.domain),
    ...wrong({ ...parameters, region }),
    ...settingFaults(parameters, fromShell),
    ...CONFLICTS.filter(({ between }) => between({ ...parameters, region })).map(({ reason }) => reason),
    ...regionFaults(parameters.region, options.region),
    ...tooLarge(parameters),
    ...tooLong(`${await resolveVariable('self:service')}-${stage}-api`),
    ...(stage === 'dev' ? [] : missing(stage, parameters)),
  ];
  // Without a stack, which Serverless Framework would print instead of the message alone.
  if (faults.length > 0) throw Object.assign(new Error(), { stack: `\n${faults.join('\n')}` });
  return { ...parameters, region };
}

const FILE = 'serverless/stages.yml';

/**
 * Makes the setting `params` of Serverless Framework, which is stages.yml. A missing one, or one without a block, says nothing about any
 * stage. Serverless Framework itself would fail, and name neither.
 */
export async function readStages({ resolveVariable }: Pick<Variables, 'resolveVariable'>): Promise<unknown> {
  // A file with comments alone is null, but a blank one is rejected.
  const isEmpty = existsSync(FILE) && readFileSync(FILE, 'utf8').trim() === '';
  return (isEmpty ? undefined : await resolveVariable(`file(./${FILE}), null`)) ?? { default: {} };
}

/** The name of a function. CloudFormation would reject it only after the upload. */
function tooLong(name: string): string[] {
  return name.length > LONGEST_NAME
    ? [
        `The function would be called ${name}, which has ${name.length} characters. Lambda takes ${LONGEST_NAME}: choose a shorter stage`,
      ]
    : [];
}

const LONGEST_NAME = 64;

/** The variables of the function. Lambda measures their JSON, and would reject them only after the upload. */
function tooLarge(parameters: Parameters): string[] {
  const bytes = Buffer.byteLength(JSON.stringify(environmentOf(parameters)));
  return bytes > MOST_VARIABLES
    ? [
        `The function's variables would take ${bytes} bytes as JSON. Lambda takes ${MOST_VARIABLES}: name fewer origins in corsOrigins`,
      ]
    : [];
}

const MOST_VARIABLES = 4_096;

function unknown(location: string, names: readonly string[]): string[] {
  return names
    .filter((name) => !Object.hasOwn(PARAMETERS, name))
    .map((name) => `${location} has ${name}, which is no parameter: there are ${Object.keys(PARAMETERS).join(', ')}`);
}

function wrong(parameters: Parameters): string[] {
  return Object.entries<Parameter>(PARAMETERS).flatMap(([name, { takes, accepts }]) => {
    const value = parameters[name as keyof Parameters];
    return value === '' || !accepts || accepts(value) ? [] : [`${name} is "${value}": it takes ${takes}`];
  });
}

/**
 * Lets the function check its settings. In its sentences, parameters take the place of their variables, unless the shell has set one of
 * those that a sentence names.
 */
function settingFaults(parameters: Parameters, fromShell: ReadonlySet<string>): string[] {
  try {
    readConfiguration({ ...PLACEHOLDERS, ...variablesOf(parameters) });
    return [];
  } catch (error) {
    const names = new Map(Object.entries<Parameter>(PARAMETERS).map(([name, { variable }]) => [variable, name]));
    const reworded = (sentence: string) => {
      const variables = sentence.replaceAll(/"[^"]*"/g, '').matchAll(/\b[A-Z]+(_[A-Z]+)+\b/g);
      if (Array.from(variables).some(([variable]) => fromShell.has(variable))) return sentence;
      return sentence.replaceAll(/"[^"]*"|\b[A-Z]+(_[A-Z]+)+\b/g, (word) => names.get(word) ?? word);
    };
    return ((error as Error).cause as readonly string[]).map(reworded);
  }
}

/** Stand for variables that Lambda sets: packaging needs no account. */
const PLACEHOLDERS = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

/** The region of the stage dev if neither a parameter nor the shell names one. */
const DEFAULT_REGION = 'eu-central-1';

/**
 * Finds what else the shell says about the region. A stage that was deployed a second time elsewhere would report success.
 *
 * @param region - The stage's parameter; empty if it has none.
 * @param option - The option `--region`.
 * @returns A sentence for each.
 */
function regionFaults(region: string, option: string | undefined): string[] {
  return Object.entries({ '--region': option, AWS_REGION: process.env.AWS_REGION })
    .filter(([, said]) => region && said && said !== region)
    .map(
      ([name, said]) =>
        `region is "${region}", but ${name} says "${said}": leave that out, or change the region of the stage`,
    );
}

/** Returns the region of a stage: its own, otherwise the shell's, which only dev takes. */
function regionOf(region: string, option: string | undefined): string {
  return region || option || process.env.AWS_REGION || DEFAULT_REGION;
}
