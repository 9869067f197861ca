// `npm start`, `npm run dev` and `npm run local`: says what is missing, before anything is loaded that needs it.
import { existsSync, readFileSync } from 'node:fs';

const [name, ...options] = process.argv.slice(2);
/** A package that each of them needs: an installation without it is incomplete, or for another purpose. */
const NEEDED = { start: 'tsx', dev: '@babel/parser', local: 'dynalite' };

const fault = nodeFault() ?? installationFault();
if (fault) {
  console.error(fault);
  process.exitCode = 1;
} else {
  console.log('Building the service, and starting serverless-offline: this takes a few seconds.');
  endWithShell();
  const { register } = await import('tsx/esm/api');
  register();
  const { run } = await import(`./${name}.ts`);
  process.exit(await run(options));
}

function nodeFault() {
  const [, needed] = JSON.parse(readFileSync('package.json', 'utf8')).engines.node.split('>=');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return `This is Node.js ${process.versions.node}: the service needs ${needed} or later. https://nodejs.org has it.`;
}

function installationFault() {
  if (!existsSync('node_modules/tsx'))
    return 'The packages are not installed: run npm ci, and then this command again.';
  if (existsSync(`node_modules/${NEEDED[name]}`)) return undefined;
  return `The packages for development are not installed: run npm ci without --omit=dev, and then this command again.`;
}

/** npm passes a signal on to its shell, and Debian's shell ends without passing it on. Windows has no such signals. */
function endWithShell() {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 200).unref();
}
