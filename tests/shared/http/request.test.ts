import { describe, expect, it } from '@jest/globals';
import { segmentsOf } from '../../../shared/http/request.js';

describe('the segments of a path', () => {
  it.each([
    ['', []],
    ['/', []],
    ['//', ['']],
    ['/a', ['a']],
    ['/a/', ['a']],
    ['a/b', ['a', 'b']],
    ['/a/b', ['a', 'b']],
    ['/a//b', ['a', '', 'b']],
    ['//a', ['', 'a']],
    ['/a//', ['a', '']],
    ['/%61%2Fb/c%20d', ['a/b', 'c d']],
    ['/%2561', ['%61']],
    ['/caf%C3%A9/%E2%82%AC/%F0%9F%91%8D', ['café', '€', '👍']],
    ['/a+b', ['a+b']],
  ])('of %j are %j, each decoded once', (path, segments) => {
    expect(segmentsOf(path, true)).toEqual(segments);
  });

  it.each([
    ['/%', '%'],
    ['/%zz%61', '%zza'],
    ['/%4', '%4'],
    ['/%FF%61', '%FFa'],
    ['/%C3%28', '%C3('],
    ['/%E2%82%61', '%E2%82a'],
    ['/%ED%A0%80', '%ED%A0%80'],
    ['/%C0%AF', '%C0%AF'],
    ['/%F5%80%80%80', '%F5%80%80%80'],
  ])('of %j keep the malformed escape: %j', (path, segment) => {
    expect(segmentsOf(path, true)).toEqual([segment]);
  });

  it('are not decoded again where the gateway has done it', () => {
    expect(segmentsOf('/a%20b', false)).toEqual(['a%20b']);
  });
});
