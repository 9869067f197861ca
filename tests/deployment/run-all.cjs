// Runs commands of Serverless Framework one after the other in this one process, because loading it takes ten times as long as
// packaging. A message names a folder, where runs.json has the commands; what each one printed and its exit code replace them there.
const { readFileSync, rmSync, writeFileSync, writeSync } = require('node:fs');

const [, , framework, end] = process.argv;
const environment = { ...process.env };
const home = process.cwd();
let runs = [];
let results = [];
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

process.on('disconnect', () => process.exit());
process.on('message', (folder) => {
  process.chdir(folder);
  [runs, results, started] = [JSON.parse(readFileSync('runs.json', 'utf8')), [], 0];
  process.channel.unref();
});

// A command has ended when it leaves nothing to wait for.
process.on('beforeExit', () => {
  if (started > 0) results.push({ code: process.exitCode ?? 0, printed });
  if (started < runs.length) return start(runs[started++]);
  writeFileSync('runs.json', JSON.stringify(results));
  process.chdir(home);
  process.channel.ref();
  writeSync(1, end);
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
