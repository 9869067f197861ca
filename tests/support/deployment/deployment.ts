import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import AdmZip from 'adm-zip';
import { type Resource, schemaFaults, type Template } from './template-schema.js';

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
 * @param environment - Environment variables besides those that are set.
 * @returns What would be deployed.
 * @throws Error with what was printed, where it can't be packaged.
 */
export function packageService(
  folder: string,
  options: readonly string[] = [],
  project = copyProject(join(folder, 'project')),
  environment: object = {},
): Deployment {
  runServerless(['package', ...options], project, environment);
  const zip = readFileSync(join(project, '.serverless/todo-item-service.zip'));
  new AdmZip(zip).extractAllTo(folder);
  const template = readFileSync(join(project, '.serverless/cloudformation-template-update-stack.json'), 'utf8');
  return { template: JSON.parse(template), folder, zip };
}

/**
 * Copies what packaging needs, because two packagings in one folder would get in each other's way.
 *
 * @param project - The new folder.
 * @returns The same.
 */
export function copyProject(project: string): string {
  mkdirSync(project, { recursive: true });
  for (const name of ['dist', 'docs/swagger.json', 'shared', 'serverless', 'serverless.yml'])
    cpSync(name, join(project, name), { recursive: true });
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
 * @throws Error with what it printed, where it fails or goes on for ten minutes.
 */
export function runServerless(command: readonly string[], project: string, environment: object = {}): string {
  const { status, output } = spawnSync(
    process.execPath,
    [resolve('node_modules/serverless/bin/serverless.js'), ...command],
    {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      timeout: 600_000,
    },
  );
  if (status !== 0) throw new Error(`serverless ${command[0]} failed:\n${output.join('')}`);
  return output.join('');
}

/**
 * Checks what would be deployed, whatever its front door.
 *
 * @param deployment - What would be deployed.
 * @returns What is wrong, and what that breaks on AWS; empty when nothing is.
 */
export function deploymentFaults({ template }: Pick<Deployment, 'template'>): string[] {
  return [
    ...schemaFaults(template),
    ...resourcesOf(template, 'AWS::DynamoDB::Table').map(() => 'a table in the stack of the service ends with it'),
    ...waitingFaults(
      template,
      'AWS::Lambda::Function',
      ['IAM::Policy'],
      'requests that come before are refused by the table',
    ),
    ...waitingFaults(
      template,
      'AWS::ApiGateway::Deployment',
      ['ApiGateway::Method', 'ApiGateway::GatewayResponse'],
      'a deployment is a copy of the API as it is then',
    ),
  ];
}

/** CloudFormation makes resources in any order unless one depends on another. */
function waitingFaults(template: Template, type: string, needed: readonly string[], otherwise: string): string[] {
  const [waiting] = resourcesOf(template, type);
  return Object.entries(template.Resources)
    .filter(([id, { Type }]) => waiting && needed.includes(Type.slice(5)) && !waiting.DependsOn?.includes(id))
    .map(([id]) => `${id} may be made after the ${type}: ${otherwise}`);
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
