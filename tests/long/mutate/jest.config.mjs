import { fileURLToPath } from 'node:url';
import config from '../../../jest.config.mjs';

// Left out, because it demands that each answer of the document was seen, which only a run of all tests can meet.
const { globalSetup: _setup, globalTeardown: _teardown, ...shared } = config;

/** For `npm run mutate`: without the tests that start browsers or processes, wait long, or repeat others. */
export default {
  ...shared,
  rootDir: '../../..',
  // Finds the tests that load the file with the fault.
  roots: ['<rootDir>/functions', '<rootDir>/shared', '<rootDir>/tests'],
  testMatch: ['**/tests/{functions,shared}/**/*.test.ts'],
  testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '/functions/(instances|capacity)'],
  testEnvironment: fileURLToPath(new URL('environment.cjs', import.meta.url)),
};
