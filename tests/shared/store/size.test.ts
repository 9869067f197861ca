import { describe, expect, it } from '@jest/globals';
import { bytesInString } from '../../../shared/store/version.js';

describe('the bytes that JSON takes inside a string of other JSON', () => {
  it.each([
    ['[]', 2],
    ['{"a":1}', 9],
    ['"\\""', 8],
    ['"é€😀"', 13],
    ['"\\ud800"', 11],
  ])('are those of a body in a result: %s has %i', (json, bytes) => {
    expect(bytesInString(json)).toBe(bytes);
    const result = (body: string) => Buffer.byteLength(JSON.stringify({ statusCode: 200, body }));
    expect(result(json) - result('')).toBe(bytes);
  });
});
