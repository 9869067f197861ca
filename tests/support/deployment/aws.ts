import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../listen.js';
import { type Parameters, runAll } from './packaging.js';

/** A call of AWS's API, by IAM's names. */
export interface AwsCall {
  /** Such as `s3:PutObject`. */
  readonly action: string;
  readonly resource: string;
  readonly region: string;
  /** What was sent. */
  readonly body: string;
}

export const STACK = 'todo-item-service-live';
const BUCKET = `${STACK}-serverlessdeploymentbuck-1a2b3c`;

/**
 * Deploys the stage `live` with the real Serverless Framework, to a server that answers like AWS. At first there is no stack;
 * then there is one, with six earlier deployments.
 *
 * @param project - The project's folder.
 * @param sets - The parameters of each deployment.
 * @returns What was called.
 * @throws Error with what was printed if a deployment fails, or makes a call that has no answer below.
 */
export async function deployAll(project: string, sets: readonly Parameters[]): Promise<AwsCall[]> {
  const calls: AwsCall[] = [];
  const stack: Stack = { exists: false, change: 'CREATE' };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const [, region = '', service = ''] =
      /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
    const answer = service === 'cloudformation' ? cloudFormation(body, stack) : answerOf(service, request);
    for (const action of answer.actions) calls.push({ action, resource: answer.resource, region, body });
    const type = answer.body.startsWith('<') ? 'text/xml' : 'application/json';
    response.writeHead(answer.status ?? 200, { 'Content-Type': type }).end(answer.body);
  });
  const variables = {
    AWS_ENDPOINT_URL: `http://${await listen(server)}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    SLS_AWS_MONITORING_FREQUENCY: '1',
  };
  const runs = sets.map((live) => ({
    command: ['deploy', '--stage', 'live'],
    stages: { live: { tokenIssuer: 'none', ...live } },
    variables,
  }));
  await runAll(project, runs).finally(() => server.close());
  return calls;
}

interface Stack {
  exists: boolean;
  /** What the last change set does. */
  change: string;
}

interface AwsAnswer {
  /** The rights that the call needs. */
  readonly actions: readonly string[];
  readonly resource: string;
  readonly status?: number;
  readonly body: string;
}

const KEYS = Array.from({ length: 6 }, (_, index) => {
  const time = 1_700_000_000_000 + index;
  return `serverless/todo-item-service/live/${time}-${new Date(time).toISOString()}/compiled-cloudformation-template.json`;
});
const LIST = `<ListBucketResult>${KEYS.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`;
const IDENTITY = `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>
  <Arn>arn:aws:iam::123456789012:user/somebody</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;
const APIS = '{"item":[{"id":"api","name":"todo-item-service-live"}]}';
const FUNCTION = `arn:aws:lambda:eu-central-1:123456789012:function:${STACK}-api`;
const S3 = 'arn:aws:s3:::';
const GATEWAY = 'arn:aws:apigateway:eu-central-1::';

/** The answers: the beginning of the request, the right that it needs and on what, and what is sent back. */
const ANSWERS: readonly (readonly [RegExp, action: string, resource: string, body: string, status?: number])[] = [
  // This needs no right.
  [/^sts POST \/$/, '', '', IDENTITY],
  [/^s3 HEAD \/[^/]+\/$/, 's3:ListBucket', S3 + BUCKET, ''],
  [/^s3 GET \/[^/]+\/\?list-type=2/, 's3:ListBucket', S3 + BUCKET, LIST],
  [/^s3 HEAD \/[^/]+\/./, 's3:GetObject', `${S3}${BUCKET}/key`, ''],
  [/^s3 PUT \/[^/]+\/./, 's3:PutObject', `${S3}${BUCKET}/key`, ''],
  [/^s3 POST \/[^/]+\/\?delete/, 's3:DeleteObject', `${S3}${BUCKET}/key`, '<DeleteResult/>'],
  [/^lambda GET \/2015-03-31\/functions\//, 'lambda:GetFunction', FUNCTION, '{}', 404],
  [/^apigateway GET \/restapis\?/, 'apigateway:GET', `${GATEWAY}/restapis`, APIS],
  [
    /^apigateway GET \/restapis\/api\/deployments/,
    'apigateway:GET',
    `${GATEWAY}/restapis/api/deployments`,
    '{"item":[]}',
  ],
  [
    /^apigateway GET \/restapis\/api\/stages\/live$/,
    'apigateway:GET',
    `${GATEWAY}/restapis/api/stages/live`,
    '{"tags":{}}',
  ],
  [/^apigateway PUT \/tags\//, 'apigateway:PUT', `${GATEWAY}/tags/arn`, '{}'],
  // It tries to delete a log group that does not exist, and goes on if that is denied.
  [/^logs POST \/$/, '', '', '{"__type":"AccessDeniedException"}', 400],
];

function answerOf(service: string, { method, url }: IncomingMessage): AwsAnswer {
  const line = `${service} ${method} ${url}`;
  // Serverless Framework prints a 400, and does not try again.
  const [
    ,
    action = '',
    resource = '',
    body = `{"message":"no answer to ${line}"}`,
    status = body.startsWith('{"message') ? 400 : 200,
  ] = ANSWERS.find(([pattern]) => pattern.test(line)) ?? [];
  return { actions: action ? [action] : [], resource, status, body };
}

function cloudFormation(body: string, stack: Stack): AwsAnswer {
  const form = new URLSearchParams(body);
  const name = form.get('Action') as string;
  const actions = [`cloudformation:${name}`, ...(form.has('Tags.member.1.Key') ? ['cloudformation:TagResource'] : [])];
  // The check of a template names no stack.
  const named = `arn:aws:cloudformation:eu-central-1:123456789012:stack/${STACK}/id`;
  const resource = name === 'ValidateTemplate' ? '*' : named;
  if (!stack.exists && name === 'DescribeStacks') {
    const error = '<Error><Code>ValidationError</Code><Message>Stack with id live does not exist</Message></Error>';
    return { actions, resource, status: 400, body: `<ErrorResponse>${error}</ErrorResponse>` };
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
    DescribeStackResource: `<StackResourceDetail><PhysicalResourceId>${BUCKET}</PhysicalResourceId></StackResourceDetail>`,
    DescribeStacks: '<Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks>',
  };
  return {
    actions,
    resource,
    body: `<${name}Response><${name}Result>${results[name] ?? ''}</${name}Result></${name}Response>`,
  };
}
