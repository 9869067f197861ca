import { name } from '../../package.json';
import type { Resource, Template } from '../../serverless/changes/stack.js';

/** The stack of the stage `live`. */
export const STACK = `${name}-live`;
/** The bucket to which its deployments are uploaded. */
export const BUCKET = `${STACK}-serverlessdeploymentbuck-1a2b3c`;
export const ROLE = `arn:aws:iam::123456789012:role/${STACK}-ApiRole-1A2B3C`;
export const GATEWAY = 'arn:aws:apigateway:eu-central-1::';
export const arn = (service: string, name: string) => `arn:aws:${service}:eu-central-1:123456789012:${name}`;

/** A right that CloudFormation needs of who deploys. */
export interface Right {
  readonly action: string;
  /** The ARN on which it acts. */
  readonly resource: string;
  /** What conditions of a policy may compare, by their keys. */
  readonly context?: Readonly<Record<string, string>>;
}

/** What is done with a resource. */
export type Doing = 'create' | 'update' | 'delete';

/** Actions on an ARN, by what they are for: one for reading is also needed for each of the others. */
type Actions = { readonly [doing in Doing | 'read']?: readonly string[] };

interface ResourceType {
  /** The properties by which AWS tells resources of the type apart; empty where AWS names each, whatever the template says. */
  readonly names: readonly string[];
  /** Whether deleting one loses what it keeps. */
  readonly keepsData?: true;
  /** What creating, changing and deleting one needs, by the ARN on which it acts. */
  readonly rights: (nameIn: NameIn) => Readonly<Record<string, Actions>>;
  /** What changing some properties needs besides; any other change needs what is under `update`. */
  readonly changing?: Readonly<Record<string, (was: unknown, is: unknown) => readonly string[]>>;
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

/**
 * Lists the rights that CloudFormation needs to create, change or delete a resource.
 *
 * @param doing - What it does with it.
 * @param id - The logical id of the resource.
 * @param template - The template that has it.
 * @param former - The resource that is changed.
 */
export function rightsFor(doing: Doing, id: string, { Resources }: Template, former?: Resource): Right[] {
  const resource = Resources[id] as Resource;
  const { Properties = {} } = resource;
  const { rights, changing = {} } = typeOf(resource);
  const context = contextOf(Properties);
  return Object.entries(rights((property) => nameOf(id, Properties[property], Resources))).flatMap(
    ([arn, { read = [], [doing]: done = [] }]) => {
      const changed = Object.entries(changing).flatMap(([property, actions]) => {
        const [was, is] = [former?.Properties?.[property], Properties[property]];
        return former && JSON.stringify(was) !== JSON.stringify(is) ? actions(was, is) : [];
      });
      return [...read, ...done, ...changed].map((action) => ({ action, resource: arn, context }));
    },
  );
}

function contextOf({ Principal, PermissionsBoundary }: Resource['Properties']): Record<string, string> {
  return {
    'iam:PassedToService': 'lambda.amazonaws.com',
    ...(typeof Principal === 'string' && { 'lambda:Principal': Principal }),
    ...(typeof PermissionsBoundary === 'string' && { 'iam:PermissionsBoundary': PermissionsBoundary }),
  };
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

/** Parts such actions by what they are for. */
const parted = (service: string, names: Readonly<Record<keyof Actions, string>>): Actions =>
  Object.fromEntries(Object.entries(names).map(([doing, list]) => [doing, actions(service, list)]));

/**
 * What AWS's schemas of AWS::S3::Bucket and AWS::S3::BucketPolicy name for create, read, update and delete, but for what acts on
 * objects, on other services and on all buckets.
 */
const BUCKET_ACTIONS = actions(
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
/** What is made is read, changed and deleted as one of its kind. The actions are those of HTTP. */
const ONE: Actions = { read: verbs('GET'), update: verbs('PATCH', 'PUT'), delete: verbs('DELETE') };
const TAGS = {
  [`${GATEWAY}/tags/arn%3Aaws%3Aapigateway`]: { ...ONE, create: verbs('POST', 'PUT') },
};

/** What is made below an API: by POST on all of a kind, or by PUT on one of them. */
const below = (api: string, all: string, one = 'd4e5f6') => ({
  [`${api}/${all}`]: { create: verbs('POST'), read: verbs('GET') },
  [`${api}/${all}/${one}`]: { ...ONE, create: verbs('PUT') },
});

const ALL_LOG_GROUPS = { [arn('logs', 'log-group:*')]: { read: ['logs:DescribeLogGroups'] } };

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
    rights: () => ({ [`${GATEWAY}/restapis`]: { create: verbs('POST') }, [API]: ONE, ...TAGS }),
  },
  'AWS::ApiGateway::Stage': {
    names: ['RestApiId', 'StageName'],
    rights: () => ({ ...below(API, 'stages', 'live'), ...TAGS }),
  },
  'AWS::ApiGatewayV2::Api': {
    names: [],
    rights: () => ({ [`${GATEWAY}/apis`]: { create: verbs('POST') }, [HTTP_API]: ONE, ...TAGS }),
  },
  'AWS::ApiGatewayV2::ApiMapping': {
    // A domain has one without a path in front.
    names: ['DomainName'],
    rights: (nameIn) => below(`${GATEWAY}/domainnames/${nameIn('DomainName')}`, 'apimappings'),
  },
  'AWS::ApiGatewayV2::DomainName': {
    // AWS takes a name once in a region, across all accounts.
    names: ['DomainName'],
    rights: (nameIn) => ({
      [`${GATEWAY}/domainnames`]: { create: verbs('POST') },
      [`${GATEWAY}/domainnames/${nameIn('DomainName')}`]: ONE,
      ...TAGS,
    }),
  },
  'AWS::ApiGatewayV2::Integration': { names: [], rights: () => below(HTTP_API, 'integrations') },
  'AWS::ApiGatewayV2::Route': { names: ['ApiId', 'RouteKey'], rights: () => below(HTTP_API, 'routes') },
  'AWS::ApiGatewayV2::Stage': {
    names: ['ApiId', 'StageName'],
    rights: () => ({
      ...below(HTTP_API, 'stages', '$default'),
      ...TAGS,
      // For its access log. Source: "Configure logging for HTTP APIs in API Gateway" in API Gateway's guide.
      '*': {
        read: actions(
          'logs',
          'CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries PutResourcePolicy DescribeResourcePolicies',
        ),
      },
      ...ALL_LOG_GROUPS,
    }),
  },
  'AWS::CloudWatch::Alarm': {
    names: ['AlarmName'],
    rights: (nameIn) => ({
      [arn('cloudwatch', `alarm:${nameIn('AlarmName')}`)]: parted('cloudwatch', {
        read: 'ListTagsForResource',
        create: 'PutMetricAlarm TagResource',
        update: 'PutMetricAlarm',
        delete: 'DeleteAlarms',
      }),
      // AWS lists all of them, whichever is asked for.
      [arn('cloudwatch', 'alarm:*')]: { read: ['cloudwatch:DescribeAlarms'] },
    }),
  },
  'AWS::CloudWatch::Dashboard': {
    names: ['DashboardName'],
    rights: (nameIn) => ({
      // A dashboard has no region.
      [`arn:aws:cloudwatch::123456789012:dashboard/${nameIn('DashboardName')}`]: parted('cloudwatch', {
        read: 'GetDashboard',
        create: 'PutDashboard',
        update: 'PutDashboard',
        delete: 'DeleteDashboards',
      }),
    }),
  },
  // Its stack is deployed by hand: docs/deploy-policy.json has no right to it on purpose.
  'AWS::DynamoDB::Table': { names: ['TableName'], keepsData: true, rights: () => ({}) },
  'AWS::IAM::Role': {
    names: ['RoleName'],
    rights: (nameIn) => ({
      [`arn:aws:iam::123456789012:role/${nameIn('RoleName')}`]: {
        read: actions('iam', 'GetRole GetRolePolicy ListRolePolicies ListAttachedRolePolicies ListRoleTags'),
        create: actions('iam', 'CreateRole PutRolePolicy TagRole'),
        delete: actions('iam', 'DeleteRole DeleteRolePolicy'),
      },
    }),
    changing: {
      AssumeRolePolicyDocument: () => ['iam:UpdateAssumeRolePolicy'],
      ManagedPolicyArns: () => ['iam:AttachRolePolicy', 'iam:DetachRolePolicy'],
      PermissionsBoundary: (_, is) => [`iam:${typeof is === 'string' ? 'Put' : 'Delete'}RolePermissionsBoundary`],
      Policies: (was, is) => [
        'iam:PutRolePolicy',
        ...(namesOfPolicies(was).some((name) => !namesOfPolicies(is).includes(name)) ? ['iam:DeleteRolePolicy'] : []),
      ],
      Tags: () => ['iam:TagRole', 'iam:UntagRole'],
    },
  },
  'AWS::Lambda::Alias': {
    names: ['FunctionName', 'Name'],
    rights: (nameIn) => ({
      // Both, because AWS's list of actions names the function, and the ARN of an alias has its name behind that.
      ...Object.fromEntries(
        ['', `:${nameIn('Name')}`].map((qualifier) => [
          arn('lambda', `function:${nameIn('FunctionName')}${qualifier}`),
          parted('lambda', {
            read: 'GetAlias ListAliases GetProvisionedConcurrencyConfig',
            create: 'CreateAlias',
            update: 'UpdateAlias',
            delete: 'DeleteAlias',
          }),
        ]),
      ),
    }),
  },
  'AWS::Lambda::Function': {
    names: ['FunctionName'],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: parted('lambda', {
        read: `GetFunction GetFunctionConfiguration GetFunctionCodeSigningConfig GetFunctionRecursionConfig
          GetRuntimeManagementConfig ListTags`,
        create: 'CreateFunction PutFunctionConcurrency TagResource',
        update: 'UpdateFunctionCode UpdateFunctionConfiguration PutFunctionConcurrency DeleteFunctionConcurrency',
        delete: 'DeleteFunction',
      }),
      [`arn:aws:iam::123456789012:role/${nameIn('Role')}`]: { create: ['iam:PassRole'], update: ['iam:PassRole'] },
      [`arn:aws:s3:::${BUCKET}/key`]: { create: ['s3:GetObject'], update: ['s3:GetObject'] },
    }),
    changing: { Tags: () => ['lambda:TagResource', 'lambda:UntagResource'] },
  },
  'AWS::Lambda::Permission': {
    names: [],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: parted('lambda', {
        read: 'GetPolicy',
        create: 'AddPermission',
        update: 'AddPermission RemovePermission',
        delete: 'RemovePermission',
      }),
    }),
  },
  'AWS::Lambda::Url': {
    names: ['TargetFunctionArn'],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('TargetFunctionArn')}`)]: parted('lambda', {
        read: 'GetFunctionUrlConfig',
        create: 'CreateFunctionUrlConfig',
        update: 'UpdateFunctionUrlConfig',
        delete: 'DeleteFunctionUrlConfig',
      }),
    }),
  },
  'AWS::Lambda::Version': {
    // Lambda numbers them.
    names: [],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: {
        read: ['lambda:ListVersionsByFunction'],
        create: ['lambda:PublishVersion'],
      },
      [arn('lambda', `function:${nameIn('FunctionName')}:7`)]: parted('lambda', {
        read: 'GetFunctionConfiguration GetFunctionScalingConfig GetProvisionedConcurrencyConfig GetRuntimeManagementConfig',
        // If the deployment fails.
        create: 'DeleteFunction',
        update: 'DeleteFunction',
        delete: 'DeleteFunction',
      }),
    }),
  },
  'AWS::Logs::LogGroup': {
    names: ['LogGroupName'],
    keepsData: true,
    rights: (nameIn) => ({
      [arn('logs', `log-group:${nameIn('LogGroupName')}:*`)]: parted('logs', {
        read: 'GetDataProtectionPolicy',
        create: 'CreateLogGroup PutRetentionPolicy',
        update: 'PutRetentionPolicy',
        delete: 'DeleteLogGroup DeleteDataProtectionPolicy',
      }),
      // What is about tags names a group without the asterisk.
      [arn('logs', `log-group:${nameIn('LogGroupName')}`)]: {
        read: ['logs:ListTagsForResource'],
        create: ['logs:TagResource'],
      },
      ...ALL_LOG_GROUPS,
    }),
    changing: { Tags: () => ['logs:TagResource', 'logs:UntagResource'] },
  },
  'AWS::Logs::MetricFilter': {
    // Without a name of its own, it gets one.
    names: ['FilterName', 'LogGroupName'],
    rights: (nameIn) => ({
      [arn('logs', `log-group:${nameIn('LogGroupName')}:*`)]: parted('logs', {
        read: 'DescribeMetricFilters',
        create: 'PutMetricFilter',
        update: 'PutMetricFilter',
        delete: 'DeleteMetricFilter',
      }),
    }),
  },
  'AWS::Route53::RecordSet': {
    names: ['HostedZoneId', 'Name', 'Type'],
    rights: (nameIn) => ({
      [`arn:aws:route53:::hostedzone/${nameIn('HostedZoneId')}`]: parted('route53', {
        read: 'GetHostedZone ListResourceRecordSets',
        create: 'ChangeResourceRecordSets',
        update: 'ChangeResourceRecordSets',
        delete: 'ChangeResourceRecordSets',
      }),
      // How far a change has come.
      'arn:aws:route53:::change/*': { read: ['route53:GetChange'] },
    }),
  },
  'AWS::S3::Bucket': {
    names: ['BucketName'],
    keepsData: true,
    rights: (nameIn) => ({
      [`arn:aws:s3:::${nameIn('BucketName').toLowerCase()}`]: {
        create: BUCKET_ACTIONS,
        update: BUCKET_ACTIONS,
        delete: BUCKET_ACTIONS,
      },
    }),
  },
  'AWS::S3::BucketPolicy': {
    names: ['Bucket'],
    rights: (nameIn) => ({
      [`arn:aws:s3:::${nameIn('Bucket').toLowerCase()}`]: parted('s3', {
        read: 'GetBucketPolicy',
        create: 'PutBucketPolicy',
        update: 'PutBucketPolicy',
        delete: 'DeleteBucketPolicy',
      }),
    }),
  },
  'AWS::SNS::Subscription': {
    names: [],
    rights: (nameIn) => ({
      [arn('sns', nameIn('TopicArn'))]: parted('sns', {
        read: 'GetSubscriptionAttributes ListSubscriptionsByTopic',
        create: 'Subscribe',
        update: 'SetSubscriptionAttributes',
        delete: 'Unsubscribe',
      }),
    }),
  },
  'AWS::SNS::Topic': {
    names: ['TopicName'],
    rights: (nameIn) => ({
      [arn('sns', nameIn('TopicName'))]: parted('sns', {
        read: 'GetTopicAttributes GetDataProtectionPolicy ListSubscriptionsByTopic ListTagsForResource',
        create: 'CreateTopic TagResource',
        update: 'SetTopicAttributes',
        delete: 'DeleteTopic',
      }),
    }),
  },
};

function namesOfPolicies(policies: unknown): string[] {
  return (policies as { PolicyName: string }[]).map(({ PolicyName }) => PolicyName);
}
