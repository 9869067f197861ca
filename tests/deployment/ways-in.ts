import { name } from '../../package.json';
import type { Context, Right } from './pipeline.js';
import { arn, GATEWAY } from './resource-types.js';
import { PIPELINE } from './stages.js';

const role = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
const lambda = (stage: string) => arn('lambda', `function:${name}-${stage}-api`);

/** What the ways below are on. Anything else is an ARN as it stands. */
const THINGS: Readonly<Record<string, string>> = {
  stack: arn('cloudformation', `stack/${name}-live/id`),
  stackOfRoles: arn('cloudformation', 'stack/pipeline-live/id'),
  otherStack: arn('cloudformation', `stack/${name}-other/id`),
  admin: role('admin'),
  pipelineRole: role(`pipeline-${name}-live`),
  deploymentRole: PIPELINE.deploymentRole,
  functionRole: PIPELINE.functionRole,
  reviewRole: role(`review-${name}-live`),
  function: lambda('live'),
  otherFunction: lambda('live-eu'),
  api: `${GATEWAY}/restapis/a1b2c3`,
  httpApi: `${GATEWAY}/apis/a1b2c3`,
  gateway: GATEWAY,
  zone: 'arn:aws:route53:::hostedzone/Z0123456789ABCDEFGHIJ',
  log: arn('logs', `log-group:/aws/lambda/${name}-live-api`),
  otherLog: arn('logs', `log-group:/aws/lambda/${name}-live-eu-api`),
  topic: arn('sns', `${name}-live-AlarmTopic-1A2B3C`),
  otherTopic: arn('sns', `${name}-staging-AlarmTopic-1A2B3C`),
  alarm: arn('cloudwatch', `alarm:${name}-live-FailuresAlarm-1A2B3C`),
  otherDashboard: `arn:aws:cloudwatch::123456789012:dashboard/${name}-staging`,
  items: arn('dynamodb', 'table/items-live'),
  bucket: `arn:aws:s3:::${PIPELINE.deploymentBucket}`,
  otherBucket: 'arn:aws:s3:::pipeline-staging-bucket-1a2b3c4d5e6f',
};

/** What words after a thing say: as which role of CloudFormation's, to which service a role is passed, for whom a permission is. */
const KEYS: Readonly<Record<string, (value: string) => Context>> = {
  as: (value) => ({ 'cloudformation:RoleArn': THINGS[value] ?? value }),
  to: (value) => ({ 'iam:PassedToService': `${value}.amazonaws.com` }),
  for: (value) => ({ 'lambda:Principal': value }),
  with(value) {
    const [key = '', text = ''] = value.split('=');
    return { [key]: text.split(',').map((one) => THINGS[one] ?? one) };
  },
};

/**
 * Reads the calls of a way, which are parted by semicolons: `SERVICE:ACTION,… THING …`.
 *
 * @throws Error naming a thing or a word that is unknown: it would be refused whatever a policy allows.
 */
export function rightsOf(way: string): Right[] {
  return way.split('; ').flatMap((call) => {
    const [, service, names = '', on = '', words = ''] = /^(\w[\w-]*):([\w,]+) (\S+)(.*)$/.exec(call) ?? [];
    const [, thing = '', rest = ''] = /^(\w*)(.*)$/.exec(on) ?? [];
    const resource = /^(arn:|\*$)/.test(on) ? on : THINGS[thing] && THINGS[thing] + rest;
    if (!resource) throw new Error(`"${call}" is on nothing that is known.`);
    const contexts = Array.from(words.matchAll(/ (\w+) (\S+)/g), ([, word = '', value = '']) => {
      const keyed = KEYS[word];
      if (!keyed) throw new Error(`"${call}" has the word ${word}, which is unknown.`);
      return keyed(value);
    });
    return names.split(',').map((action): Right => [`${service}:${action}`, resource, Object.assign({}, ...contexts)]);
  });
}

