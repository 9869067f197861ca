import { UpdateAliasCommand } from '@aws-sdk/client-lambda';
import { type Called, differences, Fault, readAlias, readVersions, type Version, type Versions } from './versions.js';

export interface Deployed extends Called {
  readonly stage: string;
}

export interface Asked {
  /** The version that callers should reach. Without it, nothing is changed. */
  readonly to?: string | undefined;
  /** Whether that version may have other variables. */
  readonly force?: boolean | undefined;
}

/** The only variable that changes neither who may call nor which items they find. */
const HARMLESS = 'LOG_LEVEL';

/**
 * Lists the versions of a function, or lets callers reach another one.
 *
 * @param print - Gets each line.
 * @throws Fault with the reason why callers still reach the same version.
 */
export async function rollBack(deployed: Deployed, { to, force }: Asked, print: (line: string) => void): Promise<void> {
  if (to !== undefined && !/^[1-9]\d*$/.test(to)) throw new Fault(`--to takes the number of a version; got "${to}".`);
  if (to === undefined && force) throw new Fault('--force needs --to with the number of a version.');
  try {
    const versions = await readVersions(deployed);
    const lines = to === undefined ? listed(deployed, versions) : await moved(deployed, versions, to, force);
    for (const line of lines) print(line);
  } catch (error) {
    throw readable(error as Error);
  }
}

export function commandTo(stage: string, version: string): string {
  return `npm run rollback -- --stage ${stage} --to ${version}`;
}

/** A sentence with what AWS answered, or why it did not. */
export function readable(error: Error, service = 'Lambda'): Error {
  const { name, message, errors } = error as Error & { readonly errors?: readonly Error[] };
  // These are sentences already.
  if (error instanceof Fault || name === 'ServerlessError') return error;
  const told = message || errors?.map((one) => one.message).join(', ') || 'no reason given';
  const reason = name.startsWith('AccessDenied') ? 'A right is missing' : `${service} can't be asked (${name})`;
  return new Fault(`${reason}: ${told}`);
}

function listed({ name, stage }: Deployed, { published, current, last }: Versions): string[] {
  const rows = published.map((version) => {
    const { number, deployed } = version;
    return [version === current ? `${number} (current)` : number, deployed, comparison(version, last)];
  });
  const titled = [['Version', 'Deployed (UTC)', 'Beside the last deployment'], ...rows];
  const advice = `To let callers reach another one: ${commandTo(stage, 'VERSION')}`;
  return [
    `Callers of ${name} reach version ${current.number}.`,
    '',
    ...titled.map(([number = '', deployed = '', variables]) => number.padEnd(16) + deployed.padEnd(18) + variables),
    '',
    published.length > 1 ? advice : 'There is no other version to go back to.',
  ];
}

function comparison(version: Version, last: Version): string {
  if (version.role !== last.role) return 'another role';
  const names = differences(version, last);
  if (!names) return 'hidden from you';
  return names.length > 0 ? `other ${names.join(', ')}` : 'the same';
}

async function moved(deployed: Deployed, versions: Versions, to: string, force = false): Promise<string[]> {
  const { published, current, last, revision } = versions;
  const target = published.find(({ number }) => number === to);
  if (!target)
    throw new Fault(`There is no version ${to}: Lambda keeps ${published.map(({ number }) => number).join(', ')}.`);
  if (target === current) return [`Callers reach version ${to} already.`];
  const fault = faultOf(target, last);
  if (fault && !force) throw new Fault(`${fault} Revert the commit and deploy, or add --force.`);
  await move(deployed, to, revision);
  return [
    `New requests reach version ${to}. Those under way end in version ${current.number}.`,
    ...consequences(target, versions),
    'What the former code does to later items: docs/later-changes.md#a-revert',
    `To undo it: ${commandTo(deployed.stage, current.number)}${faultOf(current, last) ? ' --force' : ''}`,
  ];
}

/**
 * The front door and the role stay as the last deployment made them. Other variables may open the stage, or find no
 * table.
 */
function faultOf(target: Version, last: Version): string | undefined {
  const { number, role } = target;
  if (role !== last.role)
    return `Version ${number} runs as ${role}, and the last deployment as ${last.role}. If the former role is gone, the function fails.`;
  const names = differences(target, last)?.filter((name) => name !== HARMLESS);
  if (!names) return `You have no right to see whether version ${number} has other variables than the last deployment.`;
  if (names.length === 0) return undefined;
  return `Version ${number} has other variables than the last deployment: ${names.join(', ')}. A rollback restores neither the front door nor the role, so it might admit callers that it should refuse, or have no access to its table.`;
}

function consequences(target: Version, { current, last }: Versions): string[] {
  const table = ({ variables }: Version) => variables?.TABLE_NAME;
  const isInMemory = [target, current].some((version) => table(version) === '');
  return [
    ...(isInMemory ? ["Items in memory: today's are lost, and former ones may come back."] : []),
    ...(table(target) && table(target) !== table(last)
      ? ['Requests return 503 if the role may not use its table.']
      : []),
  ];
}

async function move(called: Called, to: string, revision: string | undefined): Promise<void> {
  const input = {
    FunctionName: called.name,
    Name: called.alias,
    FunctionVersion: to,
    // No share of the requests goes elsewhere.
    RoutingConfig: { AdditionalVersionWeights: {} },
    RevisionId: revision,
  };
  try {
    await called.lambda.send(new UpdateAliasCommand(input));
  } catch (error) {
    if ((error as Error).name !== 'PreconditionFailedException') throw error;
    // The client repeats a request if it loses the answer, and then meets its own change.
    const { number } = await readAlias(called);
    if (number !== to) throw new Fault(`Meanwhile, a deployment or a person has let callers reach version ${number}.`);
  }
}
