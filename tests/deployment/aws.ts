import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { name } from '../../package.json';
import { listen } from '../support/listen.js';
import { type Run, runAll } from './packaging.js';

/** A call of AWS's API. */
export interface AwsCall {
  /** Such as `cloudformation:CreateChangeSet`; of other services, the method: `s3:PUT`. */
  readonly action: string;
  /** The ARN of what it acts on. */
  readonly resource: string;
  readonly region: string;
  /** What was sent. */
  readonly body: string;
}

export const STACK = `${name}-live`;
const BUCKET = `${STACK}-serverlessdeploymentbuck-1a2b3c`;

/** The ARN of what a request acts on, by the path. The other services need no right. */
const ARNS: Readonly<Record<string, (path: string, action: string) => string>> = {
  s3: (path) => `arn:aws:s3:::${path.slice(1)}`,
  lambda: (path) => `arn:aws:lambda:eu-central-1:123456789012:function:${path.split('/')[3]}`,
  apigateway: (path) => `arn:aws:apigateway:eu-central-1::${path}`,
  // The check of a template names no stack.
  cloudformation: (_path, action) =>
    action === 'ValidateTemplate' ? '*' : `arn:aws:cloudformation:eu-central-1:123456789012:stack/${STACK}/id`,
};
const EARLIER = [0, 1, 2, 3, 4, 5].map((index) => {
  const time = 1_700_000_000_000 + index;
  const key = `${time}-${new Date(time).toISOString()}/compiled-cloudformation-template.json`;
  return `<Contents><Key>serverless/${name}/live/${key}</Key></Contents>`;
});

/** The answers, by the beginning of the request. Serverless Framework prints a 400, and does not try again. */
const ANSWERS: readonly (readonly [RegExp, body: string, status?: number])[] = [
  [/^sts /, '<R><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/me</Arn></GetCallerIdentityResult></R>'],
  [/^s3 GET \/[^/]+\/\?list-type=2/, `<ListBucketResult>${EARLIER.join('')}</ListBucketResult>`],
  [/^s3 POST \/[^/]+\/\?delete/, '<DeleteResult/>'],
  [/^s3 (HEAD|PUT) /, ''],
  [/^lambda GET /, '{}', 404],
  [/^apigateway GET \/restapis\?/, `{"item":[{"id":"api","name":"${STACK}"}]}`],
  [/^apigateway GET \/restapis\/api\/deployments/, '{"item":[]}'],
  [/^apigateway (GET \/restapis\/api\/stages\/live|PUT \/tags\/)/, '{"tags":{}}'],
  // It tries to delete a log group that does not exist, and goes on if that is denied.
  [/^logs POST /, '{"__type":"AccessDeniedException"}', 400],
];

/**
 * Deploys the stage `live` with the real Serverless Framework, to a server that answers like AWS. At first there is no stack;
 * then there is one, with six earlier deployments.
 *
 * @param project - The project's folder.
 * @param files - What each deployment is made of.
 * @returns What was called; a call that has no answer above fails the deployment.
 */
export async function deployAll(project: string, files: readonly Run['files'][]): Promise<AwsCall[]> {
  const calls: AwsCall[] = [];
  const stack = { change: '' };
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const body = await text(request);
    const [, region = '', service = ''] = /=\w+\/\d+\/([^/]+)\/(\w+)\//.exec(headers.authorization ?? '') ?? [];
    const action = (service === 'cloudformation' && new URLSearchParams(body).get('Action')) || String(method);
    const line = `${service} ${method} ${url}`;
    const [, answer, status = 200] =
      service === 'cloudformation'
        ? answerOfCloudFormation(action, new URLSearchParams(body), stack)
        : (ANSWERS.find(([pattern]) => pattern.test(line)) ?? [line, `{"message":"no answer to ${line}"}`, 400]);
    const resource = ARNS[service]?.(url.replace(/\?.*/, ''), action);
    if (resource) calls.push({ action: `${service}:${action}`, resource, region, body });
    response
      .writeHead(status, { 'Content-Type': answer.startsWith('<') ? 'text/xml' : 'application/json' })
      .end(answer);
  });
  const variables = {
    AWS_ENDPOINT_URL: `http://${await listen(server)}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    SLS_AWS_MONITORING_FREQUENCY: '1',
  };
  const runs = files.map((files = {}) => ({ command: 'deploy --stage live', files, variables }));
  for (const { code, printed } of await runAll(project, runs)) if (code !== 0) throw new Error(printed);
  server.close();
  return calls;
}

function answerOfCloudFormation(action: string, form: URLSearchParams, stack: { change: string }) {
  if (action === 'DescribeStacks' && !stack.change) {
    const error = '<Error><Code>ValidationError</Code><Message>Stack with id live does not exist</Message></Error>';
    return [action, `<ErrorResponse>${error}</ErrorResponse>`, 400] as const;
  }
  if (action === 'CreateChangeSet') stack.change = form.get('ChangeSetType') as string;
  const event = (state: string) => `<member><EventId>${state}</EventId><StackName>live</StackName>
    <LogicalResourceId>live</LogicalResourceId><ResourceType>AWS::CloudFormation::Stack</ResourceType>
    <ResourceStatus>${stack.change}_${state}</ResourceStatus></member>`;
  const done = '<Status>CREATE_COMPLETE</Status><StackId>stack</StackId>';
  const results: Readonly<Record<string, string>> = {
    CreateChangeSet: '<Id>change</Id><StackId>stack</StackId>',
    DescribeChangeSet: `${done}<Changes><member><Type>Resource</Type></member></Changes>`,
    DescribeStackEvents: `<StackEvents>${event('COMPLETE')}${event('IN_PROGRESS')}</StackEvents>`,
    DescribeStackResource: `<StackResourceDetail><PhysicalResourceId>${BUCKET}</PhysicalResourceId></StackResourceDetail>`,
    DescribeStacks: '<Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks>',
  };
  return [action, `<R><${action}Result>${results[action] ?? ''}</${action}Result></R>`] as const;
}
