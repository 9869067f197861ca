// Runs commands of Serverless Framework one after the other in this one process, because loading it takes ten times as long as
// packaging. Reads the commands from a file, and writes there what each one printed and its exit code.
const { readFileSync, writeFileSync } = require('node:fs');

const [, , framework, file] = process.argv;
const runs = JSON.parse(readFileSync(file, 'utf8'));
const environment = { ...process.env };
const config = readFileSync('serverless.yml');
const results = [];
let started = 0;
let printed = '';
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text) => {
    printed += text;
    return true;
  };
}
// Each command adds its own.
process.setMaxListeners(0);

// A command has ended when it leaves nothing to wait for.
process.on('beforeExit', () => {
  if (started > 0) results.push({ code: process.exitCode ?? 0, printed });
  if (started < runs.length) start(runs[started++]);
  else process.exit(writeFileSync(file, JSON.stringify(results)));
});

function start({ command, stages, added = '', variables }) {
  printed = '';
  process.exitCode = 0;
  process.env = { ...environment, ...variables };
  writeFileSync('serverless/stages.yml', JSON.stringify(stages));
  writeFileSync('serverless.yml', config + added);
  // What it remembers of the command before.
  for (const name of Object.keys(require.cache)) {
    if (/serverless[\\/](bin|scripts|lib[\\/]cli[\\/]resolve-input)/.test(name)) delete require.cache[name];
  }
  process.argv = [process.execPath, framework, ...command];
  require(framework);
}
