const { default: Sequencer } = require('@jest/test-sequencer');

/** The quick tests go first, as their name does. */
module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => a.path.localeCompare(b.path));
  }
};
