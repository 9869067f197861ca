// Installs the packages that only tests and checks need, unless they are there as their lock file has them:
// `node tests/install.mjs`, or with the names of folders below tests/.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installedBrowser } from './support/installed.mjs';

const needed = process.argv.slice(2);
if (needed.length === 0) needed.push('.');
// The Chromium from npm is for Linux alone, and for machines without a browser.
if (needed[0] === '.' && process.platform === 'linux' && !installedBrowser()) needed.push('browser');

for (const name of needed) {
  const folder = fileURLToPath(new URL(name, import.meta.url));
  const lock = createHash('sha256')
    .update(readFileSync(`${folder}/package-lock.json`))
    .digest('hex');
  const stamp = `${folder}/node_modules/.installed`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) continue;
  console.log(`Installing what ${name === '.' ? 'the tests need' : `tests/${name} needs`}, once.`);
  const { status } = npm('ci', '--prefix', folder, '--no-audit', '--loglevel', 'error');
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, lock);
}

/** Runs npm by the Node.js that runs this; by its name only where no npm script has told where npm is. */
function npm(...options) {
  const { npm_execpath: script } = process.env;
  return script
    ? spawnSync(process.execPath, [script, ...options], { stdio: 'inherit' })
    : spawnSync('npm', options, { stdio: 'inherit', shell: process.platform === 'win32' });
}
