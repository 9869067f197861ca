import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Resource, Template } from './schema.js';

/** Parameters of a deployment by name. */
export type Parameters = Readonly<Record<string, string>>;

const load = createRequire(resolve('serverless.yml'));

const DEFAULTS: Parameters = {
  reservedConcurrency: '1',
  corsOrigins: '',
  logLevel: 'info',
  todoTable: '',
  tableRemoval: 'Retain',
  tableKey: 'aws-owned',
  alarmEmail: '',
  accessLog: 'false',
};

/**
 * Makes the template for other parameters, which packaging would take more than a second for: by the functions of the
 * deployment's own modules, which decide all that depends on parameters but for three properties of the function.
 *
 * @param base - What was packaged with the defaults.
 * @param parameters - The parameters; the others have their defaults.
 * @returns The template. That packaging makes the same is tested in tests/template.test.ts.
 * @throws Error where the parameters are refused.
 */
export async function deriveTemplate(base: Template, parameters: Parameters): Promise<Template> {
  const template = structuredClone(base);
  const [deployment] = Object.keys(template.Resources).filter((id) => id.startsWith('ApiGatewayDeployment'));
  const number = deployment?.replace('ApiGatewayDeployment', '');
  const checked = await checkParameters(parameters);
  const lambda = template.Resources.ApiLambdaFunction;
  for (const part of ['rest', 'table', 'alarms'] as const) {
    const { Resources, extensions } = await makePart(part, parameters, number);
    Object.assign(template.Resources, Resources);
    lambda?.DependsOn?.push(...(extensions?.ApiLambdaFunction?.DependsOn ?? []));
  }
  const { corsOrigins: CORS_ORIGINS, logLevel: LOG_LEVEL, todoTable: TODO_TABLE, reservedInstances } = checked;
  Object.assign(lambda?.Properties, {
    Environment: { Variables: { CORS_ORIGINS, LOG_LEVEL, TODO_TABLE } },
    ReservedConcurrentExecutions: reservedInstances,
  });
  return JSON.parse(JSON.stringify(template));
}

/** A part of a deployment, as a module of serverless.yml's makes it. */
export interface Part {
  readonly Resources?: Record<string, Resource>;
  readonly extensions?: Record<string, Partial<Resource>>;
  readonly Outputs?: object;
}

/**
 * Makes a part of the deployment.
 *
 * @param part - The name of the module.
 * @param parameters - The parameters; the others have their defaults.
 * @param number - What the deployment of the API is named for.
 * @returns What the template is to have of it.
 */
export async function makePart(part: 'rest' | 'table' | 'alarms', parameters: Parameters, number = '1'): Promise<Part> {
  const properties: Readonly<Record<string, unknown>> = {
    'custom.parameters': await checkParameters(parameters),
    'provider.timeout': 10,
    'provider.logRetentionInDays': 14,
    functions: { api: { events: [] } },
  };
  const variables: Parameters = {
    'sls:instanceId': number,
    'sls:stage': 'dev',
    'self:service': 'todo-item-service',
  };
  return load(`./serverless.${part}.cjs`)({
    resolveVariable: async (address: string) => variables[address],
    resolveConfigurationProperty: async (path: readonly string[]) => properties[path.join('.')],
  });
}

/**
 * Makes all parts of the deployment.
 *
 * @param parameters - The parameters; the others have their defaults.
 * @returns The resources that they add to the template.
 */
export async function makeParts(parameters: Parameters): Promise<Record<string, Resource>> {
  const parts = [makePart('rest', parameters), makePart('table', parameters), makePart('alarms', parameters)];
  return Object.assign({}, ...(await Promise.all(parts)).map(({ Resources }) => Resources));
}

/**
 * Has the parameters of a deployment checked.
 *
 * @param parameters - The parameters; the others have their defaults.
 * @param given - What stood behind `--param`, as text.
 * @returns The parameters as serverless.yml gets to see them.
 * @throws Error where they are refused.
 */
export function checkParameters(parameters: Parameters, given: readonly string[] = []): Promise<Parameters> {
  const resolveVariable = async (address: string) => ({ ...DEFAULTS, ...parameters })[address.replace('param:', '')];
  return load('./serverless.parameters.cjs')({ options: { param: given }, resolveVariable });
}

/**
 * Takes out of a template what differs from one packaging to the next.
 *
 * @param template - The template.
 * @param number - What the deployment of the API and the upload are named for instead.
 * @returns The same, as another packaging would have it.
 */
export function packagedAt(template: Template, number: number): Template {
  const text = JSON.stringify(template).replaceAll(/(ApiGatewayDeployment)\d+/g, `$1${number}`);
  return JSON.parse(text.replaceAll(/\d{13}-[^/"]*Z/g, String(number)));
}
