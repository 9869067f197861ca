import { describe, expect, it } from '@jest/globals';
import { RestRequest } from '../../../shared/gateway/rest.js';

function read({ path, ...event }: { path: string; [member: string]: unknown }) {
  return new RestRequest({ resource: '/{proxy+}', ...event }, 'GET', path);
}

describe('the prefix of a REST event', () => {
  it.each([
    ['the stage', '/api/note', 'api/note', '/dev/api/note', '/dev', '/api/note'],
    ['the stage, with a slash at the end', '/api/note/', 'api/note', '/dev/api/note/', '/dev', '/api/note/'],
    ['the stage, with slashes that the gateway dropped', '/api', 'api', '/dev///api', '/dev', '/api'],
    ['a base path', '/tasks/v2/api', 'api', '/tasks/v2/api', '/tasks/v2', '/api'],
    ['a base path, with slashes at the end', '/tasks/v2/api//', 'api', '/tasks/v2/api//', '/tasks/v2', '/api//'],
    ['a base path and the stage', '/service/prod/test', 'test', '/service/prod/test', '/service/prod', '/test'],
    [
      'a base path that looks like the route',
      '/api/note/api/note',
      'api/note',
      '/api/note/api/note',
      '/api/note',
      '/api/note',
    ],
    [
      'none, where the proxy parameter tells of another path',
      '/api/note',
      'none',
      '/dev/api/note',
      '/dev',
      '/api/note',
    ],
    ['none, where the path ends as the proxy parameter does', '/myapi', 'api', '/myapi', '', '/myapi'],
    ['none in the test console', '/api/note', 'api/note', '/{proxy+}', '', '/api/note'],
    ['none that would name another host', '//evil.example/api', 'api', '//evil.example/api', '', '/api'],
    ['none that would name another host to a browser', '/api', 'api', '/\\evil.example/api', '', '/api'],
    ['none that would end the header field', '/api', 'api', '/a\r\nSet-Cookie: b/api', '', '/api'],
  ])('is %s', (_name, path, proxy, fullPath, prefix, route) => {
    const request = read({
      path,
      pathParameters: { proxy },
      requestContext: { path: fullPath, resourcePath: '/{proxy+}' },
    });
    expect(request.prefix).toBe(prefix);
    expect(request.path).toBe(route);
  });

  it.each([
    ['/', '/Prod/', '/Prod'],
    ['/', '/Prod', '/Prod'],
    ['/', '/', ''],
    ['/tasks', '/tasks', '/tasks'],
    ['/tasks/', '/tasks/', '/tasks'],
    ['/', '/{proxy+}', ''],
    ['/', '//', ''],
  ])('at the root, %s with the full path %s, is %j', (path, fullPath, prefix) => {
    const request = read({
      path,
      resource: '/',
      pathParameters: null,
      requestContext: { path: fullPath, resourcePath: '/' },
    });
    expect(request.prefix).toBe(prefix);
    expect(request.path).toBe('');
  });

  it('is taken from the resource path in the emulator', () => {
    const root = read({ path: '', resource: '', requestContext: { path: '', resourcePath: '/dev' } });
    expect(root.prefix).toBe('/dev');
    expect(root.path).toBe('');
  });
});

describe('a query parameter of a REST event', () => {
  it.each([
    [{ queryStringParameters: { after: 'b' }, multiValueQueryStringParameters: { after: ['a', 'b'] } }, 'b'],
    [{ queryStringParameters: null, multiValueQueryStringParameters: { after: ['a', 'c', 'b'] } }, 'b'],
    [{ queryStringParameters: { after: '' } }, ''],
    [{ queryStringParameters: { After: 'a' } }, undefined],
    [{ queryStringParameters: { after: 5 }, multiValueQueryStringParameters: { after: [null] } }, undefined],
    [{ queryStringParameters: { after: null }, multiValueQueryStringParameters: { after: [] } }, undefined],
    [{ queryStringParameters: 'after', multiValueQueryStringParameters: 7 }, undefined],
    [{ queryStringParameters: Object.create({ after: 'inherited' }) }, undefined],
    [{}, undefined],
  ])('is found in %j', (parameters, value) => {
    expect(read({ path: '/', ...parameters }).query('after')).toBe(value);
  });
});

describe('a header field of a REST event', () => {
  it.each(['accept', 'if-none-match', 'x-amzn-trace-id'])('is found in any letter case: %s', (name) => {
    const capitalised = name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
    for (const spelled of [name, capitalised, name.toUpperCase()]) {
      expect(read({ path: '/', headers: { [spelled]: 'x' } }).header(name)).toBe('x');
    }
  });

  it.each([
    [{ multiValueHeaders: { aCCept: ['a', 'b'] }, headers: { accept: 'b' } }, 'a, b'],
    [{ multiValueHeaders: null, headers: { Accept: 'b' } }, 'b'],
    [{ headers: { ACCEPT: 'b', 'a-name-that-is-longer-than-all-of-those-looked-for': 'x' } }, 'b'],
    [{ headers: { Cookie: 'x', accept: 5 } }, undefined],
    [{ headers: { Access: 'x', 'Content-type': 'y' } }, undefined],
    [{ multiValueHeaders: { Accept: ['a'] } }, 'a'],
    [{ multiValueHeaders: { Accept: [5] } }, undefined],
    [{ multiValueHeaders: { Accept: [null, 5] } }, undefined],
    [{ multiValueHeaders: { Accept: [5, 'a', 'b'] } }, 'a, b'],
    [{ headers: { Accept: 'a', accept: 'b' } }, 'a, b'],
    [{ headers: { ACCEPT: 'a', Access: 'x', accept: 'b', Accept: 'c' } }, 'a, b, c'],
    [{ headers: { ACCEPT: null, Accept: 'b', accept: 5 } }, 'b'],
    [{ multiValueHeaders: { Accept: ['a', 'b'], accept: null, ACCEPT: ['c'] } }, 'a, b, c'],
    [{ headers: null, multiValueHeaders: null }, undefined],
  ])('is found in %j', (headers, value) => {
    expect(read({ path: '/', ...headers }).header('accept')).toBe(value);
  });
});
