// Measures the service beside its peers and prints Markdown: npm run bench, or npm run bench -- quick.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(`${here}node_modules`))
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });

const { buildPeers, implementations, many } = await import('./build.mjs');
const { call } = await import('./events.mjs');
const { check } = await import('./check.mjs');
const { interleave } = await import('./interleave.mjs');
const { sizeOf } = await import('./size.mjs');
const { aboveEmpty, growthTable, ratioTable, sizeTable } = await import('./table.mjs');

process.env.LOG_LEVEL = 'silent';
await buildPeers();
for (const [name, { file }] of Object.entries(implementations)) await check(name, (await import(file)).handler);

const quick = process.argv.includes('quick');
const { ours, 'ours, logging': logging, bare, middy } = implementations;
const timed = quick ? { ours, 'ours, logging': logging, bare, middy } : implementations;
const { status } = await call((await import(ours.file)).handler, 'GET', '/swagger/v1/swagger.json');
const documented = status === 200;
const effort = quick ? { warmUp: 400, passes: 20, batch: 20 } : { warmUp: 800, passes: 40, batch: 20 };

const warm = await interleave('warm.mjs', timed, quick ? 3 : 5, { ...effort, documented });
const cold = await interleave('cold.mjs', { empty: { file: '' }, ...timed }, quick ? 9 : 21);
const items = await interleave('growth.mjs', { ours, bare }, quick ? 1 : 3, { ...effort, warmUp: 2_000 });
const routes = await interleave('routes.mjs', { ours: { file: many } }, quick ? 1 : 3, effort);

console.log(`
Multiples of the bare handler in the same round, on Node.js ${process.version}: the median of the rounds, in brackets
the quartiles. The last column has what one bare handler is.

${ratioTable({ ...warm, ...aboveEmpty(cold) }, Object.keys(timed))}
${documented ? '' : '\nThe description document is left out: the service answers 404 for it.\n'}
The code that a cold start reads, in kB. The others' holds the description document, which ours has in a file beside it:

${sizeTable(Object.entries(timed).map(([name, { file }]) => [name, sizeOf(file)]))}

With more items, in multiples of the same with one; with more routes, in multiples of the same with the service's own:

${growthTable({ ...items, ...routes })}
`);
