// `npm start`, `npm run dev` and `npm run local`: says what is missing, before it loads anything that needs it.
import { existsSync, readFileSync } from 'node:fs';

const [name, ...options] = process.argv.slice(2);
/** The file of each command, and a package that is missing if the installation lacks those that the command needs. */
const COMMANDS = {
  start: { file: './run.ts', needed: 'tsx' },
  dev: { file: './dev.ts', needed: '@babel/parser' },
  local: { file: './run.ts', needed: 'dynalite' },
};
const { file, needed } = COMMANDS[name];

const fault = nodeFault() ?? installationFault();
if (fault) {
  console.error(fault);
  process.exitCode = 1;
} else {
  console.log('Building the service, and starting serverless-offline: this takes a few seconds.');
  endWithShell();
  const { register } = await import('tsx/esm/api');
  register();
  const { [name]: run } = await import(file);
  process.exit(await run(options));
}

function nodeFault() {
  const [, oldest] = JSON.parse(readFileSync('package.json', 'utf8')).engines.node.split('>=');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `This is Node.js ${process.versions.node}: the service needs ${oldest} or later. https://nodejs.org has it.`;
}

function installationFault() {
  if (!existsSync('node_modules/tsx'))
    return 'The packages are not installed: run npm ci, and then this command again.';
  if (existsSync(`node_modules/${needed}`)) return undefined;
  return `The packages for development are not installed: run npm ci without --omit=dev, and then this command again.`;
}

/** npm passes signals to its shell, and Debian's shell ends without passing them on. */
function endWithShell() {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 200).unref();
}
