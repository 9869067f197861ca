export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  globalSetup: '<rootDir>/tests/support/setup.mjs',
  globalTeardown: '<rootDir>/tests/support/teardown.mjs',
  testMatch: ['**/*.test.ts'],
  // It has a package and a configuration of its own.
  testPathIgnorePatterns: ['/node_modules/', '/tests/runtime/'],
  transform: { '\\.(ts|js)$': '<rootDir>/tests/support/transform.mjs' },
  // Published as ES modules only, which Jest on Node.js 20 can't require as they are.
  transformIgnorePatterns: ['/node_modules/(?!(uuid|@apidevtools|@sparticuz)/)'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  collectCoverageFrom: ['functions/**/*.ts', 'shared/**/*.ts'],
  coverageReporters: ['text', 'lcovonly'],
  coverageThreshold: { global: { lines: 100, branches: 100, functions: 100, statements: 100 } },
};
