import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The files that a command needs to build and run the service. */
const NEEDED = [
  '.gitignore',
  'biome.json',
  'esbuild.ts',
  'package.json',
  'tsconfig.json',
  'functions',
  'shared',
  'docs',
  'tests/support',
];

/**
 * Copies the project to where a test may build and change it, while others use what is built here.
 *
 * @returns The folder. The packages in it are those of the project.
 */
export function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'todo-project-'));
  const configuration = readdirSync('.').filter((name) => name.startsWith('serverless'));
  for (const name of [...NEEDED, ...configuration]) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}
