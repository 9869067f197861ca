import { ratios } from './table.mjs';
import { median } from './timing.mjs';

/** The rows that are drawn: what callers do, as the runtime sees it. */
const ROWS = [
  'list of 1',
  'get',
  'put',
  'patch',
  'post',
  'delete',
  'unknown route',
  'list of 100',
  'put, then list of 100',
  'list of 10,000',
  'get, through JSON',
  'put, through JSON',
  'post, through JSON',
  'list of 100, through JSON',
  'cold: import to first GET, ms',
  'cold: one of each operation, ms',
  'cold: memory, MB',
];
const COLORS = {
  light: {
    text: '#1f2328',
    faint: '#d1d9e0',
    base: '#59636e',
    ours: '#0969da',
    peers: ['#bc4c00', '#8250df', '#1a7f37', '#bf3989', '#9a6700'],
  },
  dark: {
    text: '#f0f6fc',
    faint: '#3d444d',
    base: '#9198a1',
    ours: '#4493f8',
    peers: ['#f0883e', '#ab7df8', '#3fb950', '#f778ba', '#d29922'],
  },
};
const LEFT = 210;
const RIGHT = 870;
const TOP = 64;
const LINE = 26;

/**
 * Draws what requests cost, in multiples of the same duties by hand, on a logarithmic axis.
 *
 * @param {Record<string, Record<string, number[]>>} rows - One figure a round, by row and by implementation.
 * @param {readonly string[]} names - The implementations; those by hand and the one that logs are left out.
 * @param {'light' | 'dark'} scheme - What it is looked at on.
 * @returns {string} SVG.
 */
export function drawChart(rows, names, scheme) {
  const { text, faint, base, ours, peers } = COLORS[scheme];
  const drawn = ROWS.filter((row) => rows[row]);
  const shown = names.filter((name) => !['bare', 'bare+', 'ours', 'ours, logging'].includes(name));
  const colors = new Map([...shown.map((name, index) => [name, peers[index]]), ['ours', ours]]);
  const bottom = TOP + drawn.length * LINE;
  const grid = [0.01, 0.1, 1, 10, 100].map(
    (at) =>
      `<line x1="${x(at)}" y1="${TOP - 8}" x2="${x(at)}" y2="${bottom}" stroke="${at === 1 ? base : faint}" stroke-width="${at === 1 ? 2 : 1}"/>` +
      `<text x="${x(at)}" y="${bottom + 18}" text-anchor="middle">${at}×</text>`,
  );
  const dots = drawn.flatMap((row, index) => {
    const y = TOP + index * LINE + LINE / 2;
    const label = `<text x="${LEFT - 14}" y="${y + 4}" text-anchor="end">${row.replace(/, (ms|MB)$/, '')}</text>`;
    return [label, ...[...colors].map(([name, color]) => dot(name, multiple(rows[row], name), y, color))];
  });
  const legend = [...colors].map(([name, color], index) => {
    const at = LEFT + index * 104;
    return `${dot(name, undefined, 24, color, at)}<text x="${at + 12}" y="28">${name === 'ours' ? 'this service' : name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 ${bottom + 48}" font-family="system-ui, sans-serif" font-size="13" fill="${text}" role="img" aria-label="What requests cost, in multiples of a handler written by hand with the same duties">
${[...grid, ...dots, ...legend].join('\n')}
<text x="${x(1)}" y="${bottom + 36}" text-anchor="middle" fill="${base}">written by hand with the same duties = 1; less is faster</text>
</svg>
`;
}

function multiple(figures, name) {
  return figures[name] && median(ratios(figures[name], figures['bare+']));
}

function dot(name, value, y, color, at = value && x(value)) {
  if (at === undefined) return '';
  const shape = name === 'ours' ? `r="6" fill="${color}"` : `r="4" fill="none" stroke="${color}" stroke-width="2"`;
  return `<circle cx="${at}" cy="${y}" ${shape}/>`;
}

/** What is off the axis stands at its end. */
function x(value) {
  const place = (Math.log10(Math.min(Math.max(value, 0.001), 1_000)) + 3) / 6;
  return Number((LEFT + place * (RIGHT - LEFT)).toFixed(1));
}
