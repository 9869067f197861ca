import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import AdmZip from 'adm-zip';
import { type Resource, schemaFaults, type Template } from './schema.js';

/** What Serverless Framework would deploy. */
export interface Deployment {
  readonly template: Template;
  /** The folder with the unzipped package. */
  readonly folder: string;
  /** The package. */
  readonly zip: Buffer;
}

/**
 * Packages the service, with what the build has made.
 *
 * @param folder - A folder, for the package and what is in it.
 * @param options - Options of the command, such as `--param=logLevel=warn`.
 * @param project - The project's folder; a copy in the folder when left out.
 * @returns What would be deployed.
 * @throws Error with what was printed, where it can't be packaged.
 */
export function packageService(
  folder: string,
  options: readonly string[] = [],
  project = copyProject(join(folder, 'project')),
): Deployment {
  runServerless(['package', ...options], project);
  const zip = readFileSync(join(project, '.serverless/todo-item-service.zip'));
  new AdmZip(zip).extractAllTo(folder);
  const template = readFileSync(join(project, '.serverless/cloudformation-template-update-stack.json'), 'utf8');
  return { template: JSON.parse(template), folder, zip };
}

/**
 * Copies what packaging takes: two packagings in one folder would get in each other's way.
 *
 * @param project - The new folder.
 * @returns The same.
 */
export function copyProject(project: string): string {
  mkdirSync(project, { recursive: true });
  const files = readdirSync('.').filter((name) => name.startsWith('serverless.'));
  for (const name of ['dist', 'shared', ...files]) cpSync(name, join(project, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  return project;
}

/**
 * Runs Serverless Framework.
 *
 * @param command - The command and its options.
 * @param project - The project's folder.
 * @param environment - Environment variables besides those that are set.
 * @returns What it printed.
 * @throws Error with what it printed, where it fails or goes on for a minute and a half.
 */
export function runServerless(command: readonly string[], project: string, environment: object = {}): string {
  const { status, output } = spawnSync(
    process.execPath,
    [resolve('node_modules/serverless/bin/serverless.js'), ...command],
    {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      timeout: 90_000,
    },
  );
  if (status !== 0) throw new Error(`serverless ${command[0]} failed:\n${output.join('')}`);
  return output.join('');
}

/**
 * Checks what would be deployed, as far as that can be without AWS.
 *
 * @param deployment - What would be deployed.
 * @returns What is wrong; nothing when all is as it should be.
 */
export function deploymentFaults({ template, folder }: Deployment): string[] {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  return [
    ...schemaFaults(template),
    ...(functions.length === 1 ? [] : [`there are ${functions.length} functions`]),
    ...functions.flatMap(({ Properties }) => handlerFaults(folder, Properties.Handler)),
    ...resourcesOf(template, 'AWS::IAM::Role').flatMap(({ Properties }) => policyFaults(Properties.Policies)),
    ...resourcesOf(template, 'AWS::IAM::Policy').flatMap(({ Properties }) => policyFaults([Properties])),
    ...gatewayFaults(template),
  ];
}

/**
 * Finds the resources of a type.
 *
 * @param template - The template.
 * @param type - The type, such as `AWS::IAM::Role`.
 * @returns The resources.
 */
export function resourcesOf(template: Template, type: string): Resource[] {
  return Object.values(template.Resources).filter((resource) => resource.Type === type);
}

/** Loads the handler in a process of its own, as the runtime would. */
function handlerFaults(folder: string, handler: string): string[] {
  const [module, name] = handler.split('.') as [string, string];
  const file = join(folder, `${module}.mjs`);
  if (!existsSync(file)) return [`the package has no ${module}.mjs for the handler ${handler}`];
  const script = `import(${JSON.stringify(pathToFileURL(file).href)}).then((module) => {
    const handler = module[${JSON.stringify(name)}];
    process.stdout.write(typeof handler === 'function' ? String(handler.length) : 'none');
  })`;
  const parameters = execFileSync(process.execPath, ['-e', script]).toString();
  if (parameters === 'none') return [`${module}.mjs exports no function ${name}`];
  return Number(parameters) <= 2 ? [] : [`the handler has ${parameters} parameters: the runtime refuses more than two`];
}

function policyFaults(policies: readonly { PolicyDocument: { Statement: object[] } }[] = []): string[] {
  const statements = policies.flatMap((policy) => policy.PolicyDocument.Statement);
  return statements
    .map((statement: object) => JSON.stringify(statement))
    .filter((statement: string) => statement.includes('*'))
    .map((statement: string) => `a role's statement has a wildcard: ${statement}`);
}

/** What API Gateway answers itself; bad requests and all else are of the last two types. */
const ANSWERED = [
  'INTEGRATION_FAILURE',
  'INTEGRATION_TIMEOUT',
  'MISSING_AUTHENTICATION_TOKEN',
  'REQUEST_TOO_LARGE',
  'THROTTLED',
  'DEFAULT_4XX',
  'DEFAULT_5XX',
];

/** What a REST API answers itself must be problems, and part of its deployment. */
function gatewayFaults(template: Template): string[] {
  const [deployment] = resourcesOf(template, 'AWS::ApiGateway::Deployment');
  if (!deployment) return [];
  const responses = Object.entries(template.Resources).filter(
    ([, { Type }]) => Type === 'AWS::ApiGateway::GatewayResponse',
  );
  const types = responses.map(([, { Properties }]) => Properties.ResponseType);
  return [
    ...ANSWERED.filter((type) => !types.includes(type)).map((type) => `the gateway response ${type} is missing`),
    ...responses
      .filter(([name]) => !deployment.DependsOn?.includes(name))
      .map(([name]) => `${name} may come after the deployment, and then is no part of it`),
    ...responses.flatMap(([name, resource]) => problemFaults(name, resource)),
  ];
}

function problemFaults(name: string, { Properties }: Resource): string[] {
  const template = Properties.ResponseTemplates?.['application/json'] ?? '';
  const type = Properties.ResponseParameters?.['gatewayresponse.header.Content-Type'];
  if (type !== "'application/problem+json'") return [`${name} is sent as ${type}`];
  try {
    const problem = JSON.parse(template.replace(/\$context\.error\.messageString/g, '"message"'));
    if (problem.status !== undefined && String(problem.status) !== Properties.StatusCode)
      return [`${name} has two statuses`];
    return 'type' in problem && 'requestId' in problem ? [] : [`${name} lacks members of a problem`];
  } catch {
    return [`${name} is no JSON: ${template}`];
  }
}
