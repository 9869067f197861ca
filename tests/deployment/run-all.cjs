// Runs commands of Serverless Framework one after the other in this one process, because loading it takes ten times as long as
// packaging. Reads the commands from a file, and writes there what each one printed and its exit code.
const { readFileSync, rmSync, writeFileSync } = require('node:fs');

const [, , framework, file] = process.argv;
const runs = JSON.parse(readFileSync(file, 'utf8'));
const environment = { ...process.env };
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
  else {
    writeFileSync(file, JSON.stringify(results));
    process.exit(0);
  }
});

function start({ command, files, variables }) {
  printed = '';
  process.exitCode = 0;
  process.env = { ...environment, ...variables };
  for (const [name, text] of Object.entries(files ?? {})) {
    if (text === null) rmSync(name);
    else writeFileSync(name, text);
  }
  // What it remembers of the command before.
  for (const name of Object.keys(require.cache)) {
    if (/serverless[\\/](bin|scripts|lib[\\/]cli[\\/]resolve-input)/.test(name)) delete require.cache[name];
  }
  process.argv = [process.execPath, framework, ...command.split(' ')];
  require(framework);
}
