import {
  type FunctionConfiguration,
  GetAliasCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
} from '@aws-sdk/client-lambda';

/** Why callers can't be moved, in a sentence. */
export class Fault extends Error {}

export interface Called {
  readonly lambda: LambdaClient;
  readonly name: string;
  readonly alias: string;
}

/** Code and variables that a deployment has set together. */
export interface Version {
  readonly number: string;
  /** In UTC, for example `2026-11-23 18:40`. */
  readonly deployed: string;
  /** Undefined if the caller may not read them. */
  readonly variables: Readonly<Record<string, string>> | undefined;
  readonly role: string | undefined;
}

export interface Versions {
  /** The latest first. They never change. */
  readonly published: readonly Version[];
  /** The version that callers reach. */
  readonly current: Version;
  /** What the last deployment has set, as it has the front door and the role. */
  readonly last: Version;
  /** Of the alias. With it, Lambda moves the alias only if nobody else has moved it meanwhile. */
  readonly revision: string | undefined;
}

/** What Lambda calls the code and the variables that were set last. */
const LAST = '$LATEST';

/** @throws Fault if the function or its alias does not exist; or an exception of Lambda. */
export async function readVersions(called: Called): Promise<Versions> {
  const { lambda, name } = called;
  const all: Version[] = [];
  try {
    for await (const { Versions = [] } of paginateListVersionsByFunction({ client: lambda }, { FunctionName: name }))
      all.push(...Versions.map(versionOf));
  } catch (error) {
    throw isMissing(error) ? new Fault(`There is no function ${name} in this region of the account.`) : error;
  }
  const published = all.filter(({ number }) => number !== LAST).sort((a, b) => Number(b.number) - Number(a.number));
  const last = all.find(({ number }) => number === LAST);
  const { number, revision } = await readAlias(called);
  const current = published.find((version) => version.number === number);
  if (!last || !current) throw new Fault(`Lambda has not listed version ${number}, which callers reach. Try again.`);
  return { published, current, last, revision };
}

/** @throws Fault if the alias does not exist; or an exception of Lambda. */
export async function readAlias({
  lambda,
  name,
  alias,
}: Called): Promise<{ readonly number: string; readonly revision: string | undefined }> {
  try {
    const found = await lambda.send(new GetAliasCommand({ FunctionName: name, Name: alias }));
    return { number: String(found.FunctionVersion), revision: found.RevisionId };
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Fault(`${name} has no alias "${alias}": it was deployed before there were versions. Deploy it again.`);
  }
}

/** The names of the variables that differ; undefined if somebody can't read them. */
export function differences({ variables: ones }: Version, { variables: others }: Version): string[] | undefined {
  if (!ones || !others) return undefined;
  const names = new Set([...Object.keys(ones), ...Object.keys(others)]);
  return [...names].filter((name) => (ones[name] ?? '') !== (others[name] ?? '')).sort();
}

function versionOf({ Version, LastModified = '', Environment, Role }: FunctionConfiguration): Version {
  return {
    number: String(Version),
    deployed: LastModified.slice(0, 16).replace('T', ' '),
    variables: Environment?.Error ? undefined : (Environment?.Variables ?? {}),
    role: Role,
  };
}

function isMissing(error: unknown): boolean {
  return (error as Error).name === 'ResourceNotFoundException';
}
