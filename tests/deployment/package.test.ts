import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import AdmZip from 'adm-zip';
import { name as NAME } from '../../package.json';
import { copyProject, startCommand } from '../start/command.js';
import { COLLECTION } from '../support/service/documented.js';

describe('npx serverless package', () => {
  const folder = copyProject(false);
  const zips: Buffer[] = [];

  async function packageIt(): Promise<void> {
    const command = startCommand(folder, ['npx', 'serverless', 'package']);
    if ((await command.code) !== 0) throw new Error(command.printed);
    zips.push(readFileSync(join(folder, `.serverless/${NAME}.zip`)));
  }

  beforeAll(async () => {
    await packageIt();
    for (const name of ['api.mjs', 'old.mjs']) writeFileSync(join(folder, 'dist', name), 'an old build');
    await packageIt();
    new AdmZip(zips[0]).extractAllTo(join(folder, 'unzipped'));
  });

  /** Runs a script beside the unzipped package, on its module. */
  function run(script: string): string {
    const module = pathToFileURL(join(folder, 'unzipped/dist/api.mjs')).href;
    const source = `import(${JSON.stringify(module)}).then(async ({ handler }) => { ${script} })`;
    return execFileSync(process.execPath, ['-e', source], { env: { ...process.env, LOG_LEVEL: 'error' } }).toString();
  }

  it('builds and packages just these files in a fresh clone, byte for byte as in any other folder', () => {
    const entries = new AdmZip(zips[0]).getEntries().filter(({ isDirectory }) => !isDirectory);
    const modules = ['api', 'authenticator', 'stack', 'table'].flatMap((name) => [`${name}.mjs`, `${name}.mjs.map`]);
    const assets = ['document.json', 'openapi.json', 'page.gzip.json', 'page.identity.json'];
    const files = ['LICENSES.txt', ...modules, ...assets, ...assets.map((name) => `with-tokens/${name}`)];
    expect(entries.map(({ entryName }) => entryName).sort()).toEqual(files.map((name) => `dist/${name}`).sort());
    const differing = entries.filter((entry) => !entry.getData().equals(readFileSync(entry.entryName)));
    expect(differing.map(({ entryName }) => entryName)).toEqual([]);
  });

  it('makes the same zip of about a megabyte at any time, with nothing of an old build', () => {
    expect(zips[0]?.equals(zips[1] as Buffer)).toBe(true);
    expect(zips[0]?.length).toBeLessThan(1_200_000);
  });

  it('adds the licences of the packages that are bundled, as they ask for', () => {
    const text = readFileSync(join(folder, 'unzipped/dist/LICENSES.txt'), 'utf8');
    for (const name of ['aws4', 'jose', 'uuid']) expect(text).toMatch(new RegExp(`^${name}\n\n.*Copyright`, 'ms'));
    const { sources } = JSON.parse(readFileSync(join(folder, 'unzipped/dist/table.mjs.map'), 'utf8'));
    expect(sources.join()).toContain('node_modules/aws4/');
  });

  it('exports a handler with at most two parameters, as the runtime demands, and it answers', () => {
    expect(Number(run('process.stdout.write(String(handler.length))'))).toBeLessThanOrEqual(2);
    const script = `process.stdout.write(JSON.stringify(await handler({ httpMethod: 'GET', path: '${COLLECTION}' })));`;
    expect(JSON.parse(run(script))).toHaveProperty('statusCode', 200);
  });

  it('packages what logs an unhandled exception with the lines of the source', () => {
    const event = `{ httpMethod: 'GET', path: '${COLLECTION}', headers: { get accept() { throw new Error('planted'); } } }`;
    const { error } = JSON.parse(run(`await handler(${event})`));
    expect(error.message).toBe('planted');
    expect(error.stack).toMatch(/at .*functions\/\w+\.ts:\d+:\d+\)?\n/);
    expect(error.stack).toMatch(/at .*shared\/routing\/dispatcher\.ts:\d+:\d+\)?(\n|$)/);
    expect(error.stack).not.toContain('api.mjs');
  });
});
