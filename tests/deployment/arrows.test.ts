import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

const FILES = readdirSync('serverless', { recursive: true, encoding: 'utf8' })
  .map((name) => `serverless/${name.replaceAll('\\', '/')}`)
  .filter((name) => /\.(ts|mjs)$/.test(name));

/** The files of the project that each file of serverless/ imports, types included, without what their names end in. */
const IMPORTS = new Map(FILES.map((file) => [withoutEnding(file), importsOf(file)]));

it('serverless/ imports just what docs/architecture.md shows as its arrows', () => {
  const found = [...IMPORTS].flatMap(([file, imports]) => imports.map((to) => [roomOf(file), roomOf(to)] as const));
  const arrows = found.filter(([from, to]) => from !== to).map(([from, to]) => `${from} ─→ ${to}`);
  const shown = /^ {4}(serverless\S*) +─→ +(.+)$/gm;
  const documented = [...readFileSync('docs/architecture.md', 'utf8').matchAll(shown)].flatMap(([, from, to = '']) =>
    to
      .replaceAll(/ *\([^)]*\)/g, '')
      .split(', ')
      .map((room) => `${from} ─→ ${room}`),
  );
  expect([...new Set(arrows)].sort()).toEqual(documented.sort());
});

it('no file of serverless/ imports itself by way of others', () => {
  const circles = [...IMPORTS.keys()].filter((file) => reachableFrom(file).has(file));
  expect(circles).toEqual([]);
});

function importsOf(file: string): string[] {
  const code = readFileSync(file, 'utf8');
  const found = code.matchAll(/\b(?:from |import |import\()'(\.[^']+)'/g);
  return [...found].map(([, path = '']) => withoutEnding(join(dirname(file), path)));
}

function withoutEnding(path: string): string {
  return path.replaceAll('\\', '/').replace(/\.[cm]?[jt]s$/, '');
}

/** What a file belongs to in the picture: a folder, or one below serverless/ or shared/. */
function roomOf(file: string): string {
  const folders = file.split('/');
  return folders.slice(0, ['serverless', 'shared'].includes(folders[0] ?? '') ? 2 : 1).join('/');
}

function reachableFrom(file: string, seen = new Set<string>()): Set<string> {
  for (const next of IMPORTS.get(file) ?? []) {
    if (seen.has(next)) continue;
    seen.add(next);
    reachableFrom(next, seen);
  }
  return seen;
}
