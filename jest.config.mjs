import { availableParallelism } from 'node:os';
import { hasBrowser } from './tests/support/browser/installed.mjs';

// A test that passes only in UTC fails here.
process.env.TZ = 'Asia/Kathmandu';
// The SDK would warn about Node.js 20, on which it still works.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const leftOut = [];
if (!hasBrowser()) {
  console.warn(
    'No browser was found, so the tests of the page are left out. Install Chrome, Edge or Chromium, or set BROWSER_PATH.',
  );
  leftOut.push('/tests/page/in-browser/');
}

export default {
  // With all sources, Jest finds the tests that a changed file is related to.
  roots: ['docs', 'functions', 'shared', 'tests'].map((folder) => `<rootDir>/${folder}`),
  globalSetup: '<rootDir>/tests/support/jest/setup.mjs',
  silent: true, // hides the service's log
  testMatch: ['**/*.test.ts'],
  // `.ci/run runtime` runs those, because they need packages of their own.
  testPathIgnorePatterns: ['/node_modules/', '/tests/runtime/', ...leftOut],
  // Many tests wait for a browser, an emulator or a retry, so two cores can take four workers.
  maxWorkers: availableParallelism() + 2,
  // Even on a busy machine, only a test that hangs takes longer.
  testTimeout: 180_000,
  transform: { '\\.(ts|m?js)$': '<rootDir>/tests/support/jest/transform.mjs' },
  // These packages consist of ES modules, which Jest on Node.js 20 can't require.
  transformIgnorePatterns: ['/node_modules/(?!(uuid|jose)/)'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};
