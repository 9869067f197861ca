import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { anItem, CHANGE, COLLECTION } from '../support/service/resource.js';

const CALLS = Number(process.env.LOAD_CALLS ?? 10_000);

it('gives a hundred callers at once the right answers, and uses no more memory after thousands of calls than before', () => {
  const items = Array.from({ length: 7 }, (_, number) => anItem(`x${'"é😀\\'.repeat(number)}`));
  const RESOURCE = JSON.stringify({ path: COLLECTION, items, change: CHANGE });
  const env = { ...process.env, RESOURCE, LOAD_CALLS: String(CALLS) };
  const printed = execFileSync(process.execPath, ['--expose-gc', 'tests/load/calls.mjs'], { encoding: 'utf8', env });
  if (CALLS > 10_000) process.stdout.write(printed);
  const { wrong, left, full, emptied, later } = JSON.parse(printed);
  expect(wrong).toEqual([]);
  expect(left).toBe(1);
  expect(emptied).toBeLessThan(full / 2);
  expect(later).toHaveLength(8);
  expect(Math.max(...later)).toBeLessThan(emptied + 1);
});
