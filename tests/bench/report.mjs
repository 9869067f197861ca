import { FRAMEWORKS } from './build.mjs';

/** @typedef {import('./turns.mjs').Figures} Figures */

/** The goal of docs/performance.md, in multiples of bare+. */
const GOAL = 1.4;

/**
 * Makes a Markdown table of what each row costs by hand and in the service, and of the fastest framework. Figures that
 * miss a goal are bold.
 *
 * @param {Figures} figures
 * @param {readonly string[]} rows - The names of the rows that the table has.
 */
export function requestTable(figures, rows) {
  const head = ['Through JSON', 'bare', 'bare+', 'this service', 'service ÷ bare+', 'service ÷ the next framework'];
  return markdown([head, ...rows.map((row) => requestLine(row, figures[row]))]);
}

function requestLine(row, figures) {
  const { bare, 'bare+': plus, ours } = figures;
  const next = nextFramework(figures);
  const amount = (values) => `${short(median(values))} ${unitOf(row)}`;
  return [
    row.replace(', ms', ''),
    ...[bare, plus, ours].map(amount),
    marked(ratio(ours, plus), GOAL),
    `${marked(next.multiple, 1)} ${next.name}`,
  ];
}

/**
 * Says what that table does not have: the document, the page, and the sizes.
 *
 * @param {Figures} figures
 * @param {{ page: number, zip: number }} sizes - In kilobytes.
 */
export function besideSentence({ document, page, 'code, gzipped, kB': code }, sizes) {
  const multiple = ({ ours, 'bare+': plus }) => marked(ratio(ours, plus), GOAL);
  const weights = ['bare+', ...FRAMEWORKS].map((name) => `${name} ${short(code[name][0])}`);
  return `The document costs ${multiple(document)} × bare+, and the page ${multiple(page)} ×, because all serve the same bytes. The page takes
${short(sizes.page)} kB, compressed, the function's zip ${short(sizes.zip)} kB, and the code that a cold start reads ${short(code.ours[0])} kB: ${weights.join(', ')}.`;
}

/**
 * Says what requests cost with a DynamoDB table.
 *
 * @param {Figures} figures - Of the service, and of the handler with AWS's SDK.
 */
export function tableSentence(figures) {
  const parts = Object.entries(figures).map(([row, { ours, 'AWS SDK': sdk }]) => {
    const milliseconds = row.endsWith(', ms') ? median(sdk) : median(sdk) / 1000;
    return `${row.replace(', ms', '')} ${short(ratio(ours, sdk))} × ${short(milliseconds)} ms`;
  });
  return `On a table, compared to the CPU time with AWS's SDK: ${parts.join(', ')}.`;
}

/**
 * Says what it costs to verify the tokens of people who sign in.
 *
 * @param {Figures} figures - Of the service with and without them.
 */
export function tokenSentence(figures) {
  const more = (row) => median(figures[row]['signed in']) - median(figures[row].ours);
  const [get, cold] = [more('get') / 1000, more('cold start to first GET, ms')];
  return `Where people sign in, a GET of an item takes ${short(get)} ms more, and a cold start to its first GET ${short(cold)} ms more (without the wait for the provider).`;
}

/** The fastest framework, and what the service costs in multiples of it. */
function nextFramework(figures) {
  const multiples = FRAMEWORKS.map((name) => ({ name, multiple: ratio(figures.ours, figures[name]) }));
  return multiples.sort((one, other) => other.multiple - one.multiple)[0];
}

/** What one implementation costs in multiples of another: the median of the rounds' quotients. */
export function ratio(figures, base) {
  return median(figures.map((figure, round) => figure / base[round]));
}

/** The middle value, or the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function marked(multiple, goal) {
  return multiple > goal ? `**${short(multiple)}**` : short(multiple);
}

function short(value) {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

/** Rows that don't name a unit are in microseconds. */
function unitOf(row) {
  return row.endsWith(', ms') ? 'ms' : 'µs';
}

/** Makes a Markdown table, its first column aligned to the left and the others to the right. */
function markdown([head, ...lines]) {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((cells) => cells[column].length)));
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]));
  return [head, rule, ...lines].map((cells) => `| ${cells.map(pad).join(' | ')} |`).join('\n');
}
