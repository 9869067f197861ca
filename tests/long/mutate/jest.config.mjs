import { fileURLToPath } from 'node:url';
import config from '../../jest.config.mjs';

// Left out: they want each answer of the document seen, which is for the run of all tests.
const { globalSetup: _setup, globalTeardown: _teardown, ...shared } = config;

/** For `npm run mutate`: without the tests that start browsers or processes, or take millions of bytes. */
export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['**/tests/mutate/*.tests.ts'],
  testEnvironment: fileURLToPath(new URL('environment.cjs', import.meta.url)),
  testSequencer: '<rootDir>/tests/mutate/sequencer.cjs',
  moduleNameMapper: { '/support/kinds\\.js$': '<rootDir>/tests/mutate/kinds.ts', ...shared.moduleNameMapper },
};
