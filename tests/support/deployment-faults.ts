import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Deployment, resourcesOf } from './deployment.js';
import { type Resource, schemaFaults, type Template } from './schema.js';

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
    ...resourcesOf(template, 'AWS::DynamoDB::Table').map(() => 'a table in this stack would end with it'),
    ...functions.flatMap(({ Properties }) => handlerFaults(folder, Properties.Handler)),
    ...resourcesOf(template, 'AWS::IAM::Role').flatMap(({ Properties }) => policyFaults(Properties.Policies)),
    ...resourcesOf(template, 'AWS::IAM::Policy').flatMap(({ Properties }) => policyFaults([Properties])),
    ...rightFaults(template),
    ...gatewayFaults(template),
  ];
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

/** Otherwise the first requests after a deployment could be refused by the table. */
function rightFaults(template: Template): string[] {
  const lambda = template.Resources.ApiLambdaFunction;
  const rights = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::IAM::Policy');
  return rights
    .filter(([name]) => !lambda?.DependsOn?.includes(name))
    .map(([name]) => `${name} may come after the function, whose first requests are then refused`);
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
  const ofType = (type: string) => Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
  const responses = ofType('AWS::ApiGateway::GatewayResponse');
  const copied = [...ofType('AWS::ApiGateway::Method'), ...responses].map(([name]) => name);
  const types = responses.map(([, { Properties }]) => Properties.ResponseType);
  return [
    ...ANSWERED.filter((type) => !types.includes(type)).map((type) => `the gateway response ${type} is missing`),
    ...copied
      .filter((name) => !deployment.DependsOn?.includes(name))
      .map((name) => `${name} may come after the deployment, a copy of the API, and then is no part of it`),
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
