import config from './jest.config.mjs';

/** For `npm run mutate`: the tests that finish within a second, without browsers, processes, or millions of bytes. */
export default {
  ...config,
  testPathIgnorePatterns: [
    'tests/(abuse/page|bench|client|deploy|functions/fill|fuzz|load|model|offline|package|page|runtime|template)',
  ],
};
