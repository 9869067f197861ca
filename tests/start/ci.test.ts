import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { load as parseYaml } from 'js-yaml';
import { openShell } from '../support/guide-shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = temporaryFolder();

/** Says what it is called with, and installs as npm does: it leaves a file there. */
const NPM = `#!/bin/sh
echo "npm $*"
case "$*" in
  ci*) mkdir -p "\${3:-.}/node_modules" && touch "\${3:-.}/node_modules/.package-lock.json" ;;
esac
`;
/** The packages of tests/runtime are installed some time after the first tests have run. */
const SLOW = `${NPM}case "$*" in
  'ci --prefix tests/runtime')
    rm tests/runtime/node_modules/.package-lock.json
    until [ -e tested ]; do sleep 0.05; done
    sleep 0.5
    touch tests/runtime/node_modules/.package-lock.json ;;
  test*) touch tested ;;
esac
`;
/** `npm test` fails while the packages of tests/runtime are being installed. */
const FAILING = `#!/bin/sh
case "$*" in
  'ci --prefix tests/runtime') exec > /dev/null 2>&1; until [ -e failed ]; do sleep 0.05; done; sleep 0.5; touch installed ;;
  test*) touch failed; exit 1 ;;
esac
`;
/** Answers about tests/runtime as npm does where a package has a known fault, and about the other where the registry has no answer. */
const AUDITING = `#!/bin/sh
case "$*" in
  *' --prefix .') echo 'npm error audit endpoint returned an error' >&2; exit 1 ;;
  *) echo "$ANSWER about $*"; [ "$ANSWER" = nothing ] ;;
esac
`;
const saying = (name: string) => `#!/bin/sh\necho "${name} $*"\n`;
const TOOLS = ['bash', 'dirname', 'mkdir', 'node', 'paste', 'rm', 'sed', 'sleep', 'touch'];

/** Opens a shell in a folder that has the script and lock files, on a machine with or without the system packages. */
function prepare(user: string, has: readonly string[], variables = {}, npm = NPM) {
  const home = mkdtempSync(join(root, 'clone-'));
  cpSync('.ci', join(home, '.ci'), { recursive: true });
  for (const folder of ['.', 'tests/runtime']) {
    mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, folder, 'package-lock.json'), '{}');
  }
  const names = ['apt-get', 'npx', 'sudo', ...has];
  const others = Object.fromEntries(names.map((name) => [name, saying(name)]));
  const standIns = { ...others, npm, id: `#!/bin/sh\necho ${user}\n` };
  const shell = openShell(home, { standIns, tools: TOOLS, variables: { SEED: '7', ...variables } });
  /** Runs the script, and returns what it prints below its seed. */
  const run = async (words: string) => (await shell(`bash .ci/run ${words}`)).trimEnd().split('\n').slice(1);
  return { home, run, shell };
}

const ALL = ['cmake', 'make', 'g++', 'jq', 'java'];

describe('.ci/run', () => {
  it('without a word runs all parts, after it has installed what their lock files name', async () => {
    const { run } = prepare('0', ALL, {}, SLOW);
    const lines = await run('');
    const installing = 'npm ci --prefix tests/runtime';
    expect(lines.filter((line) => line === installing)).toHaveLength(1);
    expect(lines.filter((line) => line !== installing)).toEqual([
      'npm ci',
      'npm run check',
      'npm test -- --randomize --seed 7',
      'npm run build',
      'npx jest tests/runtime --testPathIgnorePatterns=/node_modules/',
      expect.stringMatching(/^npx jest --coverage --randomize --seed 7 .*functions.*shared/),
    ]);
  });

  it('runs one part, and installs what is not there yet', async () => {
    const { run } = prepare('0', ALL);
    expect(await run('check')).toEqual(['npm ci --prefix .', 'npm run check']);
    expect(await run('test')).toEqual(['npm test -- --randomize --seed 7']);
    expect(await run('contract')).toEqual([
      'npm ci --prefix tests/contract',
      'npm run build',
      'npx tsx tests/contract/clients/contract.mjs',
    ]);
    await expect(run('tests')).rejects.toThrow(/There is no part "tests", but advisories check .*test/);
  });

  it('asks for advisories: a known fault fails, and no answer is said', async () => {
    const variables = { GITHUB_ACTIONS: 'true' };
    const { run } = prepare('0', ALL, { ...variables, ANSWER: 'nothing' }, AUDITING);
    expect(await run('advisories')).toEqual([
      'npm error audit endpoint returned an error',
      '::warning::package-lock.json: the registry did not answer, so whether its packages have known faults is not known.',
      'tests/runtime/package-lock.json: nothing about audit --package-lock-only --audit-level moderate --prefix tests/runtime',
    ]);
    const finding = prepare('0', ALL, { ...variables, ANSWER: 'js-yaml' }, AUDITING).run('advisories');
    await expect(finding).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/not known\.\ntests\/runtime\/package-lock\.json: js-yaml about/),
    });
  });

  it('takes another seed each time, unless it is told one, and prints with which the same choices are made again', async () => {
    const seeds: string[] = [];
    for (const SEED of ['', '', '', '42']) {
      const { shell } = prepare('0', ALL, { SEED });
      const printed = await shell('bash .ci/run test');
      const [, seed = ''] =
        /^To repeat the random choices of this run: SEED=(\d+) \.ci\/run test\n/.exec(printed) ?? [];
      expect(printed).toContain(`npm test -- --randomize --seed ${seed}\n`);
      seeds.push(seed);
    }
    expect(seeds.at(-1)).toBe('42');
    expect(new Set(seeds).size).toBeGreaterThan(2);
  });

  it.each([
    ['root installs them', '0', {}, ''],
    ['CI installs them with sudo', '1000', { CI: 'true' }, 'sudo '],
  ])('where system packages are missing, %s', async (_who, user, variables, before) => {
    const { run } = prepare(user, ['make', 'jq'], variables);
    expect((await run('runtime')).slice(0, 2)).toEqual([
      `${before}apt-get update`,
      `${before}apt-get install --yes --no-install-recommends cmake g++`,
    ]);
  });

  it('names those that are missing to anybody else, and runs nothing', async () => {
    const { home, run } = prepare('1000', ['make', 'jq']);
    await expect(run('')).rejects.toThrow('Missing: cmake g++. Install them, or run this as root.');
    expect(existsSync(join(home, 'node_modules'))).toBe(false);
  });

  it('leaves nothing running in the background when something fails', async () => {
    const { home, run } = prepare('0', ALL, {}, FAILING);
    await expect(run('')).rejects.toThrow('Command failed');
    expect(existsSync(join(home, 'installed'))).toBe(true);
  });
});

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: object;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly name?: string;
    readonly with?: object;
  }[];
}

