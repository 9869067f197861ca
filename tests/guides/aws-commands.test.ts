import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import { openShell } from '../support/guide-shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * What the AWS command line takes: by command, its options, those with `!` always; under the empty name the options of all commands. From
 * the models of version 1.45.11, as `aws SERVICE COMMAND help` lists them. A new command of a guide needs its entry.
 */
const OPTIONS: Readonly<Record<string, string>> = JSON.parse(readFileSync('tests/guides/aws-options.json', 'utf8'));

const root = temporaryFolder();

/** Records what it is called with, and answers as AWS does once nothing needs to be waited for. */
const AWS = `#!/bin/sh
printf '%s\\0' "$@" >> "$RECORD"
printf '\\036\\0' >> "$RECORD"
case "$*" in
  *TableStatus*) echo ACTIVE ;;
  *LatestRestorableDateTime*) echo 9999-01-01T00:00:00+00:00 ;;
  *) echo id ;;
esac
`;

/** Reads all that comes, because what writes into a pipe that nobody reads is ended. */
const JQ = `#!/bin/sh
[ "$1" = -n ] || cat > /dev/null
echo '{}'
`;

/** These would deploy, install and call: here they do nothing. */
const SILENT = Object.fromEntries(['curl', 'npm', 'npx', 'openssl', 'sleep'].map((name) => [name, '#!/bin/sh\n']));

/** Of what is on the machine, commands of guides call these, besides jq. */
const TOOLS = ['base64', 'cat', 'cut', 'date', 'sed', 'sort'];

/** All that a guide has somebody type, in its order: its blocks, its lines in backticks, and the steps of its workflow. */
function scriptOf(guide: string): string {
  const text = readFileSync(`docs/${guide}`, 'utf8');
  const blocks = Array.from(text.matchAll(/^```sh\n(.*?)^```/gms), ([, script = '']) => script);
  const lines = Array.from(text.replace(/^```.*?^```/gms, '').matchAll(/`(aws [^`]* --[^`]*)`/g), ([, line = '']) =>
    line.replaceAll('\n', ' '),
  );
  const workflows = Array.from(text.matchAll(/^```yaml\n(.*?)^```/gms), ([, yaml = '']) => parseYaml(yaml)) as {
    jobs: Record<string, { steps: { run?: string }[] }>;
  }[];
  const steps = workflows.flatMap(({ jobs }) =>
    Object.values(jobs).flatMap((job) => job.steps.map(({ run = '' }) => run)),
  );
  // Each step has a shell of its own, which `exec` ends.
  return [...blocks, ...lines, ...steps.filter(Boolean).map((step) => `(${step}\n)`)].join('\n');
}

/** What is wrong with the options of a command. */
function faultsOf(words: readonly string[]): string[] {
  const isWaiting = words[1] === 'wait';
  const name = words.slice(0, isWaiting ? 3 : 2).join(' ');
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

it("each command of the guides runs, and gives AWS's command line options that it takes, and all that it needs", async () => {
  const guides = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const calls = await Promise.all(
    guides.map(async (guide) => {
      const folder = join(root, guide);
      for (const file of ['docs/deploy-policy.json', 'serverless/dynamodb-table.yml']) cpSync(file, join(folder, file));
      const record = join(folder, 'record');
      writeFileSync(record, '');
      const standIns = { ...SILENT, aws: AWS, jq: JQ };
      await openShell(folder, {
        standIns,
        tools: TOOLS,
        variables: { RECORD: record, STAGE: 'live', GITHUB_OUTPUT: join(folder, 'output') },
      })(scriptOf(guide));
      const words = readFileSync(record, 'utf8').split('\0\x1e\0');
      return words.filter(Boolean).map((call) => call.split('\0'));
    }),
  );
  // These ask a person.
  const regional = calls.flat().filter(([service = '']) => !['configure', 'sso'].includes(service));
  expect(regional.length).toBeGreaterThan(50);
  expect(regional.flatMap(faultsOf)).toEqual([]);
  const used = new Set(regional.map((words) => words.slice(0, words[1] === 'wait' ? 3 : 2).join(' ')));
  expect(Object.keys(OPTIONS).filter((name) => name !== '' && !used.has(name))).toEqual([]);
});
