import { describe, expect, it } from '@jest/globals';
import { readEvent } from '../../../shared/gateway/gateway.js';
import { safePrefix } from '../../../shared/gateway/prefix.js';
import { expectInProportion } from '../../support/cost.js';

// rules/operations.ts has what events of each gateway become. Here is what no recorded event has.

type Members = Readonly<Record<string, unknown>>;

/** Reads an event of version 1.0, of a route with a proxy parameter. */
function rest({ path = '/', resource = '/{proxy+}', ...members }: Members) {
  return readEvent({ httpMethod: 'GET', path, resource, ...members });
}

/** Reads an event of version 2.0. */
function http({ rawPath = '/', stage = '$default', routeKey = '$default', proxy = '', ...members }: Members) {
  const requestContext = { stage, http: { method: 'GET' } };
  return readEvent({ rawPath, routeKey, pathParameters: proxy && { proxy }, requestContext, ...members });
}

describe('the prefix of a request through a REST API (rule 24)', () => {
  it.each([
    ['the stage, with slashes that the gateway dropped', '/api', 'api', '/dev///api', '/dev', '/api'],
    ['the stage, even if the parameter has another path', '/api', 'none', '/dev/api', '/dev', '/api'],
    ['a base path, with slashes at the end', '/notes/v2/api//', 'api', undefined, '/notes/v2', '/api//'],
    ['a base path that looks like the route', '/a/b/a/b', 'a/b', undefined, '/a/b', '/a/b'],
    ['a base path, if the parameter was decoded', '/dev/api/a%20b/', 'api/a b', undefined, '/dev', '/api/a%20b/'],
    ['a base path, if a slash was decoded', '/dev/a%2Fb', 'a/b', undefined, '/dev', '/a%2Fb'],
    ['up to the last place where the route may begin', '/a/a/%C3%A9', 'a/é', undefined, '/a', '/a/%C3%A9'],
    ['none if the decoded path is shorter', '/%C3%A9', 'api/é', undefined, '', '/%C3%A9'],
    ['none if the decoded path is another', '/dev/a%20b', 'x', undefined, '', '/dev/a%20b'],
    ['none if there is no slash in front of it', 'a%20b', 'a b', undefined, '', 'a%20b'],
    ['none if a segment is only a part of one of its own', '/dev/%62', 'my b', undefined, '', '/dev/%62'],
    ['none if the path only ends like the parameter', '/myapi', 'api', undefined, '', '/myapi'],
    ['none that would name another host', '//evil.example/api', 'api', undefined, '', '/api'],
  ])('is %s', (_what, path, proxy, fullPath = path, prefix, route) => {
    const requestContext = { path: fullPath, resourcePath: '/{proxy+}' };
    expect(rest({ path, pathParameters: { proxy }, requestContext })).toMatchObject({ prefix, path: route });
  });

  it('is empty if the resource path is shorter than the resource', () => {
    const requestContext = { path: 5, resourcePath: '/another' };
    expect(rest({ path: '/api', requestContext })).toMatchObject({ prefix: '', path: '/api' });
  });
});

describe('the prefix of a request through an HTTP API (rule 24)', () => {
  const byRoute = (routeKey: string, rawPath: string, proxy?: string) => ({ routeKey, rawPath, proxy });
  /** The stage has the name of the segment in front of the parameter, and the parameter is missing. */
  const underSwagger = { ...byRoute('ANY /swagger/{proxy+}', '/swagger/api/note'), stage: 'swagger' };

  it.each([
    ['the stage', { rawPath: '/dev/api/note', stage: 'dev' }, '/dev', '/api/note'],
    ['the stage at the root, without a slash', { rawPath: '/dev', stage: 'dev' }, '/dev', ''],
    ['none if only a part of a segment is equal to the stage', { rawPath: '/device', stage: 'dev' }, '', '/device'],
    ['none on the stage $default, which is in no path', { rawPath: '/$default/api/note' }, '', '/$default/api/note'],
    ['a base path', { rawPath: '/notes/v2/api/note', proxy: 'api/note' }, '/notes/v2', '/api/note'],
    ['a base path at its root', byRoute('ANY /', '/notes'), '/notes', ''],
    ['in front of what was matched', byRoute('ANY /swagger/{proxy+}', '/v2/swagger/ui', 'ui'), '/v2', '/swagger/ui'],
    ['the same, for segments', byRoute('ANY /a/b/{proxy+}', '/v2/a/b/c%20d', 'c d'), '/v2', '/a/b/c%2520d'],
    ['none if the path has fewer segments', byRoute('ANY /1/2/3/{proxy+}', '/2/note', 'note'), '', '/2/note'],
    ['none that would name another host', { rawPath: '//evil.example/api', proxy: 'api' }, '', '/api'],
    ['none if it could be what was matched', underSwagger, '', '/swagger/api/note'],
  ])('is %s', (_what, event, prefix, path) => {
    expect(http(event)).toMatchObject({ prefix, path });
  });
});

