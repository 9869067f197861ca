import { describe, expect, it } from '@jest/globals';
import { safePrefix } from '../../../shared/gateway/prefix.js';

describe('a prefix', () => {
  it('is made fit in time in proportion to its length, whatever slashes it holds', () => {
    const started = performance.now();
    expect(safePrefix(`/a${'/'.repeat(100_000)}x`)).toHaveLength(100_003);
    expect(safePrefix(`/a${'/'.repeat(100_000)}`)).toBe('/a');
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
