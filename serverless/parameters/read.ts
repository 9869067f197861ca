import { existsSync, readFileSync } from 'node:fs';
import { readConfiguration } from '../../functions/configuration.js';
import { environmentOf, PARAMETERS, type Parameter, type Parameters, variablesOf } from './parameters.js';
import { CONFLICTS, missing, shared } from './rejected.js';

/** What Serverless Framework passes to the functions that make its variables. */
export interface Variables {
  readonly options: { readonly param?: string | readonly string[]; readonly region?: string };
  resolveVariable(variable: string): Promise<unknown>;
  resolveConfigurationProperty(path: readonly string[]): Promise<unknown>;
}

/**
 * Reads the parameters of a deployment, and rejects wrong ones before anything is packaged or started.
 *
 * @param stage - For dev, the shell completes what is missing.
 * @param given - Values that replace all others.
 * @throws Error that names each wrong, unknown or missing parameter, and what it takes.
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
  // Serverless Framework would print the stack instead of the message alone.
  if (faults.length > 0) throw Object.assign(new Error(), { stack: `\n${faults.join('\n')}` });
  return { ...parameters, region };
}

const FILE = 'serverless/stages.yml';

/**
 * Makes the setting `params` of Serverless Framework from stages.yml. A missing file, or one without a block, is empty.
 * Serverless Framework itself would fail, and name neither.
 */
export async function readStages({ resolveVariable }: Pick<Variables, 'resolveVariable'>): Promise<unknown> {
  // A file with comments alone is null, but a blank one is rejected.
  const isEmpty = existsSync(FILE) && readFileSync(FILE, 'utf8').trim() === '';
  return (isEmpty ? undefined : await resolveVariable(`file(./${FILE}), null`)) ?? { default: {} };
}

/** CloudFormation would reject the function's name only after the upload. */
function tooLong(name: string): string[] {
  return name.length > LONGEST_NAME
    ? [
        `The function would be called ${name}, which has ${name.length} characters. Lambda takes ${LONGEST_NAME}: choose a shorter stage`,
      ]
    : [];
}

const LONGEST_NAME = 64;

/** Lambda measures the JSON of the variables, and would reject them only after the upload. */
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
 * The function checks its settings. In its sentences, names of parameters replace those of variables, unless the shell
 * has set one that a sentence names.
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

/** Lambda sets these, and packaging needs no account. */
const PLACEHOLDERS = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

/** Of the stage dev, if neither a parameter nor the shell names one. */
const DEFAULT_REGION = 'eu-central-1';

/**
 * What else the shell names as the region, because a stage that was deployed a second time elsewhere would report
 * success.
 *
 * @param region - The stage's parameter; may be empty.
 * @param option - The option `--region`.
 */
function regionFaults(region: string, option: string | undefined): string[] {
  return Object.entries({ '--region': option, AWS_REGION: process.env.AWS_REGION })
    .filter(([, said]) => region && said && said !== region)
    .map(
      ([name, said]) =>
        `region is "${region}", but ${name} says "${said}": leave that out, or change the region of the stage`,
    );
}

/** Only dev takes the shell's region. */
function regionOf(region: string, option: string | undefined): string {
  return region || option || process.env.AWS_REGION || DEFAULT_REGION;
}
