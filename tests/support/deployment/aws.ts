import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A call of AWS's API as IAM knows it. */
export interface AwsCall {
  /** Such as `s3:PutObject`. */
  readonly action: string;
  /** The resource that it is about. */
  readonly on: 'stack' | 'bucket' | 'objects' | 'function' | 'apis' | 'tags' | 'any';
}

/**
 * Deploys a project twice with the real Serverless Framework, to something that answers as AWS does: the first time there is
 * nothing, the second time there is a stack with six earlier deployments.
 *
 * @param project - The project's folder.
 * @returns The calls that were made.
 * @throws Error with what was printed, where a deployment fails or makes a call that is not known here.
 */
export async function recordDeployments(project: string): Promise<AwsCall[]> {
  const calls: AwsCall[] = [];
  const stack: Stack = { exists: false, change: 'CREATE' };
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const [call, status, body] = answerOf(request, form, stack);
    if (call) calls.push(call);
    if (form.has('Tags.member.1.Key')) calls.push({ action: 'cloudformation:TagResource', on: 'stack' });
    response.writeHead(status, { 'Content-Type': body.startsWith('<') ? 'text/xml' : 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    SLS_AWS_MONITORING_FREQUENCY: '1',
  };
  const script = resolve('node_modules/serverless/bin/serverless.js');
  try {
    for (const _time of ['first', 'second']) {
      await promisify(execFile)(process.execPath, [script, 'deploy'], { cwd: project, env, timeout: 600_000 });
    }
  } finally {
    server.close();
  }
  return calls;
}

interface Stack {
  exists: boolean;
  /** What the last change set does. */
  change: string;
}

type Answered = readonly [call: AwsCall | undefined, status: number, body: string];

/** The service is in the signature. */
function answerOf(request: IncomingMessage, form: URLSearchParams, stack: Stack): Answered {
  const [, service] = /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
  const line = `${request.method} ${request.url}`;
  if (service === 'cloudformation') return answerOfCloudFormation(form, stack);
  const found = ANSWERS.find(([name, pattern]) => name === service && pattern.test(line));
  if (found) return [found[2], found[3], found[4]];
  // Serverless Framework does not try it again, and prints it.
  return [undefined, 400, JSON.stringify({ message: `nobody has said what ${service} answers to ${line}` })];
}

const KEYS = Array.from({ length: 6 }, (_, index) => {
  const time = 1_700_000_000_000 + index;
  return `serverless/todo-item-service/dev/${time}-${new Date(time).toISOString()}/compiled-cloudformation-template.json`;
});
const LIST = `<ListBucketResult>${KEYS.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`;
const IDENTITY = `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>
  <Arn>arn:aws:iam::123456789012:user/somebody</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;

const READ_API: AwsCall = { action: 'apigateway:GET', on: 'apis' };
const APIS = '{"item":[{"id":"api","name":"todo-item-service-dev"}]}';

/** What is called, by its service and the beginning of the request, and what is answered. */
const ANSWERS: readonly (readonly [string, RegExp, AwsCall | undefined, number, string])[] = [
  // Everybody may call this.
  ['sts', /^POST \/$/, undefined, 200, IDENTITY],
  ['s3', /^HEAD \/bucket\/$/, { action: 's3:ListBucket', on: 'bucket' }, 200, ''],
  ['s3', /^GET \/bucket\/\?list-type=2/, { action: 's3:ListBucket', on: 'bucket' }, 200, LIST],
  ['s3', /^HEAD \/bucket\/./, { action: 's3:GetObject', on: 'objects' }, 200, ''],
  ['s3', /^PUT \/bucket\/./, { action: 's3:PutObject', on: 'objects' }, 200, ''],
  ['s3', /^POST \/bucket\/\?delete/, { action: 's3:DeleteObject', on: 'objects' }, 200, '<DeleteResult/>'],
  ['lambda', /^GET \/2015-03-31\/functions\//, { action: 'lambda:GetFunction', on: 'function' }, 404, '{}'],
  ['apigateway', /^GET \/restapis\?/, READ_API, 200, APIS],
  ['apigateway', /^GET \/restapis\/api\/deployments/, READ_API, 200, '{"item":[{"id":"deployment"}]}'],
  ['apigateway', /^GET \/restapis\/api\/stages\/dev$/, READ_API, 200, '{"tags":{}}'],
  ['apigateway', /^PUT \/tags\//, { action: 'apigateway:PUT', on: 'tags' }, 200, '{}'],
  // It deletes a log group that is not there, and goes on when it may not.
  ['logs', /^POST \/$/, undefined, 400, '{"__type":"AccessDeniedException"}'],
];

function answerOfCloudFormation(form: URLSearchParams, stack: Stack): Answered {
  const name = form.get('Action') as string;
  const call: AwsCall = {
    action: `cloudformation:${name}`,
    // A template that is only checked belongs to no stack yet.
    on: name === 'ValidateTemplate' ? 'any' : 'stack',
  };
  if (!stack.exists && name === 'DescribeStacks') {
    const error = '<Error><Code>ValidationError</Code><Message>Stack with id dev does not exist</Message></Error>';
    return [call, 400, `<ErrorResponse>${error}</ErrorResponse>`];
  }
  if (name === 'CreateChangeSet') stack.change = form.get('ChangeSetType') as string;
  if (name === 'ExecuteChangeSet') stack.exists = true;
  const result = RESULTS[name]?.(stack) ?? '';
  return [call, 200, `<${name}Response><${name}Result>${result}</${name}Result></${name}Response>`];
}

const RESULTS: Readonly<Record<string, (stack: Stack) => string>> = {
  CreateChangeSet: () => '<Id>change</Id><StackId>stack</StackId>',
  DescribeChangeSet: () =>
    '<Status>CREATE_COMPLETE</Status><StackId>stack</StackId><Changes><member><Type>Resource</Type></member></Changes>',
  DescribeStackEvents: ({ change }) =>
    `<StackEvents>${stackEvent(`${change}_COMPLETE`)}${stackEvent(`${change}_IN_PROGRESS`)}</StackEvents>`,
  DescribeStackResource: () =>
    '<StackResourceDetail><PhysicalResourceId>bucket</PhysicalResourceId></StackResourceDetail>',
  DescribeStacks: () => '<Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks>',
};

function stackEvent(status: string): string {
  return `<member><EventId>${status}</EventId><StackName>dev</StackName><LogicalResourceId>dev</LogicalResourceId>
    <ResourceType>AWS::CloudFormation::Stack</ResourceType><ResourceStatus>${status}</ResourceStatus></member>`;
}
