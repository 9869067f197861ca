import { describe, expect, it } from '@jest/globals';
import { RestRequest } from '../../../shared/gateway/rest-api.js';

function read({ path, ...event }: { path: string; [member: string]: unknown }) {
  return new RestRequest({ resource: '/{proxy+}', ...event }, 'GET', path);
}

describe('the prefix of a REST event', () => {
  it.each([
    ['the stage', '/api/note', 'api/note', '/dev/api/note', '/dev', '/api/note'],
    ['the stage, with slashes that the gateway dropped', '/api', 'api', '/dev///api', '/dev', '/api'],
    ['a base path, with slashes at the end', '/notes/v2/api//', 'api', '/notes/v2/api//', '/notes/v2', '/api//'],
    ['a base path and the stage', '/service/prod/test', 'test', '/service/prod/test', '/service/prod', '/test'],
    ['a base path that looks like the route', '/a/b/a/b', 'a/b', '/a/b/a/b', '/a/b', '/a/b'],
    ['the stage, even if the proxy parameter has another path', '/api', 'none', '/dev/api', '/dev', '/api'],
    ['none if the path only ends like the proxy parameter', '/myapi', 'api', '/myapi', '', '/myapi'],
    ['none in the test console', '/api/note', 'api/note', '/{proxy+}', '', '/api/note'],
    ['none that would name another host', '//evil.example/api', 'api', '//evil.example/api', '', '/api'],
  ])('is %s', (_name, path, proxy, fullPath, prefix, route) => {
    const requestContext = { path: fullPath, resourcePath: '/{proxy+}' };
    expect(read({ path, pathParameters: { proxy }, requestContext })).toMatchObject({ prefix, path: route });
  });

  it.each([
    ['/', '/Prod/', '/Prod'],
    ['/', '/', ''],
    ['/notes/', '/notes/', '/notes'],
    ['/', '/{proxy+}', ''],
    ['/', '//', ''],
  ])('at the root, %s with the full path %s, is %j', (path, fullPath, prefix) => {
    const requestContext = { path: fullPath, resourcePath: '/' };
    expect(read({ path, resource: '/', pathParameters: null, requestContext })).toMatchObject({ prefix, path: '' });
  });

  it('is empty if the resource path is shorter than the resource', () => {
    const requestContext = { path: 5, resourcePath: '/another' };
    expect(read({ path: '/api', requestContext })).toMatchObject({ prefix: '', path: '/api' });
  });

  it('is taken from the resource path in the emulator', () => {
    const requestContext = { path: '', resourcePath: '/dev' };
    expect(read({ path: '', resource: '', requestContext })).toMatchObject({ prefix: '/dev', path: '' });
  });
});

it.each([
  [{ queryStringParameters: { after: 'b' }, multiValueQueryStringParameters: { after: ['a', 'b'] } }, 'b'],
  [{ queryStringParameters: null, multiValueQueryStringParameters: { after: ['a', 'c', 'b'] } }, 'b'],
  [{ queryStringParameters: { after: '' } }, ''],
  [{ queryStringParameters: { After: 'a' } }, undefined],
  [{ queryStringParameters: { after: 5 }, multiValueQueryStringParameters: { after: [null] } }, undefined],
  [{ queryStringParameters: 'after', multiValueQueryStringParameters: { after: [] } }, undefined],
  [{ queryStringParameters: Object.create({ after: 'inherited' }) }, undefined],
])('a query parameter is found in %j', (parameters, value) => {
  expect(read({ path: '/', ...parameters }).query('after')).toBe(value);
});

it.each([
  [{ multiValueHeaders: { aCCept: ['a', 'b'] }, headers: { accept: 'b' } }, 'a, b'],
  [{ multiValueHeaders: null, headers: { ACCEPT: 'b', 'a-longer-name': 'x' } }, 'b'],
  [{ multiValueHeaders: { Accept: [null, 5] } }, undefined],
  [{ multiValueHeaders: { Accept: [5, 'a', 'b'] } }, 'a, b'],
  [{ headers: { ACCEPT: 'a', Access: 'x', accept: 'b', Accept: 'c' } }, 'a, b, c'],
  [{ multiValueHeaders: { Accept: ['a', 'b'], accept: null, ACCEPT: ['c'] } }, 'a, b, c'],
  [{ headers: null, multiValueHeaders: null }, undefined],
])('a header field is found in any letter case in %j', (headers, value) => {
  expect(read({ path: '/', ...headers }).header('accept')).toBe(value);
});

it.each([
  [{ body: 'eA==', isBase64Encoded: true }, 'eA==', true],
  [{ body: 'x', isBase64Encoded: 'false' }, 'x', false],
  [{ body: 5 }, undefined, false],
])('the body of %j is %j, and in base64: %j', (event, body, isBase64Encoded) => {
  expect(read({ path: '/', ...event })).toMatchObject({ body, isBase64Encoded });
});
