// Measures the service beside other implementations: `npm run bench` prints the table and the sentences of
// docs/performance.md, and draws its charts. `npm run bench -- ours before=/path/to/another/dist/api.mjs` compares just these:
// an implementation by its name, or another build by a name of your choice.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(`${here}node_modules/node24`))
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });

const { buildPeers, deployedSizes, FILES, FRAMEWORKS, sizeOf } = await import('./build.mjs');
const { drawChart } = await import('./chart.mjs');
const report = await import('./report.mjs');
const { measureTables } = await import('./tables.mjs');
const { checkAll, node, startCold, takeTurns } = await import('./turns.mjs');

const ROUNDS = { warm: 5, cold: 25 };
const EFFORT = { warmUp: 1_500, passes: 50, batch: 21 };
const STAGES = [
  { items: 1, names: ['list'], ...EFFORT },
  { items: 100, names: ['list', 'get', 'post', 'put', 'patch', 'delete', 'unknown route'], ...EFFORT },
  { items: 100, names: ['document', 'page'], warmUp: 200, passes: 20, batch: 6 },
];

process.env.LOG_LEVEL = 'silent';
const chosen = process.argv.slice(2).map((text) => text.split('='));
await buildPeers();
if (chosen.length > 0) console.log(report.comparison(await measure(Object.fromEntries(chosen.map(nameAndFile)))));
else await publish();

async function publish() {
  const figures = await measure(FILES);
  figures['code, gzipped, kB'] = Object.fromEntries(
    Object.entries(FILES).map(([name, file]) => [name, [sizeOf(file)]]),
  );
  const { document, page, 'code, gzipped, kB': _code, ...shown } = figures;
  tell('Measuring with a table');
  const tables = await measureTables();
  console.log(
    [
      `Node.js ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}, CPU time, a browser's event.`,
      report.requestTable(shown),
      report.besideSentence(figures, deployedSizes()),
      report.tableSentence(tables),
      report.tokenSentence(tables),
    ].join('\n\n'),
  );
  for (const scheme of ['light', 'dark'])
    writeFileSync(new URL(`../../docs/performance-${scheme}.svg`, import.meta.url), drawChart(figures, scheme));
}

async function measure(files) {
  const contestants = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, { file }]));
  tell('Checking the answers');
  await checkAll(contestants, (name) => ({
    validates: name !== 'bare',
    all: !['bare', ...FRAMEWORKS].includes(name),
  }));
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
