import { median } from './timing.mjs';

/** What ours may cost, in multiples of the bare handler. */
const GOALS = {
  'list of 1': 0.5,
  'list of 100': 0.05,
  'list of 10,000': 0.05,
  'put, then list of 100': 0.75,
  'put, then list of 10,000': 0.35,
  get: 1,
  put: 1.5,
  patch: 1.5,
  post: 1.25,
  delete: 1.5,
  'unknown route': 5,
  document: 5,
  'get, through JSON': 1.1,
  'put, through JSON': 1.1,
  'list of 100, through JSON': 0.6,
  'list of 10,000, through JSON': 0.4,
  'cold: import to first answer, ms': 1,
  'cold: one of each operation, ms': 1,
  'cold: memory, MB': 1.5,
};

/** What our code may weigh, in kB gzipped. */
const LARGEST_CODE = 10;

/**
 * Sets out what each implementation costs beside the bare handler.
 *
 * @param {Record<string, Record<string, number[]>>} rows - One figure a round, by row and by implementation.
 * @param {readonly string[]} names - The implementations, the bare one among them.
 */
export function ratioTable(rows, names) {
  const peers = names.filter((name) => name !== 'bare');
  const lines = Object.entries(rows).map(([row, { bare, ...figures }]) => {
    const ratios = peers.map((name) => figures[name]?.map((figure, round) => figure / bare[round]));
    return [row, row in GOALS ? `≤ ${GOALS[row]}` : '', ...ratios.map(spread), unit(row, median(bare))];
  });
  return table(['', 'goal', ...peers, 'bare'], lines);
}

/**
 * Takes off what an empty process costs. A cold start is too short to be compared within its round, so the bare
 * handler's are all given their median.
 */
export function aboveEmpty(rows) {
  const subtract = ({ empty, bare, ...figures }) => {
    const own = empty ? median(empty) : 0;
    const less = Object.entries(figures).map(([name, all]) => [name, all.map((figure) => figure - own)]);
    return { ...Object.fromEntries(less), bare: bare.map(() => median(bare) - own) };
  };
  return Object.fromEntries(Object.entries(rows).map(([row, figures]) => [row, subtract(figures)]));
}

/** Sets out what is deployed, in kB. */
export function sizeTable(sizes) {
  const lines = sizes.map(([name, { code, gzipped }]) => [name, short(code), short(gzipped)]);
  return table(['', 'code', `gzipped; goal ≤ ${LARGEST_CODE}`], lines);
}

/** Sets out how the cost grows. */
export function growthTable(rows) {
  return table(
    ['', 'ours', 'bare'],
    Object.entries(rows).map(([row, { ours, bare }]) => [row, spread(ours), spread(bare)]),
  );
}

function table(head, lines) {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The median, and in brackets the quartiles. */
function spread(values) {
  if (!values) return '–';
  const sorted = [...values].sort((a, b) => a - b);
  const last = sorted.length - 1;
  const quartiles = [sorted[Math.floor(last / 4)], sorted[Math.ceil((last * 3) / 4)]];
  return `${short(median(values))} (${quartiles.map(short).join('–')})`;
}

/** Rows that name no unit are in microseconds. */
function unit(row, value) {
  return `${short(value)} ${row.split(', ')[1]?.match(/^(ms|MB)$/)?.[0] ?? 'µs'}`;
}

/** Two digits that count, and all in front of the point. */
function short(value) {
  return value >= 10 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}
