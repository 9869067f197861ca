import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

/** Builds under a version of Node.js, and returns the files by their names. */
function buildUnder(version: string): Readonly<Record<string, Buffer>> {
  const built = join(folder, version);
  const source = `import('./esbuild.ts').then(({ buildService }) => buildService(${JSON.stringify(built)}))`;
  execFileSync(`tests/runtime/node_modules/${version}/bin/node`, ['--import', 'tsx', '--eval', source]);
  const names = (readdirSync(built, { recursive: true }) as string[]).filter((name) => name.includes('.')).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(built, name))]));
}

it('the build is the same under the oldest Node.js and under the one of Lambda, byte for byte', () => {
  const [oldest, newest] = [buildUnder('node20'), buildUnder('node24')];
  expect(Object.keys(oldest)).toContain('api.cjs');
  expect(Object.keys(newest)).toEqual(Object.keys(oldest));
  const differing = Object.keys(oldest).filter((name) => !oldest[name]?.equals(newest[name] as Buffer));
  expect(differing).toEqual([]);
});
