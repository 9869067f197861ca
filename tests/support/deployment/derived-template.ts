import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Resource, Template } from './template.js';

/** Parameters of a deployment by name. */
export type Parameters = Readonly<Record<string, string>>;

/** A part of a deployment, as a module in serverless/ makes it. */
interface Part {
  readonly Resources?: Record<string, Resource>;
  readonly extensions?: Record<string, Partial<Resource>>;
}

const load = createRequire(resolve('serverless.yml'));

const DEFAULTS: Parameters = {
  table: 'none',
  reservedConcurrency: '1',
  corsOrigins: '',
  logLevel: 'info',
  alarmEmail: '',
  accessLog: 'false',
};

/**
 * Makes the template for other parameters, because packaging takes more than a second. It calls the modules in serverless/,
 * which make all that depends on parameters except two properties of the function.
 *
 * @param base - The template that was packaged with the defaults, in memory.
 * @param parameters - The parameters; the others have their defaults.
 * @returns The template. tests/deployment/template.test.ts compares it with a packaged one.
 * @throws Error if a parameter is rejected.
 */
export async function deriveTemplate(base: Template, parameters: Parameters): Promise<Template> {
  const template = structuredClone(base);
  const [deployment = ''] = Object.keys(template.Resources).filter((id) => id.startsWith('ApiGatewayDeployment'));
  const lambda = template.Resources.ApiLambdaFunction as Resource;
  for (const part of await makeAll(parameters, deployment.replace('ApiGatewayDeployment', ''))) {
    Object.assign(template.Resources, part.Resources);
    lambda.DependsOn?.push(...(part.extensions?.ApiLambdaFunction?.DependsOn ?? []));
  }
  const checked = await checkParameters(parameters);
  const { corsOrigins: CORS_ORIGINS, logLevel: LOG_LEVEL, table: TABLE_NAME, reservedInstances } = checked;
  lambda.Properties.Environment.Variables = { CORS_ORIGINS, LOG_LEVEL, TABLE_NAME, TODO_TABLE: TABLE_NAME };
  lambda.Properties.ReservedConcurrentExecutions = reservedInstances;
  return JSON.parse(JSON.stringify(template));
}

/**
 * Makes the parts of the deployment that depend on parameters.
 *
 * @param parameters - The parameters; the others have their defaults.
 * @param events - The function's events.
 * @returns The resources that they add to the template.
 */
export async function makeParts(parameters: Parameters, events: object[] = []): Promise<Record<string, Resource>> {
  return Object.assign({}, ...(await makeAll(parameters, '1', events)).map(({ Resources }) => Resources));
}

async function makeAll(parameters: Parameters, instanceId: string, events: object[] = []): Promise<Part[]> {
  const properties: Readonly<Record<string, unknown>> = {
    'custom.parameters': await checkParameters(parameters),
    'provider.timeout': 10,
    'provider.logRetentionInDays': 14,
    functions: { api: { events } },
  };
  const variables: Parameters = {
    'sls:instanceId': instanceId,
    'sls:stage': 'live',
    'self:service': 'todo-item-service',
  };
  const serverless = {
    resolveVariable: async (address: string) => variables[address],
    resolveConfigurationProperty: async (path: readonly string[]) => properties[path.join('.')],
  };
  return Promise.all(['rest', 'table', 'alarms'].map((part) => load(`./serverless/${part}.cjs`)(serverless)));
}

/**
 * Checks the parameters of a deployment.
 *
 * @param parameters - The parameters; the others have their defaults.
 * @param given - The stage, the values of `--param`, and the blocks below `params:` in serverless.yml.
 * @returns The parameters as serverless.yml uses them.
 * @throws Error if one is rejected.
 */
export function checkParameters(
  parameters: Parameters,
  { stage = 'live', param = [], blocks = {} }: { stage?: string; param?: readonly string[]; blocks?: object } = {},
): Promise<Parameters> {
  const variables: Parameters = { ...DEFAULTS, ...parameters };
  return load('./serverless/parameters.cjs')({
    options: { param },
    resolveVariable: async (address: string) =>
      address === 'sls:stage' ? stage : variables[address.replace('param:', '')],
    resolveConfigurationProperty: async () => ({ default: { ...DEFAULTS, table: '' }, ...blocks }),
  });
}

/**
 * Replaces in a template what differs from one packaging to the next.
 *
 * @param template - The template.
 * @param number - The number in the names of the API's deployment and of the upload.
 * @returns The same, as another packaging would have it.
 */
export function packagedAt(template: Template, number: number): Template {
  const text = JSON.stringify(template).replaceAll(/(ApiGatewayDeployment)\d+/g, `$1${number}`);
  return JSON.parse(text.replaceAll(/\d{13}-[^/"]*Z/g, String(number)));
}
