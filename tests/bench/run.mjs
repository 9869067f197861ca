// Measures the service beside other implementations: `npm run bench` prints the tables of docs/performance.md, and draws its chart.
// `npm run bench -- ours before=/path/to/another/dist/api.cjs` compares just these: an implementation by its name, or another
// build by a name of your choice. `ROUNDS=1 npm run bench` is quicker.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { drawChart } from './chart.mjs';
import { measureCodings } from './codings.mjs';
import { tableOf } from './report.mjs';
import { measureTables } from './tables.mjs';
import { askOnce, measure } from './turns.mjs';

/** Of the service's duties, these have only validation and 404. */
const FRAMEWORKS = ['middy', 'Hono'];
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const EFFORT = { warmUp: 1_500, passes: 50, batch: 21 };
const SHORT = ['get', 'post', 'put', 'patch', 'delete', 'document', 'page', 'unknown route'];
const STAGES = [
  { items: 1, names: ['list of 1'], ...EFFORT },
  { items: 100, names: ['list of 100', ...SHORT], ...EFFORT },
  { items: 10_000, names: ['patch, list of 10000'], warmUp: 30, passes: 25, batch: 3 },
];

const here = fileURLToPath(new URL('.', import.meta.url));
const service = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The bundle of an implementation. */
const fileOf = (name) => (name === 'ours' ? `${service}api.cjs` : `${here}dist/${baseNameOf(name)}.cjs`);
const baseNameOf = (name) => name.toLowerCase().replace('+', '-plus').replace(' ', '-');

process.env.LOG_LEVEL = 'silent';
await buildPeers(['bare+', 'AWS SDK', ...FRAMEWORKS]);
const chosen = process.argv.slice(2);
const contestants = Object.fromEntries(
  (chosen.length > 0 ? chosen : ['bare+', 'ours', ...FRAMEWORKS])
    .map((text) => text.split('='))
    .map(([name, file = fileOf(name)]) => [name, { file }]),
);
for (const [name, contestant] of Object.entries(contestants)) {
  const hasAllDuties = !FRAMEWORKS.includes(name);
  const expected = await askOnce(['ours', { file: fileOf('ours') }], 'answers', hasAllDuties);
  const answers = await askOnce([name, contestant], 'answers', hasAllDuties);
  for (const [index, answer] of answers.entries()) assert.equal(`${name} ${answer}`, `${name} ${expected[index]}`);
}
const figures = await measure(contestants, STAGES, ROUNDS);
figures['code, gzipped, kB'] = Object.fromEntries(
  Object.entries(contestants).map(([name, { file }]) => [name, [gzipSync(readFileSync(file)).length / 1000]]),
);
console.log(`CPU time through JSON, in multiples of the first column\n\n${tableOf(figures)}\n`);
if (chosen.length === 0) {
  for (const scheme of ['light', 'dark'])
    writeFileSync(new URL(`../../docs/performance-${scheme}.svg`, import.meta.url), drawChart(figures, scheme));
  const tables = await measureTables(fileOf('AWS SDK'), fileOf('ours'), ROUNDS);
  console.log(`With a table\n\n${tableOf(tables)}\n`);
  const codings = await measureCodings(fileOf('ours'), ROUNDS);
  console.log(
    `Long lists where no gateway compresses\n\n${tableOf(codings)}\n\nThe function's zip takes ${Math.round(zipped() / 1000)} kB.`,
  );
}

/** Bundles them as CommonJS, as AWS's own tools do: importing `node:http` takes an ES module 30 ms. */
function buildPeers(names) {
  return build({
    entryPoints: names.map((name) => `${here}peers/${baseNameOf(name)}.mjs`),
    outdir: `${here}dist`,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { ASSETS: JSON.stringify(service) },
  });
}

/** Adds up all of the function's files as a zip has them, in bytes. */
function zipped() {
  const names = readdirSync(service, { recursive: true }).filter((name) => name.includes('.'));
  return names.reduce((sum, name) => sum + deflateRawSync(readFileSync(service + name)).length, 0);
}
