import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

const CALLS = Number(process.env.LOAD_CALLS ?? 10_000);

it('gives a hundred callers at once the right answers, and uses no more memory after thousands of calls than before', () => {
  const env = { ...process.env, LOAD_CALLS: String(CALLS) };
  const printed = execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', 'tests/shared/load/calls.ts'], {
    encoding: 'utf8',
    env,
  });
  if (CALLS > 10_000) process.stdout.write(printed);
  const { wrong, left, used } = JSON.parse(printed);
  // In the first tenth of the calls, the engine still compiles.
  const [full, , emptied, ...later] = used;
  expect(wrong).toEqual([]);
  expect(left).toBe(1);
  expect(emptied).toBeLessThan(full / 2);
  expect(later).toHaveLength(8);
  expect(Math.max(...later)).toBeLessThan(emptied + 1);
});