it.each([
  ['abcdefg.lambda-url.eu-central-1.on.aws', '/a%20b'],
  ['abcdefg.lambda-url.cn-north-1.on.amazonwebservices.com.cn', '/a%20b'],
  ['lambda.example.com', '/a%2520b'],
  ['lambda-url.example.com', '/a%2520b'],
  ['abcdefg.execute-api.eu-central-1.amazonaws.com', '/a%2520b'],
  [undefined, '/a%2520b'],
])(
  'an event of version 2.0 with the domain %s has the path %s, which only an HTTP API has decoded',
  (domainName, path) => {
    const requestContext = { domainName, stage: '$default', http: { method: 'GET' } };
    expect(readEvent({ rawPath: '/a%20b', routeKey: '$default', requestContext })).toMatchObject({ path });
  },
);

describe('a prefix', () => {
  it.each(['', '/dev', "/a.b~!$&'()*+,;=:@-_%20/v2", `/a${'/'.repeat(400)}x`, `/${'a'.repeat(511)}`])(
    'can be %.30s',
    (prefix) => expect(safePrefix(prefix)).toBe(prefix),
  );

  it.each([
    ...['/', '//evil.example', '/a\r\nb', '/a b', '/é', 'dev'],
    ...[`/${'a'.repeat(512)}`, `/a${'/'.repeat(100_000)}`],
  ])('that is not safe in a header field is dropped: %.30s', (prefix) => expect(safePrefix(prefix)).toBe(''));

  it('has no slashes at its end', () => expect(safePrefix('/dev///')).toBe('/dev'));

  it.each([
    ['is in the path as it was sent', 'a', '/dev'],
    ['is not there, because the paths differ at their beginning', 'b', ''],
  ])('is found in time in proportion to the path, where it %s', async (_where, first, prefix) => {
    await expectInProportion(20_000, (count) => {
      const path = `/dev${'/%61'.repeat(count)}`;
      const event = { path, pathParameters: { proxy: first + '/a'.repeat(count - 1) } };
      return () => expect(rest(event)?.path).toBe(path.slice(prefix.length));
    });
  });
});

it.each([
  [{ queryStringParameters: null, multiValueQueryStringParameters: { after: ['a', 'c', 'b'] } }, 'b'],
  [{ queryStringParameters: { after: '', After: 'a' } }, ''],
  [{ queryStringParameters: { after: 5 }, multiValueQueryStringParameters: { after: [null] } }, undefined],
  [{ queryStringParameters: Object.create({ after: 'inherited' }) }, undefined],
])('a query parameter is found in %j', (parameters, value) => {
  expect(rest(parameters)?.query('after')).toBe(value);
});

it.each([
  [{ multiValueHeaders: { aCCept: ['a', 'b'] }, headers: { accept: 'b' } }, 'a, b'],
  [{ multiValueHeaders: null, headers: { ACCEPT: 'b', 'a-longer-name': 'x' } }, 'b'],
  [{ multiValueHeaders: { Accept: [null, 5] } }, undefined],
  [{ multiValueHeaders: { Access: 'x', Accept: [5, 'a', 'b'], accept: null, ACCEPT: 'c' } }, 'a, b, c'],
])('a header field is found in any letter case in %j', (headers, value) => {
  expect(rest(headers)?.header('accept')).toBe(value);
});

it.each([
  [{ body: 'x', isBase64Encoded: 'false' }, 'x'],
  [{ body: 5 }, undefined],
])('the body of %j is %j', (event, body) => {
  expect(rest(event)).toMatchObject({ body, isBase64Encoded: false });
});
