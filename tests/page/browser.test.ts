import { afterEach, expect, it } from '@jest/globals';
import setup from '../support/jest/setup.mjs';

const { BROWSER_PATH } = process.env;

afterEach(() => {
  if (BROWSER_PATH === undefined) delete process.env.BROWSER_PATH;
  else process.env.BROWSER_PATH = BROWSER_PATH;
});

it('a browser that cannot be started is named once, before the first test', async () => {
  process.env.BROWSER_PATH = 'nowhere/browser';
  const isMatch = (file: string) => file.endsWith('addresses.test.ts');
  const started = setup({ rootDir: process.cwd(), testPathPatterns: { toExecutor: () => ({ isMatch }) } });
  await expect(started).rejects.toThrow(/^The browser nowhere\/browser can't be started\. Set BROWSER_PATH to another/);
});
