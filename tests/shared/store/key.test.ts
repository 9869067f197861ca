import fs from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { FIRST_KEY, newKey } from '../../../shared/store/key.js';

const VERSION_7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a key', () => {
  it('is a UUID of version 7 in lower case', () => {
    expect(newKey()).toMatch(VERSION_7);
    expect(FIRST_KEY).toMatch(VERSION_7);
  });

  it('sorts behind every key that was made before, however many are made in a millisecond', () => {
    const keys = Array.from({ length: 10_000 }, newKey);
    expect(keys).toEqual([...new Set(keys)].sort());
    expect((keys[0] as string) > FIRST_KEY).toBe(true);
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

  it('has space to count within a millisecond, whatever random number the count begins with', () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    for (const byte of [0x00, 0xff]) {
      jest
        .spyOn(fs, 'readSync')
        .mockImplementation(((_file: number, bytes: Buffer) => bytes.fill(byte).length) as never);
      jest.isolateModules(() => {
        const { newKey } = require('../../../shared/store/key.js') as typeof import('../../../shared/store/key.js');
        const keys = Array.from({ length: 300 }, newKey);
        expect(keys).toEqual([...new Set(keys)].sort());
      });
    }
  });

  it('continues counting after the clock was set back', () => {
    const before = newKey();
    jest.spyOn(Date, 'now').mockReturnValue(0);
    const keys = [before, newKey(), newKey()];
    expect(keys).toEqual([...new Set(keys)].sort());
  });
});
