import { median } from './timing.mjs';

/** What ours may cost, in multiples of the one by hand with the same duties. */
const GOAL = 1;
const COLD_GOAL = 1.1;
/** What a request on a table may cost, in multiples of the same with AWS's SDK. */
const TABLE_GOAL = 0.5;
/** What a request may cost with the access log, in multiples of what it costs without. */
const LOG_GOAL = 1.5;

/**
 * Sets out what each implementation costs.
 *
 * @param {Record<string, Record<string, number[]>>} rows - One figure a round, by row and by contestant.
 * @param {readonly string[]} names - The implementations, `bare` among them.
 * @param {Record<string, typeof rows>} beside - The same in other circumstances, by what they are: just ours and `bare+`.
 * @returns {string} A table in Markdown: the bare handler's figure, the others in multiples of it, then ours in multiples
 * of `bare+`, with quartiles, and with the log in multiples of without.
 */
export function costTable(rows, names, beside = {}) {
  const peers = names.filter((name) => name !== 'bare');
  const lines = Object.entries(rows).map(([row, figures]) => [
    nameOf(row),
    figures.bare ? `${short(median(figures.bare))} ${unit(row)}` : '–',
    ...peers.map((name) => ratioCell(figures[name], figures.bare)),
    goalCell(row, figures),
    ...Object.values(beside).map((others) => goalCell(row, others[row] ?? {}, short)),
    logCell(figures['ours, logging'], figures.ours),
    peerCell(row, figures),
  ]);
  return table(
    ['', 'bare', ...peers, 'ours ÷ bare+', ...Object.keys(beside), 'logging ÷ ours', 'ours ÷ best peer'],
    lines,
  );
}

/**
 * Sets out what requests on a table cost, beside the same with AWS's SDK.
 *
 * @param {Record<string, Record<string, number[]>>} rows - One figure a round, by row and by implementation.
 */
export function tableTable(rows) {
  const lines = Object.entries(rows).map(([row, { ours, 'AWS SDK': sdk }]) => {
    const quotients = ratios(ours, sdk);
    const cell = `${isOver(median(quotients), row.endsWith('MB') ? 1 : TABLE_GOAL)}${spread(quotients)}`;
    return [nameOf(row), `${short(median(sdk))} ${unit(row)}`, `${short(median(ours))} ${unit(row)}`, cell];
  });
  return table(['', 'AWS SDK', 'ours', 'ours ÷ AWS SDK'], lines);
}

/**
 * Takes off what an empty process costs. A cold start is too short to be compared within its round, so each is compared
 * with the median.
 */
export function aboveEmpty(rows) {
  const subtract = ({ empty, ...figures }) => {
    const own = empty ? median(empty) : 0;
    return Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, all.map((figure) => figure - own)]));
  };
  return Object.fromEntries(Object.entries(rows).map(([row, figures]) => [row, subtract(figures)]));
}

/** The quotients of two implementations, round by round. */
export function ratios(figures, base) {
  return figures.map((figure, round) => figure / base[round]);
}

/** Sets lines out in columns. */
export function table(head, lines) {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The median, and in brackets the quartiles. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const last = sorted.length - 1;
  const quartiles = [sorted[Math.floor(last / 4)], sorted[Math.ceil((last * 3) / 4)]];
  return `${short(median(values))} (${quartiles.map(short).join('–')})`;
}

/** Two digits that count, and all in front of the point. */
export function short(value) {
  return Math.abs(value) >= 10 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}

function ratioCell(figures, base) {
  return figures && base ? short(median(ratios(figures, base))) : '–';
}

function goalCell(row, { ours, 'bare+': base }, show) {
  if (!ours || !base) return '–';
  const quotients = ratios(ours, base);
  return `${isOver(median(quotients), goalOf(row))}${show ? show(median(quotients)) : spread(quotients)}`;
}

function logCell(figures, base) {
  if (!figures || !base) return '–';
  const quotient = median(ratios(figures, base));
  return `${isOver(quotient, LOG_GOAL)}${short(quotient)}`;
}

/** The frameworks, of which the one that is least behind, or most ahead, is named. */
function peerCell(row, { ours, bare, 'bare+': plus, 'ours, logging': logging, ...peers }) {
  const quotients = Object.entries(peers).map(([name, figures]) => [name, ours && median(ratios(ours, figures))]);
  if (!ours || quotients.length === 0) return '–';
  const [name, most] = quotients.reduce((one, other) => (other[1] > one[1] ? other : one));
  return `${row.startsWith('code') ? '' : isOver(most, 1)}${short(most)} ${name}`;
}

/** What a request allocates and what the code weighs have no goal. */
function goalOf(row) {
  if (row.startsWith('allocated') || row.startsWith('code')) return Number.POSITIVE_INFINITY;
  return row.startsWith('cold') ? COLD_GOAL : GOAL;
}

function isOver(quotient, goal) {
  return quotient <= goal ? '' : '**over** ';
}

function nameOf(row) {
  return row.replace(/, (ms|MB|bytes|kB)$/, '');
}

/** Rows that name no unit are in microseconds. */
function unit(row) {
  return row.match(/, (ms|MB|bytes|kB)$/)?.[1] ?? 'µs';
}
