// Measures the service beside its peers and prints Markdown: npm run bench, or for a minute's worth npm run bench -- quick.
// Options: --event browser|curl|http-api, --node 24|20, --only "bare,bare+,ours", and no others.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(`${here}node_modules/node24`))
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });

const { buildPeers, implementations } = await import('./build.mjs');
const { interleave, run } = await import('./interleave.mjs');
const { startProgress } = await import('./progress.mjs');
const { sizeOf } = await import('./size.mjs');
const { aboveEmpty, costTable } = await import('./table.mjs');
const { stepsOf, takeTurns } = await import('./turns.mjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    event: { type: 'string', default: 'browser' },
    node: { type: 'string', default: '24' },
    only: { type: 'string' },
  },
});
const quick = positionals.includes('quick');
const node = values.node === '24' ? `${here}node_modules/node24/bin/node` : process.execPath;
const QUICK = 'bare,bare+,ours,ours, logging,middy';
const chosen = values.only ?? (quick ? QUICK : undefined);
const contestants = Object.fromEntries(
  Object.entries(implementations)
    .filter(([name]) => !chosen || `,${chosen},`.includes(`,${name},`))
    .map(([name, { file, environment }]) => [
      name,
      { file, node, environment: { LOG_LEVEL: 'silent', ...environment, BENCH_EVENT: values.event } },
    ]),
);
const heap = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
const silent = Object.fromEntries(Object.entries(contestants).filter(([name]) => name !== 'ours, logging'));
const counted = Object.fromEntries(Object.entries(silent).map(([name, one]) => [name, { ...one, flags: heap }]));
const started = { empty: { ...Object.values(contestants)[0], file: '' }, ...contestants };

const effort = quick ? { warmUp: 250, passes: 40, batch: 20 } : { warmUp: 800, passes: 80, batch: 20 };
const rounds = quick ? { warm: 3, cold: 9, allocated: 1 } : { warm: 7, cold: 25, allocated: 3 };
const count = (what) => Object.keys(what).length;

await buildPeers();
for (const [name, one] of Object.entries(silent)) {
  await run('check.mjs', one, { name, ours: ['bare+', 'ours'].includes(name) });
}
const progress = startProgress(
  stepsOf(contestants, rounds.warm) +
    (count(started) + count(silent)) * rounds.cold +
    count(counted) * rounds.allocated,
);
const warm = await takeTurns(contestants, rounds.warm, effort, progress);
const cold = await interleave('cold.mjs', started, rounds.cold, { first: 'GET' }, progress);
const posted = await interleave('cold.mjs', silent, rounds.cold, { first: 'POST' }, progress);
const allocated = await interleave('allocated.mjs', counted, rounds.allocated, {}, progress);
const sizes = { 'code, gzipped, kB': {} };
for (const [name, { file }] of Object.entries(silent)) sizes['code, gzipped, kB'][name] = [sizeOf(file).gzipped];

console.log(`
What a request costs on Node.js ${values.node} with the event of ${values.event}: the bare handler's figure, and the
others in multiples of it, in the same round; the median of ${rounds.warm} rounds (cold: ${rounds.cold}), with the quartiles
in brackets. Goals: ours at most 1.0 × bare+ (cold 1.1), with the access log at most 1.5 × without.

${costTable({ ...warm, ...allocated, ...aboveEmpty({ ...cold, ...posted }), ...sizes }, Object.keys(contestants))}
`);
