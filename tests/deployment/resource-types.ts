import { name } from '../../package.json';
import type { Resource, Template } from '../../serverless/changes/deployed-stack.js';
import type { Context, Right } from './pipeline.js';
import { PIPELINE } from './stages.js';

export const GATEWAY = 'arn:aws:apigateway:eu-central-1::';
export const arn = (service: string, name: string) => `arn:aws:${service}:eu-central-1:123456789012:${name}`;

interface ResourceType {
  /** The properties by which AWS tells resources of the type apart; empty where AWS names each, whatever the template says. */
  readonly names: readonly string[];
  /** Whether deleting one loses what it keeps. */
  readonly keepsData?: true;
  /** What CloudFormation needs to create, read, change and delete one, by the ARN on which it acts. */
  readonly rights?: (nameIn: NameIn) => Readonly<Record<string, readonly string[]>>;
  /** What conditions of a policy may compare. */
  readonly context?: (nameIn: NameIn) => Context;
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

/** Lists what CloudFormation needs to create, read, change and delete the resources of a template, in the stack of a stage. */
export function rightsFor({ Resources }: Template, stage: string): Right[] {
  return Object.entries(Resources).flatMap(([id, resource]) => {
    const { rights = () => ({}), context = () => ({}) } = typeOf(resource);
    const nameIn: NameIn = (property) => nameOf(id, resource.Properties?.[property], Resources, `${name}-${stage}`);
    const all: [string, readonly string[]][] = Object.entries(rights(nameIn));
    return all.flatMap(([on, names]) => names.map((action): Right => [action, on, context(nameIn)]));
  });
}

/** Lists the types of which something is known. */
export function knownTypes(): string[] {
  return Object.keys(TYPES);
}

function nameOf(id: string, value: unknown, resources: Template['Resources'], stack: string): string {
  if (typeof value === 'string') return value;
  // CloudFormation takes 24 characters of the id.
  if (value === undefined) return `${stack}-${id.slice(0, 24)}-1A2B3C`;
  if (Array.isArray(value)) return value.map((one) => nameOf(id, one, resources, stack)).join();
  const { Ref, 'Fn::GetAtt': [named] = [Ref], 'Fn::Join': joined } = value as Reference;
  if (joined) return joined[1].map((part) => nameOf(id, part, resources, stack)).join(joined[0]);
  const referred = resources[String(named)];
  const [property = ''] = referred ? typeOf(referred).names : [];
  return nameOf(String(named), referred?.Properties?.[property], resources, stack);
}

const actions = (service: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${service}:${name}`);

const API = `${GATEWAY}/restapis/a1b2c3`;
const HTTP_API = `${GATEWAY}/apis/a1b2c3`;
/** The actions are those of HTTP. */
const ALL = actions('apigateway', 'DELETE GET PATCH POST PUT');
/** REST APIs name the resource encoded, and HTTP APIs as it is. */
const TAGS = {
  [`${GATEWAY}/tags/arn%3Aaws%3Aapigateway%3Aeu-central-1%3A%3A%2Frestapis%2Fa1b2c3`]: ALL,
  [`${GATEWAY}/tags/${HTTP_API}`]: ALL,
};

/** What is made below an API: by POST on all of a kind, or by PUT on one of them. */
const below = (api: string, all: string, one = 'd4e5f6') => ({ [`${api}/${all}`]: ALL, [`${api}/${all}/${one}`]: ALL });

const ALL_LOG_GROUPS = { [arn('logs', 'log-group:*')]: ['logs:DescribeLogGroups'] };

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
  'AWS::ApiGateway::RestApi': { names: [], rights: () => ({ [`${GATEWAY}/restapis`]: ALL, [API]: ALL, ...TAGS }) },
  'AWS::ApiGateway::Stage': {
    names: ['RestApiId', 'StageName'],
    rights: () => ({ ...below(API, 'stages', 'live'), ...TAGS }),
  },
  'AWS::ApiGatewayV2::Api': { names: [], rights: () => ({ [`${GATEWAY}/apis`]: ALL, [HTTP_API]: ALL, ...TAGS }) },
  'AWS::ApiGatewayV2::ApiMapping': {
    // A domain has one without a path in front.
    names: ['DomainName'],
    rights: (nameIn) => below(`${GATEWAY}/domainnames/${nameIn('DomainName')}`, 'apimappings'),
  },
  'AWS::ApiGatewayV2::DomainName': {
    // AWS takes a name once in a region, across all accounts.
    names: ['DomainName'],
    rights: (nameIn) => ({
      [`${GATEWAY}/domainnames`]: ['apigateway:POST'],
      [`${GATEWAY}/domainnames/${nameIn('DomainName')}`]: ALL,
      ...TAGS,
      // The first Regional domain of an account.
      'arn:aws:iam::123456789012:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway': [
        'iam:CreateServiceLinkedRole',
      ],
    }),
  },
  'AWS::ApiGatewayV2::Integration': { names: [], rights: () => below(HTTP_API, 'integrations') },
  'AWS::ApiGatewayV2::Route': { names: ['ApiId', 'RouteKey'], rights: () => below(HTTP_API, 'routes') },
  'AWS::ApiGatewayV2::Stage': {
    names: ['ApiId', 'StageName'],
    rights: () => ({
      ...below(HTTP_API, 'stages', '$default'),
      // For tags, as an error of AWS's says; it is in no list of actions.
      [`${HTTP_API}/stages`]: [...ALL, 'apigateway:TagResource'],
      ...TAGS,
      // For its access log. Source: "Configure logging for HTTP APIs in API Gateway" in API Gateway's guide.
      '*': actions(
        'logs',
        'CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries PutResourcePolicy DescribeResourcePolicies',
      ),
      ...ALL_LOG_GROUPS,
    }),
  },
  'AWS::CloudWatch::Alarm': {
    names: ['AlarmName'],
    rights: (nameIn) => ({
      [arn('cloudwatch', `alarm:${nameIn('AlarmName')}`)]: actions(
        'cloudwatch',
        'DeleteAlarms ListTagsForResource PutMetricAlarm TagResource UntagResource',
      ),
      // AWS lists all of them, whichever is asked for.
      [arn('cloudwatch', 'alarm:*')]: ['cloudwatch:DescribeAlarms'],
    }),
    context: (nameIn) => ({
      'cloudwatch:AlarmActions': [...nameIn('AlarmActions').split(','), ...nameIn('OKActions').split(',')].map(
        (topic) => arn('sns', topic),
      ),
    }),
  },
  'AWS::CloudWatch::Dashboard': {
    names: ['DashboardName'],
    rights: (nameIn) => ({
      // A dashboard has no region.
      [`arn:aws:cloudwatch::123456789012:dashboard/${nameIn('DashboardName')}`]: actions(
        'cloudwatch',
        'DeleteDashboards GetDashboard PutDashboard',
      ),
    }),
  },
  // Its stack is deployed by hand.
  'AWS::DynamoDB::Table': { names: ['TableName'], keepsData: true },
  // With a deployment role, serverless/pipeline.yml makes it, as it makes the bucket.
  'AWS::IAM::Role': { names: ['RoleName'] },
  'AWS::Lambda::Alias': {
    names: ['FunctionName', 'Name'],
    rights: (nameIn) =>
      // Both, because AWS's list of actions names the function, and the ARN of an alias has its name behind that.
      Object.fromEntries(
        ['', `:${nameIn('Name')}`].map((qualifier) => [
          arn('lambda', `function:${nameIn('FunctionName')}${qualifier}`),
          actions('lambda', 'CreateAlias DeleteAlias GetAlias GetProvisionedConcurrencyConfig ListAliases UpdateAlias'),
        ]),
      ),
  },
  'AWS::Lambda::Function': {
    names: ['FunctionName'],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: actions(
        'lambda',
        `CreateFunction DeleteFunction DeleteFunctionConcurrency GetFunction GetFunctionCodeSigningConfig GetFunctionConfiguration
        GetFunctionRecursionConfig GetRuntimeManagementConfig ListTags PutFunctionConcurrency TagResource UntagResource
        UpdateFunctionCode UpdateFunctionConfiguration`,
      ),
      [nameIn('Role')]: ['iam:PassRole'],
      [`arn:aws:s3:::${PIPELINE.deploymentBucket}/key`]: ['s3:GetObject'],
    }),
    context: () => ({ 'iam:PassedToService': 'lambda.amazonaws.com' }),
  },
  'AWS::Lambda::Permission': {
    names: [],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: actions(
        'lambda',
        'AddPermission GetPolicy RemovePermission',
      ),
    }),
    context: (nameIn) => ({ 'lambda:Principal': nameIn('Principal') }),
  },
  'AWS::Lambda::Url': {
    names: ['TargetFunctionArn'],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('TargetFunctionArn')}`)]: actions(
        'lambda',
        'CreateFunctionUrlConfig DeleteFunctionUrlConfig GetFunctionUrlConfig UpdateFunctionUrlConfig',
      ),
    }),
  },
  'AWS::Lambda::Version': {
    // Lambda numbers them.
    names: [],
    rights: (nameIn) => ({
      [arn('lambda', `function:${nameIn('FunctionName')}`)]: actions('lambda', 'ListVersionsByFunction PublishVersion'),
      // The version of a deployment that fails is deleted.
      [arn('lambda', `function:${nameIn('FunctionName')}:7`)]: actions(
        'lambda',
        'DeleteFunction GetFunctionConfiguration GetFunctionScalingConfig GetProvisionedConcurrencyConfig GetRuntimeManagementConfig',
      ),
    }),
  },
  'AWS::Logs::LogGroup': {
    names: ['LogGroupName'],
    keepsData: true,
    rights: (nameIn) => ({
      [arn('logs', `log-group:${nameIn('LogGroupName')}:*`)]: actions(
        'logs',
        'CreateLogGroup DeleteDataProtectionPolicy DeleteLogGroup GetDataProtectionPolicy PutRetentionPolicy',
      ),
      // What is about tags names a group without the asterisk.
      [arn('logs', `log-group:${nameIn('LogGroupName')}`)]: actions(
        'logs',
        'ListTagsForResource TagResource UntagResource',
      ),
      ...ALL_LOG_GROUPS,
    }),
  },
  'AWS::Logs::MetricFilter': {
    // Without a name of its own, it gets one.
    names: ['FilterName', 'LogGroupName'],
    rights: (nameIn) => ({
      [arn('logs', `log-group:${nameIn('LogGroupName')}:*`)]: actions(
        'logs',
        'DeleteMetricFilter DescribeMetricFilters PutMetricFilter',
      ),
    }),
  },
  'AWS::Route53::RecordSet': {
    names: ['HostedZoneId', 'Name', 'Type'],
    rights: (nameIn) => ({
      [`arn:aws:route53:::hostedzone/${nameIn('HostedZoneId')}`]: actions(
        'route53',
        'ChangeResourceRecordSets GetHostedZone ListResourceRecordSets',
      ),
      // How far a change has come.
      'arn:aws:route53:::change/C1': ['route53:GetChange'],
    }),
    context: (nameIn) => ({
      'route53:ChangeResourceRecordSetsNormalizedRecordNames': nameIn('Name'),
      'route53:ChangeResourceRecordSetsRecordTypes': nameIn('Type'),
    }),
  },
  'AWS::S3::Bucket': { names: ['BucketName'], keepsData: true },
  'AWS::S3::BucketPolicy': { names: ['Bucket'] },
  'AWS::SNS::Subscription': {
    names: [],
    rights: (nameIn) => ({
      [arn('sns', nameIn('TopicArn'))]: actions(
        'sns',
        'GetSubscriptionAttributes ListSubscriptionsByTopic Subscribe Unsubscribe',
      ),
    }),
  },
  'AWS::SNS::Topic': {
    names: ['TopicName'],
    rights: (nameIn) => ({
      [arn('sns', nameIn('TopicName'))]: actions(
        'sns',
        `CreateTopic DeleteTopic GetDataProtectionPolicy GetTopicAttributes ListSubscriptionsByTopic ListTagsForResource TagResource
        UntagResource`,
      ),
    }),
  },
};
