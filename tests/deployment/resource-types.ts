import { name } from '../../package.json';
import type { Resource, Template } from './packaging.js';

/** The stack of the stage `live`. */
export const STACK = `${name}-live`;
/** The bucket to which its deployments are uploaded. */
export const BUCKET = `${STACK}-serverlessdeploymentbuck-1a2b3c`;
export const GATEWAY = 'arn:aws:apigateway:eu-central-1::';
export const arn = (service: string, name: string) => `arn:aws:${service}:eu-central-1:123456789012:${name}`;

/** A right that CloudFormation needs of whoever deploys. */
export interface Right {
  readonly action: string;
  /** The ARN on which it acts. */
  readonly resource: string;
}

interface ResourceType {
  /** The properties by which AWS tells resources of the type apart; empty where AWS names each, whatever the template says. */
  readonly names: readonly string[];
  /** Whether deleting one loses what it keeps. */
  readonly keepsData?: true;
  /** What creating, changing and deleting one needs, by the ARN on which it acts. */
  readonly rights: (nameIn: NameIn) => Readonly<Record<string, readonly string[]>>;
}

/** Finds the name that a property says, or of what it refers to, or that CloudFormation makes up if the template doesn't say it. */
type NameIn = (property: string) => string;

/** Returns what is known of a type. Throws if that is nothing. */
export function typeOf({ Type }: Resource): ResourceType {
  const known = TYPES[Type];
  if (!known)
    throw new Error(`${Type} is unknown: add it to tests/deployment/resource-types.ts, with its names and rights`);
  return known;
}

interface Reference {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly string[];
  readonly 'Fn::Join'?: readonly [separator: string, parts: readonly unknown[]];
}

/** Lists the rights that a deployment of a template needs. */
export function rightsFor({ Resources }: Template): Right[] {
  return Object.entries(Resources).flatMap(([id, resource]) => {
    const rights = typeOf(resource).rights((property) => nameOf(id, resource.Properties?.[property], Resources));
    return Object.entries(rights).flatMap(([arn, actions]) => actions.map((action) => ({ action, resource: arn })));
  });
}

/** Lists the types of which something is known. */
export function knownTypes(): string[] {
  return Object.keys(TYPES);
}

function nameOf(id: string, value: unknown, resources: Template['Resources']): string {
  if (typeof value === 'string') return value;
  // CloudFormation takes 24 characters of the id.
  if (value === undefined) return `${STACK}-${id.slice(0, 24)}-1A2B3C`;
  const { Ref, 'Fn::GetAtt': [named] = [Ref], 'Fn::Join': joined } = value as Reference;
  if (joined) return joined[1].map((part) => nameOf(id, part, resources)).join(joined[0]);
  const referred = resources[String(named)];
  const [property = ''] = referred ? typeOf(referred).names : [];
  return nameOf(String(named), referred?.Properties?.[property], resources);
}

