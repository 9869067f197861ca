import { readFileSync, writeFileSync } from 'node:fs';
import { drawChart } from './chart.mjs';

const docs = new URL('../../docs/', import.meta.url);
const MARKS = ['<!-- npm run bench -- write: begin -->', '<!-- npm run bench -- write: end -->'];

/**
 * Puts together what the command prints.
 *
 * @param {string} costs - The table of requests in memory.
 * @param {string} tables - That of requests on a table.
 * @param {string} version - Of Node.js.
 */
export function page(costs, tables, version) {
  return `Node.js ${version}, a browser's event. The first column of figures is the bare handler's; the others are multiples of it, the
median of the rounds. Then ours in multiples of bare+, in brackets the quartiles: the goal is 1.0, of cold starts 1.1; so with
curl's event, with an HTTP API's, and on Node.js ${process.version}. With the access log, the goal is 1.5 of without. **Over** is what misses it.

${costs}

On a table, the processor's time beside the same calls by AWS's SDK; the goal is 0.5, and no more memory:

${tables}`;
}

/**
 * Renews what docs/performance.md has between its marks, and the charts beside it.
 *
 * @param {string} text - What goes there.
 * @param {Record<string, Record<string, number[]>>} rows - One figure a round, by row and by implementation.
 * @param {readonly string[]} names - The implementations.
 */
export function writePage(text, rows, names) {
  const file = new URL('performance.md', docs);
  const [before, , after] = split(readFileSync(file, 'utf8'));
  writeFileSync(file, `${before}${MARKS[0]}\n\n${text}\n\n${MARKS[1]}${after}`);
  for (const scheme of ['light', 'dark']) {
    writeFileSync(new URL(`performance-${scheme}.svg`, docs), drawChart(rows, names, scheme));
  }
}

function split(document) {
  const [before, rest] = document.split(MARKS[0]);
  const [old, after] = rest.split(MARKS[1]);
  return [before, old, after];
}
