import config from '../../jest.config.mjs';

const slow =
  'abuse/page|bench|client|deploy|functions/fill|fuzz|load|model|offline|package|page|readme|runtime|template.test';

/** For `npm run mutate`: without the tests that start browsers or processes, or take millions of bytes; the quickest first. */
export default {
  ...config,
  rootDir: '../..',
  testPathIgnorePatterns: [`/tests/(${slow})`],
  testSequencer: '<rootDir>/tests/mutate/sequencer.cjs',
  moduleNameMapper: { '/support/kinds\\.js$': '<rootDir>/tests/mutate/kinds.ts', ...config.moduleNameMapper },
};
