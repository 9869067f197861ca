import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { openShell } from '../support/guide-shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyProject, expectFailure, install, run } from './command.js';

/** Copies without packages, with those of `npm ci --omit=dev`, and with all. */
const [bare, deploying, project] = [copyProject(), copyProject(), copyProject()];
install(deploying, false);
install(project);

describe('every script says in one line what to do', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
  /** What anybody may do after `npm ci --omit=dev`. */
  const DEPLOYING = ['start', 'build', 'deploy', 'diff', 'rollback', 'smoke'];
  const developing = Object.keys(scripts).filter((name) => !DEPLOYING.includes(name));
  const nothing = openShell(temporaryFolder(), { tools: ['node'] });
  const saying = (name: string) => `#!/bin/sh\necho "${name}${'$'}{*:+ $*}"\n`;
  const standIns = Object.fromEntries(
    ['biome', 'jest', 'npm', 'serverless', 'tsc', 'tsx'].map((name) => [name, saying(name)]),
  );
  const everything = openShell(temporaryFolder(), { standIns, tools: ['node'] });

  /** How some of them end in a copy where no other program is found than Node.js. */
  const ends = (folder: string, names: readonly string[]) =>
    Promise.all(
      names.map((name) =>
        nothing(`cd '${folder}' && ${scripts[name]}`).then(
          (printed) => [name, 0, printed],
          ({ code, stdout, stderr }) => [name, code, `${stdout}${stderr}`],
        ),
      ),
    );

  it('before any installation', async () => {
    const names = Object.keys(scripts);
    const reason = 'The packages are not installed: run npm ci, and then this command again.\n';
    expect(await ends(bare, names)).toEqual(names.map((name) => [name, 1, reason]));
  });

  it('after npm ci --omit=dev, if it needs more than what starts, builds, deploys and tries a stage', async () => {
    const reason = expect.stringMatching(
      /^The packages for development are not installed: run npm ci without --omit=dev.*\n$/,
    );
    expect(await ends(deploying, developing)).toEqual(developing.map((name) => [name, 1, reason]));
    expect(await ends(deploying, ['smoke'])).toEqual([['smoke', 1, expect.stringMatching(/^It takes one URL/)]]);
    for (const name of ['build', 'deploy', 'diff', 'rollback'])
      expect([name, await everything(`cd '${deploying}' && ${scripts[name]}`)]).toEqual([
        name,
        expect.stringMatching(/^(tsx|serverless) .*\n$/),
      ]);
  });

  it('npm test and npm run check begin with the types, and npm run check takes no warnings', async () => {
    const called = async (name: string) => (await everything(`cd '${project}' && ${scripts[name]}`)).split('\n');
    const types = ['tsc', 'tsc --project docs/page', 'tsc --project docs/front-end'];
    expect((await called('test')).slice(0, types.length)).toEqual(types);
    expect(await called('check')).toEqual([...types, 'biome check --error-on-warnings .', '']);
  });

  it.each(['18.20.8', '20.18.3'])('if Node.js %s is too old', async (version) => {
    const plant = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    const reason = new RegExp(`^This is Node.js ${version}: the service needs 20.19 or later.`);
    await expectFailure(run(bare, 'serverless/local/start.mjs', plant), reason);
  });
});
