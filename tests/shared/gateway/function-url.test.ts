import { describe, expect, it } from '@jest/globals';
import { FunctionUrlRequest } from '../../../shared/gateway/function-url.js';

const read = (path: string) => new FunctionUrlRequest({}, 'GET', path);

describe('the path of a function URL', () => {
  it.each([
    ['/api/todo/', ['api', 'todo']],
    ['/api/%74odo/a%2Fb', ['api', 'todo', 'a/b']],
    ['/api/todo/%2561', ['api', 'todo', '%61']],
    ['/pa2%Fth/1', ['pa2%Fth', '1']],
    ['/', []],
  ])('%s is decoded once', (path, segments) => {
    expect(read(path).segments).toEqual(segments);
    expect(read(path).prefix).toBe('');
  });
});