const FOLDER = '.github/workflows';
const workflow = (name: string) => parseYaml(readFileSync(`${FOLDER}/${name}.yml`, 'utf8')) as Workflow;

/** The steps that run something, by their names. */
const partsOf = ({ steps }: Job | { steps: [] } = { steps: [] }) =>
  steps.filter(({ run }) => run).map(({ name, run }) => `${name}: ${run}`);

/** The first majors of the actions that run on Node.js 24: GitHub removed the one of those before. */
const ON_NODE_24: Readonly<Record<string, number>> = {
  'actions/checkout': 5,
  'actions/setup-node': 5,
  'actions/upload-artifact': 6,
  'aws-actions/configure-aws-credentials': 6,
};

describe('the workflows of this project', () => {
  it.each(readdirSync(FOLDER))('%s may only read, keeps no credentials, and names what it uses by its hash', (name) => {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
    const { permissions, jobs } = parseYaml(text) as Workflow;
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) {
      expect(job.permissions).toBeUndefined();
      for (const { uses, with: options } of job.steps) {
        if (uses) expect(uses).toMatch(/^actions\/[a-z-]+@[\da-f]{40}$/);
        if (uses?.startsWith('actions/checkout@')) expect(options).toMatchObject({ 'persist-credentials': false });
      }
    }
    expect(text).not.toMatch(/secrets\./);
  });

  it('and the pipeline in the guide agree on what they use: one release of each action, on a Node.js that GitHub still runs', () => {
    const texts = [...readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`), 'docs/deploy-from-ci.md'].map((file) =>
      readFileSync(file, 'utf8'),
    );
    const used = texts.flatMap((text) => Array.from(text.matchAll(/ uses: (\S+)@(.*)/g), ([, ...use]) => use));
    const releases = new Map(used as [string, string][]);
    for (const [action, release] of used) expect([action, release]).toEqual([action, releases.get(action as string)]);
    const majors = Array.from(releases, ([action, release]) => [
      action,
      /^[\da-f]{40} # v(\d+)\.\d+\.\d+$/.exec(release)?.[1],
    ]);
    for (const [action = '', major] of majors)
      expect(Number(major)).toBeGreaterThanOrEqual(ON_NODE_24[action] ?? Infinity);
    expect([...releases.keys()].sort()).toEqual(Object.keys(ON_NODE_24));
  });

  it('CI tests main and pull requests, in steps that say what failed, and ends early only for a newer push to a pull request', () => {
    const { on, concurrency, jobs } = workflow('ci');
    expect(on).toEqual({ push: { branches: ['main'] }, pull_request: null });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is GitHub's.
    expect(concurrency).toMatchObject({ 'cancel-in-progress': "${{ github.event_name == 'pull_request' }}" });
    expect(jobs.test?.strategy?.matrix).toEqual({ node: ['20.19', '22', '24'] });
    expect(partsOf(jobs.test)).toEqual(['check: .ci/run check', 'test: .ci/run test']);
    expect(jobs.lambda).not.toHaveProperty('strategy');
    expect(partsOf(jobs.lambda)).toEqual(['runtime: .ci/run runtime']);
  });

  it('each night, all other parts run, and what a failing one printed is kept, with its seed', () => {
    const { on, jobs } = workflow('nightly');
    expect(on).toMatchObject({ schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }] });
    const parts = readFileSync('.ci/run', 'utf8').match(/(?<=^part_)\w+/gm) ?? [];
    const daily = ['check', 'test', 'runtime'];
    expect(jobs.run?.strategy?.matrix.part?.toSorted()).toEqual(parts.filter((part) => !daily.includes(part)).sort());
    expect(partsOf(jobs.run)).toEqual([expect.stringMatching(/\.ci\/run "\$PART" 2>&1 \| tee "reports\/\$PART\.log"/)]);
    expect(jobs.run?.steps.at(-1)).toMatchObject({
      if: expect.stringContaining('failure()'),
      with: { path: 'reports/' },
    });
  });
});
