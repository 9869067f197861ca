import { multipleOf } from './report.mjs';

/** The service is the last one, so that it is in front. */
const COLORS = {
  light: {
    text: '#1f2328',
    grid: '#d1d9e0',
    dots: ['#bc4c00', '#1a7f37', '#0969da'],
  },
  dark: {
    text: '#f0f6fc',
    grid: '#3d444d',
    dots: ['#f0883e', '#3fb950', '#4493f8'],
  },
};
const [LEFT, RIGHT, TOP, LINE] = [210, 870, 64, 26];

/**
 * Draws what each row costs in the service and in the frameworks, in multiples of bare+, on a logarithmic axis from ¼ to 128.
 *
 * @param {Record<string, Record<string, number[]>>} figures - By row and by implementation, a figure for each round.
 * @param {'light' | 'dark'} scheme - The colours of the page that shows it.
 * @returns {string} SVG.
 */
export function drawChart(figures, scheme) {
  const { text, grid, dots } = COLORS[scheme];
  const rows = Object.entries(figures);
  const { ours: _ours, 'bare+': _base, ...frameworks } = rows[0][1];
  const names = [...Object.keys(frameworks), 'ours'];
  const bottom = TOP + rows.length * LINE;
  const dot = (index, cx, cy) => {
    const shape = names[index] === 'ours' ? `r="6" fill="${dots[index]}"` : `r="4" fill="none" stroke="${dots[index]}"`;
    return `<circle cx="${cx}" cy="${cy}" ${shape} stroke-width="2"/>`;
  };
  const lines = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128].map((at) => {
    const line = `<line x1="${x(at)}" y1="${TOP - 8}" x2="${x(at)}" y2="${bottom}" stroke="${grid}" stroke-width="${at === 1 ? 3 : 1}"/>`;
    return `${line}<text x="${x(at)}" y="${bottom + 18}" text-anchor="middle">${at}×</text>`;
  });
  const drawn = rows.map(([row, ofRow], index) => {
    const y = TOP + index * LINE + LINE / 2;
    const label = `<text x="${LEFT - 14}" y="${y + 4}" text-anchor="end">${row.replace(/, (µs|ms|kB)$/, '')}</text>`;
    return label + names.map((name, of) => dot(of, x(multipleOf(ofRow[name], ofRow['bare+'])), y)).join('');
  });
  const legend = names.map((name, index) => {
    const at = LEFT + index * 97;
    return `${dot(index, at, 24)}<text x="${at + 12}" y="28">${name === 'ours' ? 'this service' : name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 ${bottom + 48}" font-family="system-ui, sans-serif" font-size="13" fill="${text}" role="img" aria-label="What requests cost, in multiples of a handler written by hand with the same duties">
${[...lines, ...drawn, ...legend].join('\n')}
<text x="${x(1)}" y="${bottom + 36}" text-anchor="middle">written by hand with the same duties = 1; less is better</text>
</svg>
`;
}

function x(multiple) {
  return Number((LEFT + (Math.log2(multiple / 0.25) / 9) * (RIGHT - LEFT)).toFixed(1));
}
