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

const VERBS: readonly Grant[] = [
  ['Gateway', APIS, ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((verb) => `apigateway:${verb}`)],
];

/**
 * By type, from the permissions of the handlers in AWS's resource schemas: those for what the templates use. Tags are used
 * by all, because the stack has some.
 */
// biome-ignore lint/suspicious/noExplicitAny: each type of resource has properties of its own.
const RULES: Readonly<Record<string, (id: string, properties: any) => readonly Grant[]>> = {
  'AWS::S3::Bucket': () => [
    [
      'Bucket',
      [BUCKET],
      [
        ...['s3:CreateBucket', 's3:DeleteBucket', 's3:GetEncryptionConfiguration', 's3:PutEncryptionConfiguration'],
        ...['s3:GetBucketTagging', 's3:ListTagsForResource', 's3:PutBucketTagging', 's3:TagResource'],
        's3:UntagResource',
      ],
    ],
  ],
  'AWS::S3::BucketPolicy': () => [
    ['Bucket', [BUCKET], ['s3:DeleteBucketPolicy', 's3:GetBucketPolicy', 's3:PutBucketPolicy']],
  ],
  'AWS::Logs::LogGroup': (id, { LogGroupName }) => {
    const arn = regional('logs', `log-group:${LogGroupName.replace(/-dev\b/, '-live')}`);
    return [
      [
        id === 'AccessLog' ? 'AccessLog' : 'Log',
        [arn, `${arn}:*`],
        [
          ...['CreateLogGroup', 'DeleteLogGroup', 'DeleteRetentionPolicy', 'DescribeIndexPolicies'],
          ...['GetDataProtectionPolicy', 'ListTagsForResource', 'PutRetentionPolicy', 'TagResource', 'UntagResource'],
        ].map((action) => `logs:${action}`),
      ],
      ['LogGroups', [regional('logs', 'log-group:*')], ['logs:DescribeLogGroups']],
    ];
  },
  'AWS::Logs::MetricFilter': () => {
    const arn = regional('logs', `log-group:/aws/lambda/${STACK}-api`);
    const actions = ['logs:DeleteMetricFilter', 'logs:DescribeMetricFilters', 'logs:PutMetricFilter'];
    return [['AlarmFilters', [arn, `${arn}:*`], actions]];
  },
  'AWS::IAM::Role': () => [
    [
      'Role',
      [ROLE],
      [
        ...['CreateRole', 'DeleteRole', 'DeleteRolePolicy', 'GetRole', 'GetRolePolicy', 'ListAttachedRolePolicies'],
        ...['ListRolePolicies', 'ListRoleTags', 'PutRolePolicy', 'TagRole', 'UntagRole', 'UpdateAssumeRolePolicy'],
      ].map((action) => `iam:${action}`),
    ],
  ],
  'AWS::Lambda::Function': (_id, { FunctionName }) => [
    [
      'Function',
      [regional('lambda', `function:${FunctionName.replace('-dev-', '-live-')}`)],
      [
        ...['CreateFunction', 'DeleteFunction', 'DeleteFunctionConcurrency', 'GetFunction'],
        ...['GetFunctionCodeSigningConfig', 'GetFunctionRecursionConfig', 'GetFunctionScalingConfig'],
        ...['GetRuntimeManagementConfig', 'ListTags', 'PutFunctionConcurrency', 'TagResource', 'UntagResource'],
        ...['UpdateFunctionCode', 'UpdateFunctionConfiguration'],
      ].map((action) => `lambda:${action}`),
    ],
    // Whoever may pass a role with many rights to a function of their own has these rights, too.
    ['PassRole', [ROLE], ['iam:PassRole'], { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } }],
  ],
  'AWS::Lambda::Permission': () => [
    [...PLACES.function, ['lambda:AddPermission', 'lambda:GetPolicy', 'lambda:RemovePermission']],
  ],
  'AWS::ApiGateway::RestApi': (_id, { Policy }) => [
    ...VERBS,
    ...(Policy === undefined ? [] : [['Gateway', APIS, ['apigateway:UpdateRestApiPolicy']] as const]),
    ['GatewayTags', API_TAGS, ['apigateway:DELETE', 'apigateway:GET', 'apigateway:PUT']],
  ],
  'AWS::ApiGateway::Resource': () => VERBS,
  'AWS::ApiGateway::Method': () => VERBS,
  'AWS::ApiGateway::Deployment': () => VERBS,
  'AWS::ApiGateway::Stage': () => VERBS,
  'AWS::ApiGateway::GatewayResponse': () => VERBS,
  'AWS::SNS::Topic': (id) => [
    [
      'AlarmTopic',
      [regional('sns', `${STACK}-${id}-*`)],
      [
        ...['CreateTopic', 'DeleteTopic', 'GetDataProtectionPolicy', 'GetTopicAttributes', 'ListSubscriptionsByTopic'],
        ...['ListTagsForResource', 'SetTopicAttributes', 'TagResource', 'UntagResource'],
      ].map((action) => `sns:${action}`),
    ],
  ],
  'AWS::SNS::Subscription': (_id, { TopicArn }) => [
    [
      'AlarmTopic',
      [regional('sns', `${STACK}-${TopicArn.Ref}-*`)],
      ['GetSubscriptionAttributes', 'SetSubscriptionAttributes', 'Subscribe', 'Unsubscribe'].map(
        (action) => `sns:${action}`,
      ),
    ],
  ],
  'AWS::CloudWatch::Alarm': () => [
    [
      'Alarms',
      [regional('cloudwatch', `alarm:${STACK}-*`)],
      ['DeleteAlarms', 'ListTagsForResource', 'PutMetricAlarm', 'TagResource', 'UntagResource'].map(
        (action) => `cloudwatch:${action}`,
      ),
    ],
    ['AlarmList', [regional('cloudwatch', 'alarm:*')], ['cloudwatch:DescribeAlarms']],
  ],
};
