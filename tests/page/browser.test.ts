import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';

it('says once that the browser cannot be started, and ends', async () => {
  const env = { ...process.env, BROWSER_PATH: 'nowhere/browser' };
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', 'tests/page/addresses'], { env });
  const [printed, [code]] = await Promise.all([text(jest.stderr), once(jest, 'exit')]);
  expect(code).toBe(1);
  expect(printed.match(/The browser nowhere\/browser can't be started\. Set BROWSER_PATH/g)).toHaveLength(1);
});
