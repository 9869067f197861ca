import {
  type AccountLimit,
  GetAccountSettingsCommand,
  GetFunctionCommand,
  LambdaClient,
  type LambdaClientConfig,
} from '@aws-sdk/client-lambda';
import { readConfiguration, type TableConfiguration } from '../../functions/configuration.js';
import { connect } from '../../shared/dynamodb/send.js';
import type { Deployment, Resource } from './deployed-stack.js';
import { type Facts, factsOf } from './sentences.js';

export interface Asked extends Deployment {
  readonly config: LambdaClientConfig;
  /** The account to which the caller has signed in. */
  account(): Promise<string>;
}

/**
 * Finds why a deployment would fail, or no request would succeed after it, as far as one call each can tell. Where AWS
 * doesn't answer, the deployment itself will show it.
 *
 * @returns A text for each, with what to do about it.
 */
export async function obstaclesTo(asked: Asked): Promise<string[]> {
  const { deployed, packaged } = asked;
  const is = factsOf(packaged);
  const was = deployed?.template && factsOf({ ...deployed, template: deployed.template });
  // What exists already is no obstacle, even if somebody changed it by hand.
  const isNew = (name: keyof Facts) => is[name] !== '' && is[name] !== was?.[name];
  const found = await Promise.all([
    busyOrBroken(asked),
    isNew('reservedConcurrency') && answered(tooFewInstances(asked, is)),
    isNew('table') && answered(missingTable(asked, is)),
    answered(foreignParts(asked, is, FOREIGN.filter(isNew))),
  ]);
  return found.filter((text) => typeof text === 'string');
}

/** Undefined if AWS does not answer, for example without the right to ask. */
function answered<Answer>(question: Promise<Answer>): Promise<Answer | undefined> {
  return question.catch(() => undefined);
}

/** CloudFormation does not update such a stack. */
function busyOrBroken({ stage, deployed }: Deployment): string | undefined {
  const status = deployed?.status ?? '';
  if (status.endsWith('_IN_PROGRESS'))
    return `CloudFormation is still at work on the stack (${status}). Wait until it has finished.`;
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return `The stack is in the state ${status}. Let CloudFormation go on (docs/deploy.md#a-deployment-that-fails).`;
  if (/^(CREATE_FAILED|ROLLBACK_\w+|DELETE_FAILED)$/.test(status))
    return `The stack is in the state ${status}, in which it can only be removed: npx serverless remove --stage ${stage}`;
  return undefined;
}

/**
 * AWS lets functions reserve all but these. A new account may run fewer at once, so its functions can reserve nothing.
 */
const UNRESERVED = 100;

async function tooFewInstances({ stage, region, packaged, config }: Asked, is: Facts): Promise<string | undefined> {
  const wanted = Number(is.reservedConcurrency);
  const lambda = new LambdaClient(config);
  try {
    const { FunctionName } = (packaged.template.Resources.ApiLambdaFunction as Resource).Properties;
    const found = await answered(lambda.send(new GetFunctionCommand({ FunctionName })));
    const own = found?.Concurrency?.ReservedConcurrentExecutions ?? 0;
    const settings = await lambda.send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions, UnreservedConcurrentExecutions } = settings.AccountLimit as AccountLimit;
    const [all, others] = [Number(ConcurrentExecutions), Number(UnreservedConcurrentExecutions)];
    const kept = Math.min(all, UNRESERVED);
    const free = Math.max(others + own - kept, 0);
    if (wanted <= Math.max(free, own)) return undefined;
    const reason = `The stage reserves ${wanted} of the ${all} instances that this account may run at once in ${region}, but AWS keeps ${kept} for functions that reserve none, so ${free || 'none'} can be had.`;
    return is.table
      ? `${reason} Reserve no more, ask for a higher quota (Service Quotas), or add to serverless/stages.yml, for no limit:

${stage}:
  reservedConcurrency: none
`
      : `${reason} Ask for a higher quota (Service Quotas), or add to serverless/stages.yml, for a table (docs/dynamodb.md):

${stage}:
  table: items-${stage}

or, for items in memory without that limit, where each instance has a list of its own, so that items seem to come and go:

${stage}:
  reservedConcurrency: none
`;
  } finally {
    lambda.destroy();
  }
}

/** In milliseconds. */
const TIMEOUT = 10_000;

async function missingTable({ region, config }: Asked, { table }: Facts): Promise<string | undefined> {
  const { credentials } = new LambdaClient(config).config;
  const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
  const { access } = readConfiguration({
    TABLE_NAME: table,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB || process.env.AWS_ENDPOINT_URL,
  }).table as TableConfiguration;
  const send = connect(access);
  const { text } = await send('DescribeTable', JSON.stringify({ TableName: table }), TIMEOUT);
  if (!text.includes('ResourceNotFoundException')) return undefined;
  return `There is no table ${table} in ${region}, so each request would return 503. Make it first (docs/dynamodb.md):

aws cloudformation deploy --region ${region} --stack-name ${table} --template-file serverless/dynamodb-table.yml
`;
}

/** They name something that must be in the stage's own account. */
const FOREIGN = ['certificate', 'functionRole', 'deploymentRole', 'permissionsBoundary'] as const;

async function foreignParts(
  { account }: Asked,
  is: Facts,
  names: readonly (typeof FOREIGN)[number][],
): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  const own = await account();
  const foreign = names.filter((name) => /^\d{12}$/.test(ownerOf(is[name])) && ownerOf(is[name]) !== own);
  if (foreign.length === 0) return undefined;
  const named = foreign.map((name) => `${name} is of the account ${ownerOf(is[name])}`);
  return `${named.join(', and ')}, but you have signed in to ${own}. Sign in to the other one, or name what is in this one.`;
}

function ownerOf(arn: string): string {
  return String(arn.split(':')[4]);
}
