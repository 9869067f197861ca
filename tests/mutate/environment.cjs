const { TestEnvironment } = require('jest-environment-node');

/** The fault that a test has found. It is outside the environments, and so the same for all files of a run. */
let found;

/** Skips what comes after the first test that fails: one is enough to find a fault. */
module.exports = class extends TestEnvironment {
  handleTestEvent({ name, test }) {
    const fault = process.env.__STRYKER_ACTIVE_MUTANT__;
    if (fault === undefined) return;
    if (name === 'test_done' && test.errors.length > 0) found = fault;
    if (name === 'test_start' && found === fault) test.mode = 'skip';
  }
};
