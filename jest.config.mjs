import { availableParallelism } from 'node:os';
import { hasBrowser } from './tests/support/browser/installed.mjs';

// A date that is right in UTC alone fails here.
process.env.TZ = 'Asia/Kathmandu';
// AWS's SDK works with Node.js 20 all the same.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const leftOut = [];
if (!hasBrowser()) {
  console.warn(
    'No browser was found, so the tests of the page are left out. Install Chrome, Edge or Chromium, or set BROWSER_PATH.',
  );
  leftOut.push('/tests/page/in-browser/');
}

export default {
  testEnvironment: '<rootDir>/tests/support/jest/environment.mjs',
  // All of the sources, so that Jest finds the tests that a changed file is related to.
  roots: ['docs', 'functions', 'shared', 'tests'].map((folder) => `<rootDir>/${folder}`),
  globalSetup: '<rootDir>/tests/support/jest/setup.mjs',
  silent: true, // the service logs by console
  testMatch: ['**/*.test.ts'],
  // .ci/run runtime installs the packages that its tests need.
  testPathIgnorePatterns: ['/node_modules/', '/tests/runtime/', ...leftOut],
  // Many tests wait: for a browser, an emulator, a retry. So four workers keep two cores busy.
  maxWorkers: availableParallelism() + 2,
  // Only a test that hangs takes so long, on a busy machine too.
  testTimeout: 180_000,
  transform: { '\\.(ts|m?js)$': '<rootDir>/tests/support/jest/transform.mjs' },
  // These have only ES modules, which Jest on Node.js 20 can't require as they are.
  transformIgnorePatterns: ['/node_modules/(?!(uuid|jose)/)'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};
