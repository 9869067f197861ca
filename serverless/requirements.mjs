// `node serverless/requirements.mjs` prints in one line what a command needs and this machine lacks; with
// `development`, also the packages that only development needs. It uses no packages, and no syntax that an old Node.js
// doesn't know.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Ends this process with a line about what to do, if Node.js is too old or packages are missing.
 *
 * @param {boolean} development - Whether the packages for development are also needed.
 */
export function checkRequirements(development) {
  const { engines, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  endWith(nodeFault(engines.node) ?? packagesFault(dependencies, development ? devDependencies : {}));
}

function endWith(fault) {
  if (!fault) return;
  console.error(fault);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) checkRequirements(process.argv[2] === 'development');

function nodeFault(range) {
  const [, oldest] = range.split('>=');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `This is Node.js ${process.versions.node}: the service needs ${oldest} or later. https://nodejs.org has it.`;
}

function packagesFault(dependencies, devDependencies) {
  const isMissing = (name) => !existsSync(`node_modules/${name}`);
  if (Object.keys(dependencies).some(isMissing)) {
    return 'The packages are not installed: run npm ci, and then this command again.';
  }
  if (!Object.keys(devDependencies).some(isMissing)) return undefined;
  return 'The packages for development are not installed: run npm ci without --omit=dev, and then this command again.';
}
