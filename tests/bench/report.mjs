/**
 * Makes a Markdown table of what each row costs in the first implementation, and in the others in multiples of that: the median
 * of the rounds' quotients.
 *
 * @param {Record<string, Record<string, number[]>>} figures - By row and by implementation.
 */
export function tableOf(figures) {
  const [names] = Object.values(figures).map(Object.keys);
  const lines = Object.entries(figures).map(([row, ofRow]) => {
    const base = ofRow[names[0]];
    const multiples = names.slice(1).map((name) => median(ofRow[name].map((value, round) => value / base[round])));
    return [row, ...[median(base), ...multiples].map(short)];
  });
  const rule = ['-'.repeat(WIDTHS[0]), ...names.map(() => `${'-'.repeat(WIDTHS[1] - 1)}:`)];
  return [['', ...names], rule, ...lines].map((cells) => `| ${cells.map(padded).join(' | ')} |`).join('\n');
}

const WIDTHS = [27, 10];

function padded(cell, column) {
  return column === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[1]);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function short(value) {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
