import { FRAMEWORKS } from './build.mjs';

/** The goal of docs/performance.md, in multiples of bare+. */
const GOAL = 1.4;

/**
 * Makes a Markdown table of what each row costs by hand and in the service, and of the fastest framework. Figures that
 * miss a goal are bold.
 */
export function requestTable(figures) {
  const head = ['Through JSON', 'bare', 'bare+', 'this service', 'service ÷ bare+', 'service ÷ the next framework'];
  return markdown([head, ...Object.entries(figures).map(([row, ofRow]) => requestLine(row, ofRow))]);
}

function requestLine(row, { bare, 'bare+': plus, ours, ...others }) {
  const amounts = [bare, plus, ours].map((values) => `${short(median(values))} ${row.endsWith(', ms') ? 'ms' : 'µs'}`);
  const multiples = FRAMEWORKS.map((name) => ({ name, multiple: ratio(ours, others[name]) }));
  const [next] = multiples.sort((one, other) => other.multiple - one.multiple);
  return [row.replace(', ms', ''), ...amounts, againstGoal(ours, plus), `${marked(next.multiple, 1)} ${next.name}`];
}

/** Says what that table does not have: the document, the page, and the sizes in kilobytes. */
export function besideSentence({ document, page, 'code, gzipped, kB': code }, sizes) {
  const weights = ['bare+', ...FRAMEWORKS].map((name) => `${name} ${short(code[name][0])}`);
  return `The document costs ${againstGoal(document.ours, document['bare+'])} × bare+, and the page ${againstGoal(page.ours, page['bare+'])} ×, because all serve the same bytes. The page takes
${short(sizes.page)} kB, compressed, the function's zip ${short(sizes.zip)} kB, and the code that a cold start reads ${short(code.ours[0])} kB: ${weights.join(', ')}.`;
}

/** Says what requests cost with a DynamoDB table, in the service and with AWS's SDK. */
export function tableSentence(figures) {
  const parts = Object.entries(figures).map(([row, { ours, 'AWS SDK': sdk }]) => {
    const milliseconds = row.endsWith(', ms') ? median(sdk) : median(sdk) / 1000;
    return `${row.replace(', ms', '')} ${short(ratio(ours, sdk))} × ${short(milliseconds)} ms`;
  });
  return `On a table, compared to the CPU time with AWS's SDK: ${parts.join(', ')}.`;
}

/** Says what it costs to verify the tokens of people who sign in. */
export function tokenSentence(figures) {
  const more = (row) => median(figures[row]['signed in']) - median(figures[row].ours);
  const [get, cold] = [more('get') / 1000, more('cold start to first GET, ms')];
  return `Where people sign in, a GET of an item takes ${short(get)} ms more, and a cold start to its first GET ${short(cold)} ms more (without the wait for the provider).`;
}

/** Lists what each row costs in multiples of the first implementation. */
export function comparison(figures) {
  const lines = Object.entries(figures).map(([row, ofRow]) => {
    const [[first, base], ...others] = Object.entries(ofRow);
    const multiples = others.map(([name, values]) => `${name} ${ratio(values, base).toFixed(3)}`);
    return [row.padEnd(30), `${first} ${median(base).toFixed(2)}`, ...multiples].join('   ');
  });
  return lines.join('\n');
}

/** What one implementation costs in multiples of another: the median of the rounds' quotients. */
export function ratio(values, base) {
  return median(values.map((value, round) => value / base[round]));
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function againstGoal(ours, plus) {
  return marked(ratio(ours, plus), GOAL);
}

function marked(multiple, goal) {
  return multiple > goal ? `**${short(multiple)}**` : short(multiple);
}

function short(value) {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

function markdown([head, ...lines]) {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((cells) => cells[column].length)));
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]));
  return [head, rule, ...lines].map((cells) => `| ${cells.map(pad).join(' | ')} |`).join('\n');
}
