import { isDeepStrictEqual } from 'node:util';
import { type Deployment, normalized, type Resource, type Stack } from './deployed-stack.js';
import { factsOf, type Sentence, sentencesOf } from './sentences.js';

export interface Changes {
  readonly none: boolean;
  /** What callers and operators notice, warnings first; last, what happens to the code. */
  readonly sentences: readonly Sentence[];
  /** A line for each resource of CloudFormation that changes. */
  readonly resources: readonly string[];
}

export function compare(from: Stack, to: Stack): Changes {
  const [was, is] = [factsOf(from), factsOf(to)];
  const [before, after] = [asReturned(from), asReturned(to)];
  return {
    none: was.version === is.version && was.deploymentRole === is.deploymentRole && isDeepStrictEqual(before, after),
    sentences: [...deletionsOf(before, after), ...sentencesOf(was, is), codeOf(from, to, was.version === is.version)],
    resources: differencesOf(before.Resources, after.Resources),
  };
}

export interface Forecast {
  readonly lines: readonly string[];
  readonly warns: boolean;
  /** Only if it is certain. */
  readonly none: boolean;
}

/** @param verbose - Whether to list each resource. */
export function forecast({ stage, region, deployed, packaged }: Deployment, verbose = false): Forecast {
  if (!deployed || (deployed.template && !deployed.template.Resources.ApiLambdaFunction))
    return {
      lines: [`Nothing of ${stage} is deployed in ${region} yet, so everything would be new.`],
      warns: false,
      none: false,
    };
  const { template, role, status } = deployed;
  if (!template) {
    const reason = `because its stack is in the state ${status} (docs/deploy.md#a-deployment-that-fails)`;
    return { lines: [`! What a deployment would change of ${stage} is unknown, ${reason}.`], warns: true, none: false };
  }
  const { none, sentences, resources } = compare({ template, role }, packaged);
  if (none) return { lines: [`A deployment would change nothing of ${stage}.`], warns: false, none };
  const [changing, them] = resources.length === 1 ? ['1 changes', 'it'] : [`${resources.length} change`, 'them'];
  const count = `Of CloudFormation's resources, ${changing}:`;
  const lines = [
    `A deployment would change ${stage}:`,
    '',
    ...sentences.map(({ text, warns }) => `${warns ? '!' : ' '} ${text}`),
    ...(resources.length > 0 ? ['', verbose ? count : `${count} --verbose lists ${them}.`] : []),
    ...(verbose ? resources : []),
  ];
  return { lines, warns: sentences.some(({ warns }) => warns), none };
}

/** CloudFormation returns letters beyond ASCII as question marks. */
function asReturned({ template }: Stack): Stack['template'] {
  return JSON.parse(JSON.stringify(normalized(template)).replaceAll(/[^\0-\x7f]/gu, '?'));
}

function codeOf({ template: from }: Stack, { template: to }: Stack, isSameVersion: boolean): Sentence {
  const hashOf = ({ Resources }: Stack['template']) =>
    Object.values(Resources).find(({ Type }) => Type === 'AWS::Lambda::Version')?.Properties.CodeSha256;
  const code = `The code is ${hashOf(from) === hashOf(to) ? 'the same' : 'new'}.`;
  return {
    text: `${code} ${isSameVersion ? 'The running instances stay.' : 'A new version takes the requests.'}`,
    warns: false,
  };
}

type Resources = Readonly<Record<string, Resource>>;

/**
 * Types of resources that lose their content with them, and the property that names them. Another name makes another
 * resource.
 */
const KEEPERS: Readonly<Record<string, string>> = {
  'AWS::Cognito::UserPool': 'UserPoolName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Kinesis::Stream': 'Name',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::RDS::DBInstance': 'DBInstanceIdentifier',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::SQS::Queue': 'QueueName',
};

/** Each has a sentence. */
const KNOWN = ['AccessLog', 'ServerlessDeploymentBucket'];

function deletionsOf({ Resources: before }: { Resources: Resources }, { Resources: after }: { Resources: Resources }) {
  return Object.entries(before)
    .filter(([id, { Type, Properties, DeletionPolicy = '' }]) => {
      const name = KEEPERS[Type];
      if (!name || KNOWN.includes(id) || DeletionPolicy.startsWith('Retain')) return false;
      const next = after[id];
      return next?.Type !== Type || next.Properties?.[name] !== Properties?.[name];
    })
    .map(([id, { Type }]) => ({ text: `${id} (${Type}) is deleted, with what it keeps.`, warns: true }));
}

function differencesOf(before: Resources, after: Resources): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id) => {
    const [old, next] = [before[id], after[id]];
    if (isDeepStrictEqual(old, next)) return [];
    if (!old || !next) return [`${old ? '-' : '+'} ${id} (${(old ?? next)?.Type})`];
    return [`~ ${id} (${next.Type}): ${pathsOf(old, next).join(', ')}`];
  });
}

/** The paths at which two values differ, without those below lists. */
function pathsOf(old: unknown, next: unknown, path = ''): string[] {
  if (isDeepStrictEqual(old, next)) return [];
  if (!isParts(old) || !isParts(next)) return [path];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((name) =>
    pathsOf(old[name], next[name], path === '' || path === 'Properties' ? name : `${path}.${name}`),
  );
}

function isParts(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !Object.keys(value).some((name) => /^(Ref$|Fn::)/.test(name));
}
