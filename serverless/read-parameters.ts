import { readConfiguration } from '../functions/configuration.js';
import { CONFLICTS } from './conflicts.js';
import { missing } from './missing.js';
import { environmentOf, PARAMETERS, type Parameter, type Parameters } from './parameters.js';
import { regionFaults, regionOf } from './region.js';

/** What Serverless Framework passes to the functions that make its variables. */
export interface Variables {
  /** The options of the command line. */
  readonly options: {
    readonly param?: string | readonly string[];
    readonly region?: string;
    readonly local?: boolean;
    readonly people?: boolean;
  };
  resolveVariable(variable: string): Promise<unknown>;
  resolveConfigurationProperty(path: readonly string[]): Promise<unknown>;
}

/**
 * Reads the parameters of a deployment, and rejects those that are wrong before anything is packaged or started.
 *
 * @param variables - What Serverless Framework knows.
 * @param stage - The stage. What dev does not say is taken from the shell.
 * @returns The parameters by name.
 * @throws Error naming each parameter that is wrong, unknown or missing, and what it takes.
 */
export async function readParameters(variables: Variables, stage: string): Promise<Parameters> {
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
  const parameters = values as Parameters;
  if (options.local) values.table = LOCAL_TABLE;
  if (options.people) Object.assign(values, LOCAL_SIGN_IN);
  const faults = [
    ...unknown('--param', fromCommand),
    ...Object.entries(blocks).flatMap(([block, named]) => unknown(block, Object.keys(named ?? {}))),
    ...(hasTable(blocks.default) ? ['default has a table, which all stages would share: name one in each'] : []),
    ...wrong(parameters),
    ...settingFaults(parameters, fromShell),
    ...CONFLICTS.filter(({ between }) => between(parameters)).map(({ reason }) => reason),
    ...regionFaults(parameters.region, options.region),
    ...tooLong(`${await resolveVariable('self:service')}-${stage}-api`),
    ...(stage === 'dev' ? [] : missing(stage, parameters)),
  ];
  // Without a stack, which Serverless Framework would print instead of the message alone.
  if (faults.length > 0) throw Object.assign(new Error(), { stack: `\n${faults.join('\n')}` });
  return { ...parameters, region: regionOf(parameters.region, options.region) };
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

/** `npm run local` names its table later, when it is there, and so does `--people` its provider. */
const LOCAL_TABLE = 'local';
const LOCAL_SIGN_IN = { tokenIssuer: 'http://127.0.0.1', tokenAudience: 'local' };

function hasTable(block: object | null | undefined): boolean {
  return Boolean((block as { table?: unknown } | null | undefined)?.table);
}

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

/** Asks the function itself, which names variables: outside of quotes, they become parameters unless the shell has set them. */
function settingFaults(parameters: Parameters, fromShell: ReadonlySet<string>): string[] {
  try {
    readConfiguration({ ...PLACEHOLDERS, ...environmentOf(parameters) });
    return [];
  } catch (error) {
    const names = new Map(Object.entries<Parameter>(PARAMETERS).map(([name, { variable }]) => [variable, name]));
    const nameOf = (word: string) => (fromShell.has(word) ? word : (names.get(word) ?? word));
    return [(error as Error).message.replaceAll(/"[^"]*"|\b[A-Z]+(_[A-Z]+)+\b/g, nameOf)];
  }
}

/** What Lambda sets, and no command needs: packaging takes no account. */
const PLACEHOLDERS = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
