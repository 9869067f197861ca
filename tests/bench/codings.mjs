import { askOnce, measure } from './turns.mjs';

const STAGE = { items: 2_000, names: ['list of 2000, HTTP API'], warmUp: 100, passes: 15, batch: 6 };

/** Measures a long list in the service, for callers who take no compression, and for those who take gzip. */
export async function measureCodings(ours, rounds) {
  const contestants = Object.fromEntries(
    ['identity', 'gzip'].map((CODING) => [CODING, { file: ours, environment: { CODING } }]),
  );
  const figures = await measure(contestants, [STAGE], rounds);
  // These are of the first request, which is not for a long list.
  for (const row of Object.keys(figures)) if (row.startsWith('cold')) delete figures[row];
  figures['its content, kB'] = {};
  for (const contestant of Object.entries(contestants))
    figures['its content, kB'][contestant[0]] = [await askOnce(contestant, 'content', STAGE)];
  return figures;
}
