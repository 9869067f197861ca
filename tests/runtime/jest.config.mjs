import base from '../../jest.config.mjs';

/** The tests that need AWS's runtime client, which this folder's own package installs. */
export default {
  testEnvironment: base.testEnvironment,
  transform: base.transform,
  transformIgnorePatterns: base.transformIgnorePatterns,
  moduleNameMapper: base.moduleNameMapper,
  rootDir: '../..',
  roots: ['<rootDir>/tests/runtime'],
  testMatch: ['**/*.test.ts'],
  testTimeout: 300_000,
};
