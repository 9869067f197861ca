// Measures the service beside other implementations: `npm run bench` prints the table and the sentences of
// docs/performance.md, and draws its charts. `npm run bench -- ours before=/path/to/another/dist/api.mjs` compares just these:
// an implementation by its name, or another build by a name of your choice.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(`${here}node_modules/node24`))
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });

const { buildPeers, deployedSizes, FILES, sizeOf } = await import('./build.mjs');
const { drawChart } = await import('./chart.mjs');
const { besideSentence, median, ratio, requestTable, tableSentence, tokenSentence } = await import('./report.mjs');
const { measureTables } = await import('./tables.mjs');
const { checkAll, startCold, takeTurns } = await import('./turns.mjs');

/** The Node.js of the function in AWS. */
const node = process.version.startsWith('v24.') ? process.execPath : `${here}node_modules/node24/bin/node`;
const ROUNDS = { warm: 5, cold: 25 };
const EFFORT = { warmUp: 1_500, passes: 50, batch: 21 };
const STAGES = [
  { items: 1, names: ['list'], ...EFFORT },
  { items: 100, names: ['list', 'get', 'post', 'put', 'patch', 'delete', 'unknown route'], ...EFFORT },
  { items: 100, names: ['document', 'page'], warmUp: 200, passes: 20, batch: 6 },
];
/** The chart has these rows, too; the table does not. */
const CHART_ONLY = ['document', 'page', 'code, gzipped, kB'];

const chosen = process.argv.slice(2);
await buildPeers();
if (chosen.length > 0) await compare(Object.fromEntries(chosen.map((text) => text.split('=')).map(nameAndFile)));
else await measure(FILES);

async function measure(files) {
  const figures = await measureRequests(files);
  const sizes = Object.entries(files).map(([name, file]) => [name, [sizeOf(file)]]);
  figures['code, gzipped, kB'] = Object.fromEntries(sizes);
  const shown = Object.keys(figures).filter((row) => !CHART_ONLY.includes(row));
  tell('Measuring with a table');
  const tables = await measureTables(node);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  console.log(`Node.js ${version}, CPU time, a browser's event.\n\n${requestTable(figures, shown)}\n`);
  console.log(`${besideSentence(figures, deployedSizes())}\n\n${tableSentence(tables)}\n\n${tokenSentence(tables)}`);
  for (const scheme of ['light', 'dark']) {
    writeFileSync(new URL(`../../docs/performance-${scheme}.svg`, import.meta.url), drawChart(figures, scheme));
  }
}

/** Prints what each implementation costs, in multiples of the first. */
async function compare(files) {
  const figures = await measureRequests(files);
  const [first, ...others] = Object.keys(files);
  for (const [row, ofRow] of Object.entries(figures)) {
    const multiples = others.map((name) => `${name} ${ratio(ofRow[name], ofRow[first]).toFixed(3)}`);
    console.log([row.padEnd(30), `${first} ${median(ofRow[first]).toFixed(2)}`, ...multiples].join('   '));
  }
}

async function measureRequests(files) {
  const environment = { LOG_LEVEL: 'silent' };
  const contestants = Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, { file, node, environment }]),
  );
  tell('Checking the answers');
  await checkAll(contestants);
  tell('Measuring warm');
  const warm = await takeTurns(contestants, STAGES, ROUNDS.warm);
  tell('Measuring cold');
  return { ...warm, ...(await startCold(contestants, ROUNDS.cold)) };
}

function nameAndFile([name, file = FILES[name]]) {
  if (file === undefined) throw new Error(`There is no ${name}: there are ${Object.keys(FILES).join(', ')}`);
  return [name, file];
}

function tell(what) {
  process.stderr.write(`${what}, ${Math.round(performance.now() / 1000)} s after the start\n`);
}
