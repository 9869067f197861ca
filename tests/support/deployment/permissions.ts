import type { AwsCall } from './aws.js';
import type { Resource, Template } from './template-schema.js';

/** A statement of an IAM policy. */
export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: object;
}

const ACCOUNT = '123456789012';
const REGION = 'eu-central-1';
const STACK = 'todo-item-service-live';
const regional = (service: string, resource: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** What CloudFormation names by itself begins with the stack's name. In a bucket's, it shortens both parts to 24 characters. */
const BUCKET = `arn:aws:s3:::${STACK.slice(0, 24)}-serverlessdeploymentbuck*`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/${STACK}-ApiRole-*`;
const APIS = [`arn:aws:apigateway:${REGION}::/restapis`, `arn:aws:apigateway:${REGION}::/restapis/*`];
const API_TAGS = [`arn:aws:apigateway:${REGION}::/tags/*`];

/**
 * Derives the least policy of who deploys: what Serverless Framework calls, and what CloudFormation then does in the same
 * name to create, read, update and delete the resources of the template.
 *
 * @param template - What was packaged, for the stage `dev`.
 * @param calls - What Serverless Framework called.
 * @returns The statements, for the stage `live`.
 * @throws Error naming a type of resource, or a call, for which there is no rule.
 */
export function deriveStatements(template: Template, calls: readonly AwsCall[]): Statement[] {
  const granted = [
    ...calls.map(({ action, on }): Grant => [...(PLACES[on] as readonly [string, readonly string[]]), [action]]),
    ...Object.entries(template.Resources).flatMap(([id, resource]) => grantsOf(id, resource)),
  ];
  const statements = new Map<string, Statement>();
  for (const [Sid, Resource, actions, Condition] of granted) {
    const Action = [...new Set([...(statements.get(Sid)?.Action ?? []), ...actions])].sort();
    const resources = [...new Set([...(statements.get(Sid)?.Resource ?? []), ...Resource])].sort();
    statements.set(Sid, { Sid, Effect: 'Allow', Action, Resource: resources, ...(Condition && { Condition }) });
  }
  return [...statements.values()].sort((one, other) => (one.Sid < other.Sid ? -1 : 1));
}

type Grant = readonly [sid: string, resources: readonly string[], actions: readonly string[], condition?: object];

const PLACES: Readonly<Record<AwsCall['on'], readonly [string, readonly string[]]>> = {
  stack: ['Stack', [regional('cloudformation', `stack/${STACK}/*`)]],
  bucket: ['Bucket', [BUCKET]],
  objects: ['BucketObjects', [`${BUCKET}/*`]],
  function: ['Function', [regional('lambda', `function:${STACK}-api`)]],
  apis: ['Gateway', APIS],
  tags: ['GatewayTags', API_TAGS],
  any: ['Template', ['*']],
};

function grantsOf(id: string, { Type, Properties }: Resource): readonly Grant[] {
  const rule = RULES[Type];
  if (!rule)
    throw new Error(`no rule says what deploying ${id} takes: add ${Type} to tests/support/deployment/permissions.ts`);
  return rule(id, Properties);
}

const VERBS = [grant('Gateway', APIS, 'apigateway', 'DELETE GET PATCH POST PUT')];

/**
 * By type, from the permissions of the handlers in AWS's resource schemas: those for what the templates use. Tags are used
 * by all, because the stack has some.
 */
// biome-ignore lint/suspicious/noExplicitAny: each type of resource has properties of its own.
const RULES: Readonly<Record<string, (id: string, properties: any) => readonly Grant[]>> = {
  'AWS::S3::Bucket': () => [
    grant('Bucket', [BUCKET], 's3', 'CreateBucket DeleteBucket GetEncryptionConfiguration PutEncryptionConfiguration'),
    grant('Bucket', [BUCKET], 's3', 'GetBucketTagging ListTagsForResource PutBucketTagging TagResource UntagResource'),
  ],
  'AWS::S3::BucketPolicy': () => [
    grant('Bucket', [BUCKET], 's3', 'DeleteBucketPolicy GetBucketPolicy PutBucketPolicy'),
  ],
  'AWS::Logs::LogGroup': (id, { LogGroupName }) => {
    const sid = id === 'AccessLog' ? 'AccessLog' : 'Log';
    const arns = logGroup(LogGroupName.replace(/-dev\b/, '-live'));
    return [
      grant(sid, arns, 'logs', 'CreateLogGroup DeleteLogGroup DescribeIndexPolicies GetDataProtectionPolicy'),
      grant(
        sid,
        arns,
        'logs',
        'DeleteRetentionPolicy PutRetentionPolicy ListTagsForResource TagResource UntagResource',
      ),
      grant('LogGroups', [regional('logs', 'log-group:*')], 'logs', 'DescribeLogGroups'),
    ];
  },
  'AWS::Logs::MetricFilter': () => [
    grant(
      'AlarmFilters',
      logGroup(`/aws/lambda/${STACK}-api`),
      'logs',
      'DeleteMetricFilter DescribeMetricFilters PutMetricFilter',
    ),
  ],
  'AWS::IAM::Role': () => [
    grant('Role', [ROLE], 'iam', 'CreateRole DeleteRole GetRole UpdateAssumeRolePolicy ListRoleTags TagRole UntagRole'),
    grant(
      'Role',
      [ROLE],
      'iam',
      'DeleteRolePolicy GetRolePolicy PutRolePolicy ListAttachedRolePolicies ListRolePolicies',
    ),
  ],
  'AWS::Lambda::Function': (_id, { FunctionName }) => {
    const arns = [regional('lambda', `function:${FunctionName.replace('-dev-', '-live-')}`)];
    return [
      grant('Function', arns, 'lambda', 'CreateFunction DeleteFunction GetFunction ListTags TagResource UntagResource'),
      grant('Function', arns, 'lambda', 'UpdateFunctionCode UpdateFunctionConfiguration GetRuntimeManagementConfig'),
      grant('Function', arns, 'lambda', 'GetFunctionCodeSigningConfig GetFunctionRecursionConfig'),
      grant('Function', arns, 'lambda', 'GetFunctionScalingConfig PutFunctionConcurrency DeleteFunctionConcurrency'),
      // Who may pass a role of many rights on to a function of their own would have these rights, too.
      ['PassRole', [ROLE], ['iam:PassRole'], { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } }],
    ];
  },
  'AWS::Lambda::Permission': () => [grant(...PLACES.function, 'lambda', 'AddPermission GetPolicy RemovePermission')],
  'AWS::ApiGateway::RestApi': (_id, { Policy }) => [
    ...VERBS,
    ...(Policy === undefined ? [] : [grant('Gateway', APIS, 'apigateway', 'UpdateRestApiPolicy')]),
    grant('GatewayTags', API_TAGS, 'apigateway', 'DELETE GET PUT'),
  ],
  'AWS::ApiGateway::Resource': () => VERBS,
  'AWS::ApiGateway::Method': () => VERBS,
  'AWS::ApiGateway::Deployment': () => VERBS,
  'AWS::ApiGateway::Stage': () => VERBS,
  'AWS::ApiGateway::GatewayResponse': () => VERBS,
  'AWS::SNS::Topic': (id) => [
    grant('AlarmTopic', topic(id), 'sns', 'CreateTopic DeleteTopic GetTopicAttributes SetTopicAttributes'),
    grant('AlarmTopic', topic(id), 'sns', 'GetDataProtectionPolicy ListSubscriptionsByTopic'),
    grant('AlarmTopic', topic(id), 'sns', 'ListTagsForResource TagResource UntagResource'),
  ],
  'AWS::SNS::Subscription': (_id, { TopicArn }) => [
    grant('AlarmTopic', topic(TopicArn.Ref), 'sns', 'GetSubscriptionAttributes SetSubscriptionAttributes'),
    grant('AlarmTopic', topic(TopicArn.Ref), 'sns', 'Subscribe Unsubscribe'),
  ],
  'AWS::CloudWatch::Alarm': () => [
    grant(
      'Alarms',
      [regional('cloudwatch', `alarm:${STACK}-*`)],
      'cloudwatch',
      'DeleteAlarms ListTagsForResource PutMetricAlarm TagResource UntagResource',
    ),
    grant('AlarmList', [regional('cloudwatch', 'alarm:*')], 'cloudwatch', 'DescribeAlarms'),
  ],
};

function grant(sid: string, arns: readonly string[], service: string, actions: string): Grant {
  return [sid, arns, actions.split(' ').map((action) => `${service}:${action}`)];
}

function logGroup(name: string): readonly string[] {
  const arn = regional('logs', `log-group:${name}`);
  return [arn, `${arn}:*`];
}

function topic(id: string): readonly string[] {
  return [regional('sns', `${STACK}-${id}-*`)];
}
