import { availableParallelism } from 'node:os';
import { BROWSER_TESTS, hasBrowser } from './tests/support/browser/installed.mjs';

const leftOut = [];
if (!hasBrowser()) {
  console.warn(
    'No browser was found, so the tests of the page are left out. Install Chrome, Edge or Chromium, or set BROWSER_PATH.',
  );
  leftOut.push(BROWSER_TESTS);
}

export default {
  testEnvironment: '<rootDir>/tests/support/jest/environment.mjs',
  // All of the sources, so that Jest finds the tests that a changed file is related to. Builds and copies have the same names.
  roots: ['docs', 'functions', 'shared', 'tests'].map((folder) => `<rootDir>/${folder}`),
  globalSetup: '<rootDir>/tests/support/jest/setup.mjs',
  globalTeardown: '<rootDir>/tests/support/jest/teardown.mjs',
  testMatch: ['**/*.test.ts'],
  // .ci/run runtime installs the packages that its tests need.
  testPathIgnorePatterns: ['/node_modules/', '/tests/runtime/', ...leftOut],
  // Many tests wait: for a browser, an emulator, a retry. So four workers keep two cores busy.
  maxWorkers: availableParallelism() + 2,
  // Only a test that hangs takes so long: on a busy machine, tests take ten times as long as on an idle one.
  testTimeout: 120_000,
  transform: { '\\.(ts|m?js)$': '<rootDir>/tests/support/jest/transform.mjs' },
  // These have only ES modules, which Jest on Node.js 20 can't require as they are.
  transformIgnorePatterns: ['/node_modules/(?!(uuid|jose)/)'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^playwright-core$': '<rootDir>/tests/support/jest/playwright.cjs',
  },
  collectCoverageFrom: ['functions/**/*.ts', 'shared/**/*.ts', 'docs/generator/**/*.ts', 'docs/page/markup/**/*.ts'],
  coverageReporters: [['text', { skipFull: true }], 'lcovonly'],
  coverageThreshold: { global: { lines: 100, branches: 100, functions: 100, statements: 100 } },
};
