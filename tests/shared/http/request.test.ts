import { describe, expect, it } from '@jest/globals';
import { decodeSegment } from '../../../shared/http/message.js';

describe('a segment of a path', () => {
  it.each([
    ['a+b', 'a+b'],
    ['%61%2Fb', 'a/b'],
    ['%2561', '%61'],
    ['caf%C3%A9', 'café'],
  ])('%j is decoded once: %j', (segment, text) => {
    expect(decodeSegment(segment)).toBe(text);
  });

  it.each([
    ['%', '%'],
    ['%zz%61', '%zza'],
    ['%zz%5F%c3%a9%DF%BF%E2%82%ac%ef%bf%bd%F0%9F%91%8D%f4%8f%bf%bf', '%zz_é\u07ff€\ufffd👍\u{10ffff}'],
    ['%4', '%4'],
    ['%FF%61', '%FFa'],
    ['%C3%28', '%C3('],
    ['%E2%82%61', '%E2%82a'],
    ['%ED%A0%80', '%ED%A0%80'],
    ['%C0%AF', '%C0%AF'],
    ['%F5%80%80%80', '%F5%80%80%80'],
  ])('%j keeps the malformed escape: %j', (segment, text) => {
    expect(decodeSegment(segment)).toBe(text);
  });
});
