import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bytesInString } from '../../../shared/store/size.js';

/** The honest computation: as a string of JSON, without the quotes around it. */
const counted = (json: string) => Buffer.byteLength(JSON.stringify(json)) - 2;

describe('the bytes that JSON takes inside a string of other JSON', () => {
  it.each(['""', '"\\"\\\\"', '"\\u0000\\n"', '"é€😀"', '"\\ud800"', '"\u2028\u007f"', '[]', '{"a":[null,1e21,true]}'])(
    'are counted for %s',
    (json) => {
      expect(bytesInString(json)).toBe(counted(json));
    },
  );

  it('are counted for any value', () => {
    const value = fc.oneof(
      fc.string({ unit: fc.oneof(fc.constantFrom('"', '\\', '\n', '\u0000', '\ud800', '\udc00', '😀'), fc.string()) }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(value, (any) => {
        const json = JSON.stringify(any);
        expect(bytesInString(json)).toBe(counted(json));
      }),
      { numRuns: 2_000 },
    );
  });
});
