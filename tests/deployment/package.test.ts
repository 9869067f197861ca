import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import AdmZip from 'adm-zip';
import { type Deployment, packageService } from '../support/deployment/deployment.js';
import { COLLECTION, NAME } from '../support/service/resource.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
let deployment: Deployment;

beforeAll(() => {
  deployment = packageService(join(folder, 'package'));
});

/** Runs a script beside the unzipped package, on its module. */
function run(script: string): string {
  const module = pathToFileURL(join(deployment.folder, 'dist/api.mjs')).href;
  const source = `import(${JSON.stringify(module)}).then(async ({ handler }) => { ${script} })`;
  return execFileSync(process.execPath, ['-e', source], { env: { ...process.env, LOG_LEVEL: 'error' } }).toString();
}

describe('the deployment package', () => {
  it('holds what the build made and nothing else, in a zip of about a megabyte', () => {
    const names = new AdmZip(deployment.zip).getEntries().map((entry) => entry.entryName);
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
    expect(deployment.zip.length).toBeLessThan(1_200_000);
  });

  it('has the handler that the template names, which answers, with the two parameters that the runtime admits', () => {
    expect(deployment.template.Resources.ApiLambdaFunction?.Properties.Handler).toBe('dist/api.handler');
    expect(Number(run('process.stdout.write(String(handler.length))'))).toBeLessThanOrEqual(2);
    const script = `process.stdout.write(JSON.stringify(await handler({ httpMethod: 'GET', path: '${COLLECTION}' })));`;
    expect(JSON.parse(run(script))).toHaveProperty('statusCode', 200);
  });

  it('logs an unhandled exception with the lines of the source', () => {
    const event = `{ httpMethod: 'GET', path: '${COLLECTION}', headers: { get accept() { throw new Error('planted'); } } }`;
    const printed = run(`await handler(${event})`);
    const { error } = JSON.parse(printed);
    expect(error.message).toBe('planted');
    expect(error.stack).toMatch(new RegExp(`at .*functions/${NAME}\\.ts:\\d+:\\d+\\)?\n`));
    expect(error.stack).toMatch(/at .*shared\/routing\/dispatcher\.ts:\d+:\d+\)?(\n|$)/);
    expect(error.stack).not.toContain('api.mjs');
  });

  it('is the same byte for byte, wherever and whenever it was built', () => {
    const copy = join(folder, 'elsewhere', 'copy');
    mkdirSync(copy, { recursive: true });
    const sources = [
      'functions',
      'shared',
      'docs',
      'esbuild.ts',
      'package.json',
      'tsconfig.json',
      'serverless.yml',
      'serverless',
    ];
    for (const name of sources) cpSync(name, join(copy, name), { recursive: true });
    utimesSync(join(copy, 'functions/api.ts'), 1, 1);
    // Of the installed packages, only the bundled ones are copied, because their paths are in the source map.
    const bundled = ['aws4', 'uuid'];
    for (const name of bundled) cpSync(`node_modules/${name}`, join(copy, 'node_modules', name), { recursive: true });
    for (const name of readdirSync('node_modules')) {
      if (!bundled.includes(name)) symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name));
    }
    execFileSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'esbuild.ts'], { cwd: copy, stdio: 'pipe' });
    const other = packageService(join(folder, 'other'), [], copy);
    expect(other.zip.equals(deployment.zip)).toBe(true);
  });
});
