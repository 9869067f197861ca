import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openShell } from '../support/guide-shell.js';
import type { Block } from './blocks.js';

/**
 * What the AWS command line takes: by command, its options, those with `!` always; under the empty name the options of all commands. From
 * the models of version 1.45.11, as `aws SERVICE COMMAND help` lists them. A new command of a guide needs its entry.
 */
export const OPTIONS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync('tests/guides/aws-options.json', 'utf8'),
);

/** What a stage may be like. A block is for one of them at least, from its first line to its last. */
const FRONT_DOORS = ['rest', 'http', 'url'];
const WORLDS = ['there', 'deleted'].flatMap((table) =>
  FRONT_DOORS.map((frontDoor) => ({ FRONT_DOOR: frontDoor, TABLE: table })),
);
type World = (typeof WORLDS)[number];

/** Notes what was called, with all arguments. */
const NOTE = `#!/bin/sh
name=\${0##*/}
{ printf '%s\\0' "\${name%.stand-in}" "$@"; printf '\\036\\0'; } >> "$RECORD"
`;

/** Answers as AWS does once nothing needs to be waited for: with nothing, `None` or an error about what a stage does not have. */
const AWS = `${NOTE}
case "$*" in
  *' get-rest-apis '*) [ $FRONT_DOOR != rest ] || echo a1b2c3d4e5 ;;
  *' get-apis '*) [ $FRONT_DOOR != http ] || echo a1b2c3d4e5 ;;
  *' list-backups '*) [ $TABLE = deleted ] && echo arn || echo None ;;
  *' describe-continuous-backups '*LatestRestorable*)
    [ $TABLE = there ] || { printf 'failed\\0TableNotFoundException\\0\\036\\0' >> "$RECORD"; exit 254; }
    echo 9999-01-01T00:00:00+00:00 ;;
  *Table.TableStatus*) echo ACTIVE ;;
  *) echo id ;;
esac
`;

/** Reads all that comes, because what writes into a pipe that is not read is ended. */
const JQ = `${NOTE}
[ "$1" = -n ] || cat > /dev/null
echo '{}'
`;

/** A block that waits for what never comes must end. */
const SLEEP = `${NOTE}
[ "$(tr '\\036' '\\n' < "$RECORD" | grep -ac sleep)" -lt 9 ] || kill $PPID
`;

const STAND_INS = {
  ...Object.fromEntries(['cp', 'curl', 'git', 'npm', 'npx', 'openssl', 'perl'].map((name) => [name, NOTE])),
  aws: AWS,
  jq: JQ,
  sleep: SLEEP,
};

/** Of what is on the machine, commands of guides call these. */
const TOOLS = ['base64', 'cat', 'cut', 'date', 'grep', 'sed', 'sort', 'tr', 'xargs'];

/** What guides read of the project. */
const FILES = ['serverless/dynamodb-table.yml', 'serverless/pipeline.yml', 'serverless/stages.yml'];

/** What the workflow has, and a shell with credentials. */
const GIVEN = {
  STAGE: 'live',
  REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
};

/** What came of a block. */
export interface Pasted {
  /** Undefined if the block runs in some world, with nothing wrong. Otherwise what is wrong in the world where least is. */
  readonly fault: string | undefined;
  /** The commands that it called in the worlds where it runs, each with its arguments. */
  readonly calls: readonly (readonly string[])[];
}

/**
 * Runs a block as a reader pastes it: in a new shell, where no variable is set.
 *
 * @param folder - An empty one.
 */
export async function paste({ script }: Pick<Block, 'script'>, folder: string): Promise<Pasted> {
  const tried: Awaited<ReturnType<typeof run>>[] = [];
  for (const [index, world] of WORLDS.entries()) {
    tried.push(await run(script, join(folder, String(index)), world));
    const isEnough = !DIFFERS.test(script) || tried.length >= FRONT_DOORS.length;
    if (isEnough && tried.some(({ faults }) => faults.length === 0)) break;
  }
  const [least] = tried.toSorted((one, other) => one.faults.length - other.faults.length);
  const calls = tried.filter(({ faults }) => faults.length === 0).flatMap((one) => one.calls);
  return { fault: least?.faults.join('\n') || undefined, calls };
}

