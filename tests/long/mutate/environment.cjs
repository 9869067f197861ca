const { TestEnvironment } = require('jest-environment-node');

/** The fault that a test has found. It is outside the class, so all files of a run share it. */
let found;

/** Skips all tests after the first one that fails: one is enough to find a fault. */
module.exports = class extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) found = process.env.__STRYKER_ACTIVE_MUTANT__;
    const isFound = found !== undefined && found === process.env.__STRYKER_ACTIVE_MUTANT__;
    if (name === 'test_start' && isFound) test.mode = 'skip';
  }
};
