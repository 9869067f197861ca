/**
 * Makes a Markdown table of what each row costs in the first implementation, and in the others in multiples of that.
 *
 * @param {Record<string, Record<string, number[]>>} figures - By row and by implementation, a figure for each round.
 */
export function tableOf(figures) {
  const [names] = Object.values(figures).map(Object.keys);
  const lines = Object.entries(figures).map(([row, ofRow]) => [
    row,
    short(median(ofRow[names[0]])),
    ...names.slice(1).map((name) => short(multipleOf(ofRow[name], ofRow[names[0]]))),
  ]);
  const rule = ['-'.repeat(WIDTHS[0]), ...names.map(() => `${'-'.repeat(WIDTHS[1] - 1)}:`)];
  return [['', ...names], rule, ...lines].map((cells) => `| ${cells.map(padded).join(' | ')} |`).join('\n');
}

const WIDTHS = [28, 10];

function padded(cell, column) {
  return column === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[1]);
}

/** The median of the rounds' quotients. */
export function multipleOf(values, base) {
  return median(values.map((value, round) => value / base[round]));
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function short(value) {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