/** What a stolen session of the pipeline's role might try past a template. */
export const PAST_A_TEMPLATE: Readonly<Record<string, string>> = {
  'a template with its own rights': 'cloudformation:CreateChangeSet stack',
  'a template as another role':
    'cloudformation:CreateChangeSet stack as admin; cloudformation:CreateChangeSet stack as functionRole',
  'what was made elsewhere in its stack':
    'cloudformation:CreateChangeSet stack as deploymentRole with cloudformation:ImportResourceTypes=AWS::DynamoDB::Table',
  'another stack, as the role of this one': 'cloudformation:CreateChangeSet otherStack as deploymentRole',
  'the stack of the roles': 'cloudformation:CreateChangeSet,ExecuteChangeSet stackOfRoles as admin',
  'a stack without a change set': 'cloudformation:CreateStack,UpdateStack stack as deploymentRole',
  'a stack that is deleted': 'cloudformation:DeleteStack stack as deploymentRole',
  'resources that a rollback skips': 'cloudformation:ContinueUpdateRollback,RollbackStack stack as deploymentRole',
  'a policy that keeps main from changing the stack': 'cloudformation:SetStackPolicy stack',
  "CloudFormation's role itself": 'sts:AssumeRole deploymentRole',
  "CloudFormation's role in another service":
    'iam:PassRole deploymentRole to lambda; iam:PassRole deploymentRole to codebuild',
  "an administrator's role": 'iam:PassRole admin to cloudformation; iam:PassRole admin to lambda',
  "the function's role for other code": 'iam:PassRole functionRole to lambda',
  'more rights of the roles': ['pipelineRole', 'deploymentRole', 'functionRole', 'reviewRole']
    .map((role) => `iam:AttachRolePolicy,DeleteRolePermissionsBoundary,PutRolePolicy,UpdateAssumeRolePolicy ${role}`)
    .join('; '),
  'a role, a user or a key': 'iam:CreateRole,CreateUser,CreateAccessKey admin',
  'code that the next release publishes': 'lambda:UpdateFunctionCode function',
  'variables that the next release publishes': 'lambda:UpdateFunctionConfiguration function',
  'a version that `npm run rollback` offers': 'lambda:PublishVersion function',
  'the alias, or its weights': 'lambda:CreateAlias,UpdateAlias function; lambda:UpdateAlias function:current',
  'a permission on the function': 'lambda:AddPermission function for apigateway.amazonaws.com',
  'a permission on an old version': 'lambda:AddPermission function:1 for 210987654321',
  'a URL': 'lambda:CreateFunctionUrlConfig,UpdateFunctionUrlConfig function',
  'calls, and where their results go': 'lambda:InvokeFunction,PutFunctionEventInvokeConfig function',
  'a function that is gone': 'lambda:DeleteFunction function',
  'another stage of the API': 'apigateway:POST api/stages; apigateway:POST api/deployments',
  'variables of the stage of the API': 'apigateway:PATCH api/stages/live',
  'a method or an integration that leads elsewhere':
    'apigateway:PUT api/resources/d4e5f6/methods/GET; apigateway:PATCH httpApi/integrations/d4e5f6',
  'a policy on the API': 'apigateway:UpdateRestApiPolicy,PATCH api',
  'a domain': 'apigateway:POST gateway/domainnames; apigateway:PATCH gateway/domainnames/api.example.com',
  'a record of the zone': 'route53:ChangeResourceRecordSets zone',
  'tags of another stage':
    'apigateway:PUT gateway/tags/arn%3Aaws%3Aapigateway%3Aeu-central-1%3A%3A%2Frestapis%2Fa1%2Fstages%2Fother',
  'tags of an API': 'apigateway:PUT gateway/tags/arn:aws:apigateway:eu-central-1::/restapis/a1b2c3',
  'what the log has': 'logs:GetLogEvents log:log-stream:a; logs:StartQuery,FilterLogEvents log',
  'copies of the log': 'logs:PutSubscriptionFilter log:*',
  'a log that is gone': 'logs:DeleteLogGroup,PutRetentionPolicy log:*',
  'alarms that are mailed elsewhere': 'sns:Subscribe,SetTopicAttributes topic; cloudwatch:PutMetricAlarm alarm',
  'alarms that are off': 'cloudwatch:DisableAlarmActions,DeleteAlarms alarm',
  items: 'dynamodb:GetItem,PutItem,Query,Scan,DeleteTable,UpdateTable,ExportTableToPointInTime items',
  'a bucket that others read':
    's3:PutBucketPolicy,PutBucketAcl,PutBucketPublicAccessBlock bucket; s3:PutObjectAcl bucket/key',
  'a bucket that forgets': 's3:PutBucketVersioning,PutLifecycleConfiguration bucket; s3:DeleteObjectVersion bucket/key',
  "another stage's packages": 's3:PutObject,GetObject otherBucket/key',
};

/** What a template might do for somebody with such a session, if CloudFormation's role let it. */
export const BY_A_TEMPLATE: Readonly<Record<string, string>> = {
  roles: ['functionRole', 'deploymentRole', 'admin']
    .map((role) => `iam:AttachRolePolicy,CreateRole,DeleteRole,PutRolePolicy,UpdateAssumeRolePolicy ${role}`)
    .join('; '),
  'a function with another role': 'iam:PassRole admin to lambda; iam:PassRole functionRole to ec2',
  'a function that others may call': `lambda:PutResourcePolicy function; ${['210987654321', 's3.amazonaws.com']
    .map((principal) => `lambda:AddPermission function for ${principal}`)
    .join('; ')}`,
  'code of others':
    's3:GetObject otherBucket/key; lambda:GetLayerVersion arn:aws:lambda:eu-central-1:210987654321:layer:layer:1',
  'calls of others':
    'lambda:InvokeFunction otherFunction; lambda:InvokeFunction arn:aws:lambda:eu-central-1:210987654321:function:f',
  'what is read for others':
    'lambda:CreateEventSourceMapping *; sns:Publish arn:aws:sns:eu-central-1:210987654321:topic',
  'copies of the log': 'logs:PutSubscriptionFilter,PutDataProtectionPolicy log:*',
  'a topic of others': 'sns:SetTopicAttributes,AddPermission topic',
  'an alarm that ends instances':
    'cloudwatch:PutMetricAlarm alarm with cloudwatch:AlarmActions=topic,arn:aws:automate:eu-central-1:ec2:terminate; cloudwatch:PutCompositeAlarm alarm',
  items: 'dynamodb:GetItem,PutItem,DeleteTable items',
  'a stack within the stack': 'cloudformation:CreateStack otherStack',
  'secrets in a template': 'secretsmanager:GetSecretValue *; ssm:GetParameters *',
  'settings of API Gateway': 'apigateway:PATCH gateway/account; apigateway:POST gateway/vpclinks',
  "the bucket's settings": 's3:PutBucketPolicy bucket; s3:PutObject bucket/key',
  'records of other types':
    'route53:ChangeResourceRecordSets zone with route53:ChangeResourceRecordSetsNormalizedRecordNames=api.example.com with route53:ChangeResourceRecordSetsRecordTypes=NS',
  'other stages':
    'lambda:UpdateFunctionCode otherFunction; logs:DeleteLogGroup otherLog:*; cloudwatch:PutDashboard otherDashboard; sns:DeleteTopic otherTopic',
  'the stage in another region': `lambda:UpdateFunctionCode ${lambda('live').replace('central', 'west')}`,
};
