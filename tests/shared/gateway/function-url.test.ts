import { describe, expect, it } from '@jest/globals';
import { FunctionUrlRequest } from '../../../shared/gateway/function-url.js';

const read = (path: string) => new FunctionUrlRequest({}, 'GET', path);

describe('the path of a function URL', () => {
  it('is as it was sent, behind no prefix', () => {
    expect(read('/api/%74odo/a%2Fb/')).toMatchObject({ path: '/api/%74odo/a%2Fb/', prefix: '' });
  });
});
