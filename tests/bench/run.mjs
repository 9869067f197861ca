// Measures the service beside its peers, and prints Markdown.
//   npm run bench              all there is, in a quarter of an hour; with `write`, docs/performance.md and its charts are renewed
//   npm run bench -- quick     a minute's worth: requests in memory, on --node 24 or 20, with the --event of a browser, curl or
//                              http-api, and of the implementations --only these, separated by semicolons or commas
//   npm run bench -- table     requests on a table
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(`${here}node_modules/node24`))
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });

const { buildPeers } = await import('./build.mjs');
const { startProgress } = await import('./progress.mjs');
const { costTable, tableTable } = await import('./table.mjs');

const QUICK = 'bare;bare+;ours;ours, logging;middy';
const OTHERS = { curl: ['24', 'curl'], 'HTTP API': ['24', 'http-api'], 'Node.js 20': ['20', 'browser'] };
const EFFORT = {
  quick: { warm: { rounds: 3, warmUp: 250, passes: 40, batch: 20 }, rounds: { cold: 9, allocated: 1, runtime: 0 } },
  full: { warm: { rounds: 5, warmUp: 800, passes: 80, batch: 20 }, rounds: { cold: 21, allocated: 2, runtime: 15 } },
  other: { warm: { rounds: 3, warmUp: 500, passes: 60, batch: 20 }, rounds: { cold: 11, allocated: 1, runtime: 0 } },
};
const TABLE_ROUNDS = { quick: { warm: 2, cold: 7 }, full: { warm: 5, cold: 15 } };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    event: { type: 'string', default: 'browser' },
    node: { type: 'string', default: '24' },
    only: { type: 'string', default: QUICK },
  },
});
await buildPeers();
const { checkAll, contestantsOf, measureRequests, requestSteps } = await import('./requests.mjs');
const { measureTables, tableSteps } = await import('./tables.mjs');

if (positionals.includes('quick')) await quick();
else if (positionals.includes('table')) await table();
else await all(positionals.includes('write'));

async function quick() {
  const contestants = contestantsOf(nodeOf(values.node), values.event, values.only.split(/;|,(?! )/));
  await checkAll(contestants);
  const progress = startProgress(requestSteps(contestants, EFFORT.quick));
  const rows = await measureRequests(contestants, EFFORT.quick, progress);
  console.log(`\nNode.js ${values.node}, event of ${values.event}:\n\n${costTable(rows, Object.keys(contestants))}\n`);
}

async function table() {
  const progress = startProgress(tableSteps(TABLE_ROUNDS.quick));
  console.log(`\n${tableTable(await measureTables(nodeOf('24'), TABLE_ROUNDS.quick, progress))}\n`);
}

async function all(write) {
  const contestants = contestantsOf(nodeOf('24'), 'browser');
  const others = Object.entries(OTHERS).map(([name, [node, event]]) => [
    name,
    contestantsOf(nodeOf(node), event, ['bare+', 'ours']),
  ]);
  for (const one of [contestants, ...others.map(([, other]) => other)]) await checkAll(one);
  const otherSteps = others
    .map(([, other]) => requestSteps(other, EFFORT.other))
    .reduce((sum, steps) => sum + steps, 0);
  const progress = startProgress(requestSteps(contestants, EFFORT.full) + otherSteps + tableSteps(TABLE_ROUNDS.full));
  const rows = await measureRequests(contestants, EFFORT.full, progress);
  const beside = {};
  for (const [name, other] of others) beside[name] = await measureRequests(other, EFFORT.other, progress);
  const tables = await measureTables(nodeOf('24'), TABLE_ROUNDS.full, progress);
  const names = Object.keys(contestants);
  const { page, writePage } = await import('./page.mjs');
  const text = page(costTable(rows, names, beside), tableTable(tables), versionOf(nodeOf('24')));
  console.log(text);
  if (write) writePage(text, rows, names);
}

function nodeOf(version) {
  if (version === '24') return `${here}node_modules/node24/bin/node`;
  if (!process.version.startsWith(`v${version}.`))
    throw new Error(`This is Node.js ${process.version}, not ${version}`);
  return process.execPath;
}

function versionOf(node) {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}