/** For each front door, a block with these calls something else. */
const DIFFERS = /get-(rest-)?apis/;

async function run(script: string, home: string, world: World) {
  mkdirSync(home, { recursive: true });
  for (const file of FILES) cpSync(file, join(home, file));
  const record = join(home, 'record');
  writeFileSync(record, '');
  const variables = { ...world, ...GIVEN, RECORD: record, GITHUB_OUTPUT: join(home, 'output') };
  // Each is asked first whether it is the stand-in, which takes time.
  const standIns = Object.fromEntries(Object.entries(STAND_INS).filter(([name]) => script.includes(name)));
  const shell = openShell(home, { standIns, tools: TOOLS, variables });
  const failure = await shell(`set -euo pipefail\n${script}`).then(
    () => [],
    (error: { stderr?: string; message: string }) => [error.stderr?.trim() || error.message],
  );
  const all = readFileSync(record, 'utf8').split('\0\x1e\0').filter(Boolean);
  const calls = all.map((call) => call.split('\0'));
  return { faults: [...failure, ...calls.flatMap(faultsOf), ...changedTwice(calls)], calls };
}

/** What is wrong with a command's arguments. */
function faultsOf([command = '', ...words]: readonly string[]): string[] {
  const told = [command, ...words].join(' ');
  // As an argument of another command, it does not end the script.
  if (command === 'failed') return [told];
  // `None` is what the AWS command line prints of a query that finds nothing.
  const empty = words.some((word) => /^(None)?$|=(,|$)/.test(word)) ? [`an argument is empty: ${told}`] : [];
  return [...empty, ...(command === 'aws' ? unknownOptions(words) : [])];
}

function unknownOptions(words: readonly string[]): string[] {
  // These ask a person.
  if (['configure', 'sso'].includes(words[0] ?? '')) return [];
  const name = nameOf(words);
  const taken = OPTIONS[name]?.split(' ');
  if (!taken) return [`aws-options.json has no aws ${name}`];
  const all = [...taken, ...(OPTIONS['']?.split(' ') ?? [])];
  const given = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
  const unknown = given.filter((option) => !all.includes(option) && !all.includes(`${option}!`));
  const missing = taken.filter((option) => option.endsWith('!') && !given.includes(option.slice(0, -1)));
  return [
    ...unknown.map((option) => `aws ${name} takes no --${option}`),
    ...missing.map((option) => `aws ${name} needs --${option.slice(0, -1)}`),
  ];
}

/** The service and the command, as in `dynamodb wait table-exists`. */
export function nameOf(words: readonly string[]): string {
  return words.slice(0, words[1] === 'wait' ? 3 : 2).join(' ');
}

/** A block that makes and undoes something, or executes what should be read first, has two blocks in it. */
function changedTwice(calls: readonly (readonly string[])[]): string[] {
  // A loop over what a stand-in answers makes the same call again and again.
  const different = [...new Set(calls.map((call) => call.join('\0')))].map((call) => call.split('\0'));
  const changed = different.flatMap(([command, ...words]) => {
    const [service, name = ''] = words;
    const [verb, ...noun] = name.split('-');
    if (command !== 'aws' || /^(configure|sso)$/.test(service ?? '') || READING.test(verb ?? '')) return [];
    const ids = (OPTIONS[nameOf(words)] ?? '').split(' ').filter((option) => /(name|id|arn|key)!?$/.test(option));
    const given = ids.map((option) => option.replace('!', '')).filter((option) => words.includes(`--${option}`));
    return [[service, noun.join('-'), ...given.map((id) => words[words.indexOf(`--${id}`) + 1])].join(' ')];
  });
  const twice = changed.filter((one, index) => changed.indexOf(one) !== index);
  return [...new Set(twice)].map((one) => `changes twice: ${one}`);
}

const READING = /^(describe|get|initiate|list|query|start|wait)$/;
