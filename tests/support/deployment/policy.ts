import type { AwsCall } from './aws.js';
import type { Resource, Template } from './template.js';

/** A statement of an IAM policy. */
export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: object;
}

/**
 * Derives the smallest policy for deploying: what Serverless Framework calls, and what CloudFormation then calls with the
 * same rights to create, read, update and delete the resources of the template.
 *
 * @param template - What was packaged, for the stage `live`.
 * @param calls - What Serverless Framework called, each with the statement that it belongs to.
 * @returns The statements.
 * @throws Error naming a type of resource for which there is no rule.
 */
export function deriveStatements({ Resources }: Template, calls: readonly AwsCall[]): Statement[] {
  const granted = [
    ...calls,
    ...Object.entries(Resources).flatMap(([id, { Type }]) => {
      const rights = RIGHTS[id] ?? RIGHTS[Type];
      if (!rights) throw new Error(`tests/support/deployment/policy.ts has no rule for ${id}, whose type is ${Type}`);
      return rights.flatMap(([sid, service, actions]) =>
        actions.split(' ').map((action) => [sid, `${service}:${action}`] as const),
      );
    }),
  ];
  const arns = arnsIn(Resources);
  return [...new Set(granted.map(([sid]) => sid))].sort().map((Sid) => ({
    Sid,
    Effect: 'Allow',
    Action: [...new Set(granted.flatMap(([sid, action]) => (sid === Sid ? action : [])))].sort(),
    Resource: arns[Sid] as string[],
    // Otherwise a deployer could pass the role to another service, and so get its rights.
    ...(Sid === 'PassRole' && { Condition: { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } } }),
  }));
}

/** The resources of each statement. The names that CloudFormation chooses begin with the stack's name. */
function arnsIn({ ApiLambdaFunction, ApiLogGroup, AccessLog }: Record<string, Resource>): Record<string, string[]> {
  const name = ApiLambdaFunction?.Properties.FunctionName;
  const stack = name.replace(/-api$/, '');
  const regional = (service: string, resource: string) => `arn:aws:${service}:eu-central-1:123456789012:${resource}`;
  const logGroup = (group: Resource | undefined) => {
    const arn = regional('logs', `log-group:${group?.Properties.LogGroupName}`);
    return [arn, `${arn}:*`];
  };
  // In a bucket's name, CloudFormation shortens both parts to 24 characters.
  const bucket = `arn:aws:s3:::${stack.slice(0, 24)}-serverlessdeploymentbuck*`;
  const role = `arn:aws:iam::123456789012:role/${stack}-ApiRole-*`;
  const gateway = 'arn:aws:apigateway:eu-central-1::';
  return {
    AccessLog: logGroup(AccessLog),
    AlarmFilters: logGroup(ApiLogGroup),
    AlarmList: [regional('cloudwatch', 'alarm:*')],
    AlarmTopic: [regional('sns', `${stack}-AlarmTopic-*`)],
    Alarms: [regional('cloudwatch', `alarm:${stack}-*`)],
    Bucket: [bucket],
    BucketObjects: [`${bucket}/*`],
    Function: [regional('lambda', `function:${name}`)],
    Gateway: [`${gateway}/restapis`, `${gateway}/restapis/*`],
    GatewayTags: [`${gateway}/tags/*`],
    Log: logGroup(ApiLogGroup),
    LogGroups: [regional('logs', 'log-group:*')],
    PassRole: [role],
    Role: [role],
    Stack: [regional('cloudformation', `stack/${stack}/*`)],
    Template: ['*'],
  };
}

type Right = readonly [sid: string, service: string, actions: string];

const VERBS: Right = ['Gateway', 'apigateway', 'DELETE GET PATCH POST PUT'];
const logGroupRights = (sid: string): readonly Right[] => [
  [sid, 'logs', 'CreateLogGroup DeleteLogGroup DescribeIndexPolicies GetDataProtectionPolicy'],
  [sid, 'logs', 'DeleteRetentionPolicy PutRetentionPolicy ListTagsForResource TagResource UntagResource'],
  ['LogGroups', 'logs', 'DescribeLogGroups'],
];

/**
 * By type or id, from the permissions of the handlers in AWS's resource schemas: those that the templates need. All types
 * need those for tags, because the stack has tags.
 */
const RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  'AWS::S3::Bucket': [
    ['Bucket', 's3', 'CreateBucket DeleteBucket GetEncryptionConfiguration PutEncryptionConfiguration'],
    ['Bucket', 's3', 'GetBucketTagging ListTagsForResource PutBucketTagging TagResource UntagResource'],
  ],
  'AWS::S3::BucketPolicy': [['Bucket', 's3', 'DeleteBucketPolicy GetBucketPolicy PutBucketPolicy']],
  'AWS::Logs::LogGroup': logGroupRights('Log'),
  AccessLog: logGroupRights('AccessLog'),
  'AWS::Logs::MetricFilter': [['AlarmFilters', 'logs', 'DeleteMetricFilter DescribeMetricFilters PutMetricFilter']],
  'AWS::IAM::Role': [
    ['Role', 'iam', 'CreateRole DeleteRole GetRole UpdateAssumeRolePolicy ListRoleTags TagRole UntagRole'],
    ['Role', 'iam', 'DeleteRolePolicy GetRolePolicy PutRolePolicy ListAttachedRolePolicies ListRolePolicies'],
  ],
  'AWS::IAM::Policy': [['Role', 'iam', 'DeleteRolePolicy GetRolePolicy PutRolePolicy']],
  'AWS::Lambda::Function': [
    ['Function', 'lambda', 'CreateFunction DeleteFunction GetFunction ListTags TagResource UntagResource'],
    ['Function', 'lambda', 'UpdateFunctionCode UpdateFunctionConfiguration GetRuntimeManagementConfig'],
    ['Function', 'lambda', 'GetFunctionCodeSigningConfig GetFunctionRecursionConfig GetFunctionScalingConfig'],
    ['Function', 'lambda', 'PutFunctionConcurrency DeleteFunctionConcurrency'],
    ['PassRole', 'iam', 'PassRole'],
  ],
  'AWS::Lambda::Permission': [['Function', 'lambda', 'AddPermission GetPolicy RemovePermission']],
  'AWS::ApiGateway::RestApi': [
    VERBS,
    // Serverless Framework gives it an empty policy.
    ['Gateway', 'apigateway', 'UpdateRestApiPolicy'],
    ['GatewayTags', 'apigateway', 'DELETE GET PUT'],
  ],
  'AWS::ApiGateway::Resource': [VERBS],
  'AWS::ApiGateway::Method': [VERBS],
  'AWS::ApiGateway::Deployment': [VERBS],
  'AWS::ApiGateway::Stage': [VERBS],
  'AWS::ApiGateway::GatewayResponse': [VERBS],
  'AWS::SNS::Topic': [
    ['AlarmTopic', 'sns', 'CreateTopic DeleteTopic GetTopicAttributes SetTopicAttributes'],
    ['AlarmTopic', 'sns', 'GetDataProtectionPolicy ListSubscriptionsByTopic'],
    ['AlarmTopic', 'sns', 'ListTagsForResource TagResource UntagResource'],
  ],
  'AWS::SNS::Subscription': [
    ['AlarmTopic', 'sns', 'GetSubscriptionAttributes SetSubscriptionAttributes Subscribe Unsubscribe'],
  ],
  'AWS::CloudWatch::Alarm': [
    ['Alarms', 'cloudwatch', 'DeleteAlarms ListTagsForResource PutMetricAlarm TagResource UntagResource'],
    ['AlarmList', 'cloudwatch', 'DescribeAlarms'],
  ],
};
