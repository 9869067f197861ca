import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import AdmZip from 'adm-zip';
import { COLLECTION } from '../support/service/documented.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { packageService } from './packaging.js';

describe('the deployment package', () => {
  const folder = temporaryFolder();
  const zips: Buffer[] = [];

  beforeAll(async () => {
    for (const builtAt of [1, 2]) zips.push((await packageService(join(folder, String(builtAt)), builtAt)).zip);
    new AdmZip(zips[0]).extractAllTo(folder);
  });

  /** Runs a script beside the unzipped package, on its module. */
  function run(script: string): string {
    const module = pathToFileURL(join(folder, 'dist/api.mjs')).href;
    const source = `import(${JSON.stringify(module)}).then(async ({ handler }) => { ${script} })`;
    return execFileSync(process.execPath, ['-e', source], { env: { ...process.env, LOG_LEVEL: 'error' } }).toString();
  }

  it('is a zip of about a megabyte', () => {
    expect(zips[0]?.length).toBeLessThan(1_200_000);
  });

  it('has the licences of the packages that are bundled, as they ask for', () => {
    const text = readFileSync(join(folder, 'dist/LICENSES.txt'), 'utf8');
    for (const name of ['aws4', 'jose', 'uuid']) expect(text).toMatch(new RegExp(`^${name}\n\n.*Copyright`, 'ms'));
    const { sources } = JSON.parse(readFileSync(join(folder, 'dist/table.mjs.map'), 'utf8'));
    expect(sources.join()).toContain('node_modules/aws4/');
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
    expect(error.stack).toMatch(/at .*functions\/\w+\.ts:\d+:\d+\)?\n/);
    expect(error.stack).toMatch(/at .*shared\/routing\/dispatcher\.ts:\d+:\d+\)?(\n|$)/);
    expect(error.stack).not.toContain('api.mjs');
  });

  it('is the same byte for byte, whenever it was built', () => {
    expect(zips[0]?.equals(zips[1] as Buffer)).toBe(true);
  });
});
