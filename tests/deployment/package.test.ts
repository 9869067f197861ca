import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import AdmZip from 'adm-zip';
import { deployTwice } from '../support/deployment/aws.js';
import { COLLECTION, NAME } from '../support/service/resource.js';
import { copyProject } from '../support/start/command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('the deployment package', () => {
  const folder = temporaryFolder();
  let zips: readonly Buffer[];

  beforeAll(async () => {
    zips = (await deployTwice()).zips.map((file) => readFileSync(file));
    new AdmZip(zips[0]).extractAllTo(folder);
  });

  /** Runs a script beside the unzipped package, on its module. */
  function run(script: string): string {
    const module = pathToFileURL(join(folder, 'dist/api.mjs')).href;
    const source = `import(${JSON.stringify(module)}).then(async ({ handler }) => { ${script} })`;
    return execFileSync(process.execPath, ['-e', source], { env: { ...process.env, LOG_LEVEL: 'error' } }).toString();
  }

  it('holds what the build made and nothing else, in a zip of about a megabyte', () => {
    const names = new AdmZip(zips[0]).getEntries().map((entry) => entry.entryName);
    expect(names.sort()).toEqual([
      'dist/api.mjs',
      'dist/api.mjs.map',
      'dist/document.json',
      'dist/openapi.json',
      'dist/page.gzip.json',
      'dist/page.identity.json',
      'dist/stack.mjs',
      'dist/stack.mjs.map',
      'dist/table.mjs',
      'dist/table.mjs.map',
    ]);
    expect(zips[0]?.length).toBeLessThan(1_200_000);
  });

  it('exports a handler with at most two parameters, as the runtime demands, and it answers', () => {
    expect(Number(run('process.stdout.write(String(handler.length))'))).toBeLessThanOrEqual(2);
    const script = `process.stdout.write(JSON.stringify(await handler({ httpMethod: 'GET', path: '${COLLECTION}' })));`;
    expect(JSON.parse(run(script))).toHaveProperty('statusCode', 200);
  });

  it('logs an unhandled exception with the lines of the source', () => {
    const event = `{ httpMethod: 'GET', path: '${COLLECTION}', headers: { get accept() { throw new Error('planted'); } } }`;
    const { error } = JSON.parse(run(`await handler(${event})`));
    expect(error.message).toBe('planted');
    expect(error.stack).toMatch(new RegExp(`at .*functions/${NAME}\\.ts:\\d+:\\d+\\)?\n`));
    expect(error.stack).toMatch(/at .*shared\/routing\/dispatcher\.ts:\d+:\d+\)?(\n|$)/);
    expect(error.stack).not.toContain('api.mjs');
  });

  it('is the same byte for byte, whenever it was built', () => {
    expect(zips[0]?.equals(zips[1] as Buffer)).toBe(true);
  });
});

describe('npm run deploy', () => {
  const project = copyProject();
  const run = (script: string) =>
    spawnSync('npm', ['run', script], { cwd: project, encoding: 'utf8', shell: process.platform === 'win32' });
  const file = join(project, `functions/${NAME}.ts`);
  const code = readFileSync(file, 'utf8');
  const FAULT = new RegExp(`functions/${NAME}\\.ts\\(\\d+,\\d+\\): error TS\\d+: .*204`, 's');

  beforeAll(() => {
    // Of the installed packages, only the bundled ones are copied, because their paths are in the source map.
    const bundled = ['aws4', 'uuid'];
    rmSync(join(project, 'node_modules'));
    mkdirSync(join(project, 'node_modules'));
    for (const name of readdirSync('node_modules')) {
      const [from, to] = [resolve('node_modules', name), join(project, 'node_modules', name)];
      if (bundled.includes(name)) cpSync(from, to, { recursive: true });
      else symlinkSync(from, to);
    }
  });

  it('builds first, and the result is the same byte for byte in any folder', () => {
    expect(run('predeploy')).toMatchObject({ status: 0 });
    expect(readdirSync(join(project, 'dist'))).toEqual(readdirSync('dist'));
    const differing = readdirSync('dist').filter(
      (name) => !readFileSync(join(project, 'dist', name)).equals(readFileSync(join('dist', name))),
    );
    expect(differing).toEqual([]);
  });

  it('does not deploy an operation that answers a status which it does not declare', () => {
    const planted = code.replace(/answers: \{ 204: \{\}, 404: \{\}, 412: \{\} \}/, 'answers: { 404: {}, 412: {} }');
    expect(planted).not.toBe(code);
    writeFileSync(file, planted);
    const { status, stdout } = run('predeploy');
    expect(stdout).toMatch(FAULT);
    expect(status).not.toBe(0);
  });

  it('checks the types like npm test and npm run check, which begin with them', () => {
    const { test, check } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
    for (const script of [test, check]) expect(script).toMatch(/^tsc && tsc --project docs\/page && /);
    expect(run('check').stdout).toMatch(FAULT);
    writeFileSync(file, code);
    writeFileSync(join(project, 'functions/added.ts'), 'export const  spaces = 2\n');
    const { status, stdout, stderr } = run('check');
    expect(stdout + stderr).toMatch(/functions\/added\.ts format/);
    expect(status).not.toBe(0);
  });
});
