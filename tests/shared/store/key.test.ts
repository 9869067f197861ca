import fs from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { FIRST_KEY, newKey } from '../../../shared/store/key.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a key', () => {
  it('sorts behind every key that was made before, however many are made in a millisecond, and if the clock is set back', () => {
    const keys = [FIRST_KEY, ...Array.from({ length: 10_000 }, newKey)];
    jest.spyOn(Date, 'now').mockReturnValue(0);
    keys.push(newKey(), newKey());
    expect(keys).toEqual([...new Set(keys)].sort());
  });

  it('has the time at which it was made', () => {
    const before = Date.now();
    const time = Number.parseInt(newKey().replace('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before - 1);
    expect(time).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it.each<[string, () => unknown]>([
    ['there is no /dev/urandom', () => jest.spyOn(fs, 'openSync').mockReturnValue(-1)],
    ['it returns too few', () => jest.spyOn(fs, 'readSync').mockReturnValue(1_000)],
  ])('takes random bytes from another source if %s', (_case, plant) => {
    plant();
    const instead = jest.spyOn(globalThis.crypto, 'getRandomValues');
    // Enough for the pool to be filled again.
    const keys = Array.from({ length: 600 }, newKey);
    expect(instead).toHaveBeenCalled();
    expect(new Set(keys.map((key) => key.slice(-12))).size).toBe(600);
  });

  it.each([0x00, 0xff])('has space to count within a millisecond if its random bytes are %i', (byte) => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const fill = ((_file: number, bytes: Buffer) => bytes.fill(byte).length) as typeof fs.readSync;
    jest.spyOn(fs, 'readSync').mockImplementation(fill);
    jest.isolateModules(() => {
      const { newKey } = require('../../../shared/store/key.js') as typeof import('../../../shared/store/key.js');
      const keys = Array.from({ length: 300 }, newKey);
      expect(keys).toEqual([...new Set(keys)].sort());
    });
  });
});
