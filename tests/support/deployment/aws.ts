import { existsSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../listen.js';
import { copyForPackaging, readTemplate, runServerless } from './deployment.js';
import type { Parameters } from './derived-template.js';
import type { Template } from './template.js';

/** A call of AWS's API by IAM's name, such as `s3:PutObject`, and the statement of docs/deploy-policy.json that allows it. */
export type AwsCall = readonly [sid: string, action: string];

/** Two deployments of the stage `live`, from a shell that has another configuration. */
interface Deployments {
  /** What Serverless Framework called. */
  readonly calls: readonly AwsCall[];
  /** The first one, with {@link EVERYTHING} in the stage's block. */
  readonly everything: Template;
  /** The second one, in memory and with the defaults. */
  readonly base: Template;
  /** Their packages. */
  readonly zips: readonly [string, string];
}

/** Parameters with which a deployment has every resource. */
export const EVERYTHING: Parameters = {
  table: 'items-live',
  alarmEmail: 'operator@example.com',
  accessLog: 'true',
  corsOrigins: 'https://a.example.com,https://b.example.com',
  logLevel: 'warn',
};

/**
 * Deploys the service twice with the real Serverless Framework, to a server that answers like AWS: first when there is no
 * stack, then when there is one with six earlier deployments. All test files of a run share the result: the first one that
 * asks deploys, and the others wait.
 *
 * @returns What was deployed, and what was called.
 * @throws Error with what was printed if a deployment fails, or makes a call that has no answer below.
 */
export async function deployTwice(): Promise<Deployments> {
  const folder = join(dirname(process.env.ANSWERS_FILE as string), 'deployed');
  const file = join(folder, 'deployments.json');
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) {
    const deployments = await deployBoth(folder).catch(({ message }) => ({ message }));
    writeFileSync(`${file}.new`, JSON.stringify(deployments));
    renameSync(`${file}.new`, file);
  }
  while (!existsSync(file)) await setTimeout(100);
  const { message, ...deployments } = JSON.parse(readFileSync(file, 'utf8'));
  if (message) throw new Error(message);
  return deployments;
}