const actions = (service: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${service}:${name}`);

/**
 * What AWS's schemas of AWS::S3::Bucket and AWS::S3::BucketPolicy name for create, read, update and delete, but for what acts on
 * objects, on other services and on all buckets. Serverless Framework itself lists the bucket.
 */
export const BUCKET_ACTIONS = actions(
  's3',
  `CreateBucket CreateBucketMetadataTableConfiguration
  DeleteBucket DeleteBucketAnalyticsConfiguration DeleteBucketCors DeleteBucketEncryption DeleteBucketLifecycle
  DeleteBucketMetadataTableConfiguration DeleteBucketMetricsConfiguration DeleteBucketPolicy DeleteBucketReplication
  DeleteBucketWebsite
  GetAccelerateConfiguration GetAnalyticsConfiguration GetBucketAbac GetBucketAcl GetBucketCORS GetBucketLogging
  GetBucketMetadataTableConfiguration GetBucketNotification GetBucketObjectLockConfiguration GetBucketOwnershipControls
  GetBucketPolicy GetBucketPublicAccessBlock GetBucketTagging GetBucketVersioning GetBucketWebsite GetEncryptionConfiguration
  GetIntelligentTieringConfiguration GetInventoryConfiguration GetLifecycleConfiguration GetMetricsConfiguration
  GetReplicationConfiguration
  ListBucket ListTagsForResource
  PutAccelerateConfiguration PutAnalyticsConfiguration PutBucketAbac PutBucketAcl PutBucketCORS PutBucketLogging
  PutBucketNotification PutBucketObjectLockConfiguration PutBucketOwnershipControls PutBucketPolicy PutBucketPublicAccessBlock
  PutBucketReplication PutBucketTagging PutBucketVersioning PutBucketWebsite PutEncryptionConfiguration
  PutIntelligentTieringConfiguration PutInventoryConfiguration PutLifecycleConfiguration PutMetricsConfiguration
  PutObjectLockConfiguration PutReplicationConfiguration
  TagResource UntagResource
  UpdateBucketMetadataAnnotationTableConfiguration UpdateBucketMetadataInventoryTableConfiguration
  UpdateBucketMetadataJournalTableConfiguration`,
);

const API = `${GATEWAY}/restapis/a1b2c3`;
const HTTP_API = `${GATEWAY}/apis/a1b2c3`;
const verbs = (...methods: string[]) => methods.map((method) => `apigateway:${method}`);
const TAGGED = verbs('GET', 'POST', 'PUT', 'PATCH', 'DELETE');

/** What is made below an API: by POST on all of a kind, or by PUT on one of them. The actions are those of HTTP. */
const below = (api: string, all: string, one = 'd4e5f6') => ({
  [`${api}/${all}`]: verbs('POST', 'GET'),
  [`${api}/${all}/${one}`]: verbs('GET', 'PUT', 'PATCH', 'DELETE'),
});

/**
 * All types that a stage or the table's stack may have.
 *
 * Source of the rights: the permissions under `handlers` in AWS's schema of the type ("Resource type schemas" in CloudFormation's
 * reference), but for what needs a property that no stage has. Source of the names: "Replacement" and "Required" of each property there.
 */
const TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::ApiGateway::Deployment': { names: [], rights: () => below(API, 'deployments') },
  'AWS::ApiGateway::GatewayResponse': {
    names: ['RestApiId', 'ResponseType'],
    rights: () => below(API, 'gatewayresponses', 'THROTTLED'),
  },
  'AWS::ApiGateway::Method': {
    names: ['RestApiId', 'ResourceId', 'HttpMethod'],
    rights: () => ({
      ...below(API, 'resources/d4e5f6/methods', 'ANY'),
      ...below(API, 'resources/d4e5f6/methods/ANY', 'integration'),
      ...below(API, 'resources/d4e5f6/methods/ANY/responses', '200'),
    }),
  },
  'AWS::ApiGateway::Resource': { names: ['RestApiId', 'ParentId', 'PathPart'], rights: () => below(API, 'resources') },
  'AWS::ApiGateway::RestApi': {
    names: [],
    rights: () => ({
      [`${GATEWAY}/restapis`]: verbs('POST', 'GET'),
      [API]: verbs('GET', 'PUT', 'PATCH', 'DELETE'),
      [`${GATEWAY}/tags/arn%3Aaws%3Aapigateway`]: TAGGED,
    }),
  },
  'AWS::ApiGateway::Stage': {
    names: ['RestApiId', 'StageName'],
    rights: () => ({ ...below(API, 'stages', 'live'), [`${GATEWAY}/tags/arn%3Aaws%3Aapigateway`]: TAGGED }),
  },
  'AWS::ApiGatewayV2::Api': {
    names: [],
    rights: () => ({
      [`${GATEWAY}/apis`]: verbs('POST', 'GET'),
      [HTTP_API]: verbs('GET', 'PUT', 'PATCH', 'DELETE'),
      [`${GATEWAY}/tags/arn%3Aaws%3Aapigateway`]: TAGGED,
    }),
  },
  'AWS::ApiGatewayV2::Integration': { names: [], rights: () => below(HTTP_API, 'integrations') },
  'AWS::ApiGatewayV2::Route': { names: ['ApiId', 'RouteKey'], rights: () => below(HTTP_API, 'routes') },
  'AWS::ApiGatewayV2::Stage': {
    names: ['ApiId', 'StageName'],
    rights: () => ({
      ...below(HTTP_API, 'stages', '$default'),
      [`${GATEWAY}/tags/arn%3Aaws%3Aapigateway`]: TAGGED,
      // For its access log. Source: "Configure logging for HTTP APIs in API Gateway" in API Gateway's guide.
      '*': actions(
        'logs',
        'CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries PutResourcePolicy DescribeResourcePolicies',
      ),
      [arn('logs', 'log-group:*')]: ['logs:DescribeLogGroups'],
    }),
  },
  'AWS::CloudWatch::Alarm': {
    names: ['AlarmName'],
    rights: (nameIn) => ({
      [arn('cloudwatch', `alarm:${nameIn('AlarmName')}`)]: actions(
        'cloudwatch',
        'PutMetricAlarm DescribeAlarms DeleteAlarms TagResource UntagResource ListTagsForResource',
      ),
    }),
  },
  'AWS::CloudWatch::Dashboard': {
    names: ['DashboardName'],
    rights: (nameIn) => ({
      // A dashboard has no region.
      [`arn:aws:cloudwatch::123456789012:dashboard/${nameIn('DashboardName')}`]: actions(
        'cloudwatch',
        'PutDashboard GetDashboard DeleteDashboards',
      ),
    }),
  },
  // Its stack is deployed by hand: docs/deploy-policy.json has no right to it on purpose.
  'AWS::DynamoDB::Table': { names: ['TableName'], keepsData: true, rights: () => ({}) },
  'AWS::IAM::Role': {
    names: ['RoleName'],
    rights: (nameIn) => ({
      [`arn:aws:iam::123456789012:role/${nameIn('RoleName')}`]: actions(
        'iam',
        `CreateRole GetRole DeleteRole PutRolePolicy GetRolePolicy DeleteRolePolicy PutRolePermissionsBoundary UpdateAssumeRolePolicy
        ListRolePolicies ListAttachedRolePolicies ListRoleTags TagRole UntagRole`,
      ),
    }),
  },
  'AWS::Lambda::Alias': {
    names: ['FunctionName', 'Name'],
    rights: (nameIn) => ({
      // Both, because AWS's list of actions names the function, and the ARN of an alias has its name behind that.
      ...Object.fromEntries(
        ['', `:${nameIn('Name')}`].map((qualifier) => [
          arn('lambda', `function:${nameIn('FunctionName')}${qualifier}`),
          actions('lambda', 'CreateAlias GetAlias UpdateAlias ListAliases DeleteAlias GetProvisionedConcurrencyConfig'),
        ]),
      ),
    }),
  },
  'AWS::Lambda::Function': {
    names: ['FunctionName'],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: actions(
        'lambda',
        `CreateFunction GetFunction GetFunctionConfiguration GetFunctionCodeSigningConfig GetFunctionRecursionConfig
        GetRuntimeManagementConfig UpdateFunctionCode UpdateFunctionConfiguration PutFunctionConcurrency DeleteFunctionConcurrency
        ListTags TagResource UntagResource DeleteFunction`,
      ),
      [`arn:aws:iam::123456789012:role/${nameIn('Role')}`]: ['iam:PassRole'],
      [`arn:aws:s3:::${BUCKET}/key`]: ['s3:GetObject'],
    }),
  },
  'AWS::Lambda::Permission': {
    names: [],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: actions(
        'lambda',
        'AddPermission GetPolicy RemovePermission',
      ),
    }),
  },
  'AWS::Lambda::Url': {
    names: ['TargetFunctionArn'],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('TargetFunctionArn')}`)]: actions(
        'lambda',
        'CreateFunctionUrlConfig GetFunctionUrlConfig UpdateFunctionUrlConfig DeleteFunctionUrlConfig',
      ),
    }),
  },
  'AWS::Lambda::Version': {
    // Lambda numbers them.
    names: [],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: actions('lambda', 'PublishVersion ListVersionsByFunction'),
      [arn('lambda', `function:${nameIn('FunctionName')}:7`)]: actions(
        'lambda',
        'GetFunctionConfiguration GetFunctionScalingConfig GetProvisionedConcurrencyConfig GetRuntimeManagementConfig DeleteFunction',
      ),
    }),
  },
  'AWS::Logs::LogGroup': {
    names: ['LogGroupName'],
    keepsData: true,
    rights: (nameIn) => ({
      [arn('logs', `log-group:${nameIn('LogGroupName')}:*`)]: actions(
        'logs',
        'CreateLogGroup PutRetentionPolicy DeleteRetentionPolicy DeleteLogGroup',
      ),
      // What is about tags names a group without the asterisk.
      [arn('logs', `log-group:${nameIn('LogGroupName')}`)]: actions(
        'logs',
        'ListTagsForResource TagResource UntagResource',
      ),
      [arn('logs', 'log-group:*')]: ['logs:DescribeLogGroups'],
    }),
  },
  'AWS::Logs::MetricFilter': {
    // Without a name of its own, it gets one.
    names: ['FilterName', 'LogGroupName'],
    rights: (nameIn) => ({
      [arn('logs', `log-group:${nameIn('LogGroupName')}:*`)]: actions(
        'logs',
        'PutMetricFilter DescribeMetricFilters DeleteMetricFilter',
      ),
    }),
  },
  'AWS::S3::Bucket': {
    names: ['BucketName'],
    keepsData: true,
    rights: (nameIn) => ({ [`arn:aws:s3:::${nameIn('BucketName').toLowerCase()}`]: BUCKET_ACTIONS }),
  },
  'AWS::S3::BucketPolicy': {
    names: ['Bucket'],
    rights: (nameIn) => ({
      [`arn:aws:s3:::${nameIn('Bucket').toLowerCase()}`]: actions(
        's3',
        'GetBucketPolicy PutBucketPolicy DeleteBucketPolicy',
      ),
    }),
  },
  'AWS::SNS::Subscription': {
    names: [],
    rights: (nameIn) => ({
      [arn('sns', nameIn('TopicArn'))]: actions(
        'sns',
        'Subscribe Unsubscribe GetSubscriptionAttributes SetSubscriptionAttributes ListSubscriptionsByTopic',
      ),
    }),
  },
  'AWS::SNS::Topic': {
    names: ['TopicName'],
    rights: (nameIn) => ({
      [arn('sns', nameIn('TopicName'))]: actions(
        'sns',
        'CreateTopic GetTopicAttributes SetTopicAttributes ListSubscriptionsByTopic ListTagsForResource TagResource UntagResource DeleteTopic',
      ),
    }),
  },
};
