const { TestEnvironment } = require('jest-environment-node');

/** The fault that a test has found. It is outside the environments, and so the same for all files of a run. */
let found;

/** Skips what comes after the first test that fails: one is enough to find a fault. */
module.exports = class extends TestEnvironment {
  constructor(...given) {
    super(...given);
    this.global.isFaultFound = this.#isFaultFound();
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) found = process.env.__STRYKER_ACTIVE_MUTANT__;
    if (name === 'test_start' && this.#isFaultFound()) test.mode = 'skip';
  }

  #isFaultFound() {
    return found !== undefined && found === process.env.__STRYKER_ACTIVE_MUTANT__;
  }
};
