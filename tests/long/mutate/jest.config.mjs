import { fileURLToPath } from 'node:url';
import config from '../../../jest.config.mjs';

// Left out: they want each answer of the document seen, which is for the run of all tests.
const { globalSetup: _setup, globalTeardown: _teardown, ...shared } = config;

/** For `npm run mutate`: without the tests that start browsers or processes, wait long, or repeat others. */
export default {
  ...shared,
  rootDir: '../../..',
  // So that the tests are found that load the file with the fault.
  roots: ['<rootDir>/functions', '<rootDir>/shared', '<rootDir>/tests'],
  testMatch: ['**/tests/{functions,shared}/**/*.test.ts', '**/tests/fuzz/abuse.test.ts'],
  testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '/functions/(smoke|late|instances|fill)'],
  testEnvironment: fileURLToPath(new URL('environment.cjs', import.meta.url)),
};
