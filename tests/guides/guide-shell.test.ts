import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { openShell } from '../support/guide-shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = temporaryFolder();
const before = { ...process.env };
const aws = '#!/bin/sh\necho "stand-in $*"\n';

afterEach(() => {
  process.env = { ...before };
});

/** Makes a shell in a folder of its own, and an `aws` that must not be called, in front of everything else. */
function prepare(name: string, standIns = { aws }) {
  const [home, evil] = [join(root, name), join(root, `${name}-evil`)];
  for (const folder of [home, evil]) mkdirSync(folder);
  writeFileSync(join(evil, 'aws'), `#!/bin/sh\necho "$*" > '${join(evil, 'called')}'\n`, { mode: 0o755 });
  const start = join(home, '.bashrc');
  writeFileSync(start, `PATH='${evil}':$PATH\n`);
  for (const variable of ['BASH_ENV', 'ENV']) process.env[variable] = start;
  for (const variable of ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AWS_SECRET_ACCESS_KEY']) process.env[variable] = 'mine';
  Object.assign(process.env, {
    HOME: home,
    PATH: `${evil}:${process.env.PATH}`,
    'BASH_FUNC_aws%%': `() { ${evil}/aws; }`,
  });
  delete process.env.SHLVL;
  return {
    evil,
    home,
    run: openShell(home, { standIns, tools: ['env'] }),
    called: () => existsSync(join(evil, 'called')),
  };
}

it('a shell for guides calls the stand-in, whatever the start-up files and the environment of who runs the tests say', async () => {
  const { called, run } = prepare('startup');
  expect(await run('aws dynamodb delete-table')).toBe('stand-in dynamodb delete-table\n');
  expect(called()).toBe(false);
});

it('has no credentials, and endpoints that lead nowhere', async () => {
  const { run } = prepare('environment');
  const printed = await run('env');
  expect(printed).not.toContain('mine');
  expect(printed).toContain('AWS_ENDPOINT_URL=http://127.0.0.1:9\n');
  expect(printed).toContain('AWS_SHARED_CREDENTIALS_FILE=/dev/null\n');
});

it('finds no command that was not named', async () => {
  const { called, run } = prepare('unknown', {} as { aws: string });
  await expect(run('until aws dynamodb delete-table; do :; done')).rejects.toThrow('aws: command not found');
  expect(called()).toBe(false);
});

it('runs nothing if another program answers in the place of a stand-in', async () => {
  const { evil, home, run } = prepare('replaced');
  writeFileSync(join(home, 'bin/aws'), `#!/bin/sh\nexec '${join(evil, 'aws')}' "$@"\n`);
  await expect(run('touch ran; aws dynamodb delete-table')).rejects.toThrow('aws is not the stand-in');
  expect(existsSync(join(home, 'ran'))).toBe(false);
});
