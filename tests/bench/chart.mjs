import { FRAMEWORKS } from './build.mjs';
import { ratio } from './report.mjs';

const COLORS = {
  light: { text: '#1f2328', faint: '#d1d9e0', base: '#59636e', ours: '#0969da' },
  dark: { text: '#f0f6fc', faint: '#3d444d', base: '#9198a1', ours: '#4493f8' },
};
const PEERS = {
  light: ['#bc4c00', '#8250df', '#1a7f37', '#bf3989', '#9a6700'],
  dark: ['#f0883e', '#ab7df8', '#3fb950', '#f778ba', '#d29922'],
};
const LEFT = 210;
const RIGHT = 870;
const TOP = 64;
const LINE = 26;
/** The ends of the logarithmic axis. */
const [MIN_RATIO, MAX_RATIO] = [0.25, 32];

/**
 * Draws what each row costs in the service and in the frameworks, in multiples of bare+.
 *
 * @param {import('./turns.mjs').Figures} figures
 * @param {'light' | 'dark'} scheme - The colours of the page that shows it.
 * @returns {string} SVG.
 */
export function drawChart(figures, scheme) {
  const { text, faint, base, ours } = COLORS[scheme];
  const rows = Object.entries(figures);
  const colors = [...FRAMEWORKS.map((name, index) => [name, PEERS[scheme][index]]), ['ours', ours]];
  const bottom = TOP + rows.length * LINE;
  const grid = [0.25, 0.5, 1, 2, 4, 8, 16, 32].map((at) => {
    const [color, width] = at === 1 ? [base, 2] : [faint, 1];
    const line = `<line x1="${x(at)}" y1="${TOP - 8}" x2="${x(at)}" y2="${bottom}" stroke="${color}" stroke-width="${width}"/>`;
    return `${line}<text x="${x(at)}" y="${bottom + 18}" text-anchor="middle">${at}×</text>`;
  });
  const dots = rows.flatMap(([row, ofRow], index) => {
    const y = TOP + index * LINE + LINE / 2;
    const label = `<text x="${LEFT - 14}" y="${y + 4}" text-anchor="end">${row.replace(/, (ms|kB)$/, '')}</text>`;
    return [label, ...colors.map(([name, color]) => dot(name, x(ratio(ofRow[name], ofRow['bare+'])), y, color))];
  });
  const legend = colors.map(([name, color], index) => {
    const at = LEFT + index * 110;
    return `${dot(name, at, 24, color)}<text x="${at + 12}" y="28">${name === 'ours' ? 'this service' : name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 ${bottom + 48}" font-family="system-ui, sans-serif" font-size="13" fill="${text}" role="img" aria-label="What requests cost, in multiples of a handler written by hand with the same duties">
${[...grid, ...dots, ...legend].join('\n')}
<text x="${x(1)}" y="${bottom + 36}" text-anchor="middle" fill="${base}">written by hand with the same duties = 1; less is better</text>
</svg>
`;
}

function dot(name, cx, cy, color) {
  const shape = name === 'ours' ? `r="6" fill="${color}"` : `r="4" fill="none" stroke="${color}" stroke-width="2"`;
  return `<circle cx="${cx}" cy="${cy}" ${shape}/>`;
}

/** Values beyond an end of the axis are drawn at that end. */
function x(value) {
  const onAxis = Math.min(Math.max(value, MIN_RATIO), MAX_RATIO);
  const share = Math.log(onAxis / MIN_RATIO) / Math.log(MAX_RATIO / MIN_RATIO);
  return Number((LEFT + share * (RIGHT - LEFT)).toFixed(1));
}