async function deployBoth(folder: string): Promise<Deployments> {
  const calls: AwsCall[] = [];
  const stack: Stack = { exists: false, change: 'CREATE' };
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const [call, status, body] = answerOf(request, form, stack);
    if (call) calls.push(call);
    if (form.has('Tags.member.1.Key')) calls.push(['Stack', 'cloudformation:TagResource']);
    response.writeHead(status, { 'Content-Type': body.startsWith('<') ? 'text/xml' : 'application/json' }).end(body);
  });
  const environment = {
    AWS_ENDPOINT_URL: `http://${await listen(server)}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    SLS_AWS_MONITORING_FREQUENCY: '1',
    // Only the stage dev takes these.
    TABLE_NAME: 'other-items',
    CORS_ORIGINS: '*',
    LOG_LEVEL: 'debug',
  };
  const deploy = async (project: string, parameters: Parameters) => {
    const config = join(project, 'serverless.yml');
    const block = `params:\n  live: ${JSON.stringify(parameters)}\n`;
    writeFileSync(config, readFileSync(config, 'utf8').replace('params:\n', block));
    await runServerless(['deploy', '--stage', 'live'], project, environment);
    return { template: readTemplate(project), zip: join(project, '.serverless/todo-item-service.zip') };
  };
  try {
    const first = await deploy(copyForPackaging(join(folder, 'everything')), EVERYTHING);
    const project = copyForPackaging(join(folder, 'base'));
    // The package must be the same, whenever it was built.
    utimesSync(join(project, 'dist/api.mjs'), 1, 1);
    const second = await deploy(project, { table: 'none' });
    return { calls, everything: first.template, base: second.template, zips: [first.zip, second.zip] };
  } finally {
    server.close();
  }
}

interface Stack {
  exists: boolean;
  /** What the last change set does. */
  change: string;
}

type Answered = readonly [call: AwsCall | undefined, status: number, body: string];

/** Finds the answer to a call. The name of AWS's service is in the signature. */
function answerOf(request: IncomingMessage, form: URLSearchParams, stack: Stack): Answered {
  const [, service] = /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
  if (service === 'cloudformation') return answerOfCloudFormation(form, stack);
  const line = `${service} ${request.method} ${request.url}`;
  const [, ...found] = ANSWERS.find(([pattern]) => pattern.test(line)) ?? [];
  // Serverless Framework prints a 400, and does not try again.
  return found.length > 0 ? (found as unknown as Answered) : [undefined, 400, `{"message":"no answer to ${line}"}`];
}

const KEYS = Array.from({ length: 6 }, (_, index) => {
  const time = 1_700_000_000_000 + index;
  return `serverless/todo-item-service/live/${time}-${new Date(time).toISOString()}/compiled-cloudformation-template.json`;
});
const LIST = `<ListBucketResult>${KEYS.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`;
const IDENTITY = `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>
  <Arn>arn:aws:iam::123456789012:user/somebody</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;
const READ_API: AwsCall = ['Gateway', 'apigateway:GET'];
const APIS = '{"item":[{"id":"api","name":"todo-item-service-live"}]}';

/** The answers, by the service and the beginning of the request. */
const ANSWERS: readonly (readonly [RegExp, ...Answered])[] = [
  // This needs no permission.
  [/^sts POST \/$/, undefined, 200, IDENTITY],
  [/^s3 HEAD \/bucket\/$/, ['Bucket', 's3:ListBucket'], 200, ''],
  [/^s3 GET \/bucket\/\?list-type=2/, ['Bucket', 's3:ListBucket'], 200, LIST],
  [/^s3 HEAD \/bucket\/./, ['BucketObjects', 's3:GetObject'], 200, ''],
  [/^s3 PUT \/bucket\/./, ['BucketObjects', 's3:PutObject'], 200, ''],
  [/^s3 POST \/bucket\/\?delete/, ['BucketObjects', 's3:DeleteObject'], 200, '<DeleteResult/>'],
  [/^lambda GET \/2015-03-31\/functions\//, ['Function', 'lambda:GetFunction'], 404, '{}'],
  [/^apigateway GET \/restapis\?/, READ_API, 200, APIS],
  [/^apigateway GET \/restapis\/api\/deployments/, READ_API, 200, '{"item":[{"id":"deployment"}]}'],
  [/^apigateway GET \/restapis\/api\/stages\/live$/, READ_API, 200, '{"tags":{}}'],
  [/^apigateway PUT \/tags\//, ['GatewayTags', 'apigateway:PUT'], 200, '{}'],
  // It tries to delete a log group that does not exist, and goes on if that is denied.
  [/^logs POST \/$/, undefined, 400, '{"__type":"AccessDeniedException"}'],
];

function answerOfCloudFormation(form: URLSearchParams, stack: Stack): Answered {
  const name = form.get('Action') as string;
  // The check of a template names no stack.
  const call: AwsCall = [name === 'ValidateTemplate' ? 'Template' : 'Stack', `cloudformation:${name}`];
  if (!stack.exists && name === 'DescribeStacks') {
    const error = '<Error><Code>ValidationError</Code><Message>Stack with id live does not exist</Message></Error>';
    return [call, 400, `<ErrorResponse>${error}</ErrorResponse>`];
  }
  if (name === 'CreateChangeSet') stack.change = form.get('ChangeSetType') as string;
  if (name === 'ExecuteChangeSet') stack.exists = true;
  const events = [`${stack.change}_COMPLETE`, `${stack.change}_IN_PROGRESS`].map(
    (
      status,
    ) => `<member><EventId>${status}</EventId><StackName>live</StackName><LogicalResourceId>live</LogicalResourceId>
      <ResourceType>AWS::CloudFormation::Stack</ResourceType><ResourceStatus>${status}</ResourceStatus></member>`,
  );
  const results: Readonly<Record<string, string>> = {
    CreateChangeSet: '<Id>change</Id><StackId>stack</StackId>',
    DescribeChangeSet:
      '<Status>CREATE_COMPLETE</Status><StackId>stack</StackId><Changes><member><Type>Resource</Type></member></Changes>',
    DescribeStackEvents: `<StackEvents>${events.join('')}</StackEvents>`,
    DescribeStackResource: '<StackResourceDetail><PhysicalResourceId>bucket</PhysicalResourceId></StackResourceDetail>',
    DescribeStacks: '<Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks>',
  };
  return [call, 200, `<${name}Response><${name}Result>${results[name] ?? ''}</${name}Result></${name}Response>`];
}
