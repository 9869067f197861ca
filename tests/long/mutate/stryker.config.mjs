import { fileURLToPath } from 'node:url';
import shared from '../../../jest.config.mjs';
import { BROWSER_TESTS } from '../../support/browser/installed.mjs';

/** For `npm run mutate`. */
export default {
  mutate: ['functions/**/*.ts', 'shared/**/*.ts'],
  testRunner: 'jest',
  jest: {
    // Only the tests that load the file with the fault.
    enableFindRelatedTests: true,
    config: {
      ...shared,
      // The teardown demands that each answer of the document was seen, which takes a run of all tests.
      globalSetup: undefined,
      globalTeardown: undefined,
      roots: ['<rootDir>/functions', '<rootDir>/shared', '<rootDir>/tests'],
      // Without the tests that start browsers or processes, wait long, or repeat others.
      testMatch: ['**/tests/{functions,shared}/**/*.test.ts'],
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '/rules/capacity', BROWSER_TESTS],
      testEnvironment: fileURLToPath(new URL('environment.cjs', import.meta.url)),
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  maxTestRunnerReuse: 100,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { logTests: false, reportTests: false },
  tempDirName: '.stryker-tmp',
  timeoutMS: 20_000,
  thresholds: { high: 97, low: 95, break: 95 },
  disableTypeChecks: false,
};
