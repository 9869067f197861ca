// `npm run check`: the types, then style and format, even where the types are wrong.
import { spawnSync } from 'node:child_process';

const CHECKS = [
  ['typescript/bin/tsc'],
  ['typescript/bin/tsc', '--project', 'docs/page'],
  ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
];

for (const [tool, ...options] of CHECKS) {
  const { status } = spawnSync(process.execPath, [`node_modules/${tool}`, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
