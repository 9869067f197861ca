const { default: Sequencer } = require('@jest/test-sequencer');

/** Quick tests go first, for the first that fails ends the run: those of single modules, then those of the whole. */
module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a.path) - rank(b.path));
  }
};

const LAST = ['abuse', 'store.test', 'cross-site', 'list.test', 'todo.test', 'order', 'table', 'instances', 'faults'];

function rank(path) {
  return LAST.findLastIndex((name) => path.includes(`${name}`)) + (path.includes('/functions/') ? 1 : 0);
}
