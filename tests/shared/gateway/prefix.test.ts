import { describe, expect, it } from '@jest/globals';
import { routeStart, safePrefix } from '../../../shared/gateway/prefix.js';

describe('a prefix', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['/dev', '/dev'],
    ['/dev/', '/dev'],
    ['/dev///', '/dev'],
    ['/tasks/v2', '/tasks/v2'],
    ["/a.b~!$&'()*+,;=:@-_%20", "/a.b~!$&'()*+,;=:@-_%20"],
    ['//evil.example', ''],
    ['/\\evil.example', ''],
    ['/a\r\nb', ''],
    ['/a b', ''],
    ['/é', ''],
    ['/"', ''],
    ['/<', ''],
    ['dev', ''],
    [`/a${'/'.repeat(400)}x`, `/a${'/'.repeat(400)}x`],
  ])('%j is made fit for a header field: %j', (prefix, safe) => {
    expect(safePrefix(prefix)).toBe(safe);
  });

  it('has 512 characters at most, which bounds the header fields that it gets into', () => {
    expect(safePrefix(`/${'a'.repeat(511)}`)).toHaveLength(512);
    expect(safePrefix(`/${'a'.repeat(512)}`)).toBe('');
    expect(safePrefix(`/a${'/'.repeat(100_000)}`)).toBe('');
  });
});

describe('the route in a path begins', () => {
  it.each([
    ['api/note', '/api/note', 0],
    ['api/note', '/dev/api/note', 4],
    ['api/note', '/dev/api/note//', 4],
    ['', '/', undefined],
    ['api', '/myapi', undefined],
    ['api/note/1', '/api/note', undefined],
    ['none', '/api/note', undefined],
  ])('where the proxy parameter %j does: in %j at %s', (proxy, path, start) => {
    expect(routeStart({ pathParameters: { proxy } }, '/{proxy+}', path)).toBe(start);
  });

  it.each([
    ['a b', '/dev/a%20b', 4],
    ['api/a b', '/dev/api/a%20b/', 4],
    ['a/b', '/dev/a%2Fb', 4],
    ['api/caf\u00e9', '/api/api/caf%C3%A9', 4],
    ['api/caf\u00e9', '/caf%C3%A9', undefined],
    ['x', '/dev/a%20b', undefined],
    ['dev/a b/c', '/a%20b', undefined],
    ['a b', 'a%20b', undefined],
  ])('there, too, where an emulator has decoded %j: in %j at %s', (proxy, path, start) => {
    expect(routeStart({ pathParameters: { proxy } }, '/{proxy+}', path)).toBe(start);
  });

  it.each([
    ['ui', '/swagger/{proxy+}', '/swagger/ui', 0],
    ['ui', '/swagger/{proxy+}', '/tasks/v2/swagger/ui', 9],
    ['ui', '/swagger/{proxy+}', '/tasks/v2/%73wagger/ui/', 9],
    ['api/note', '/swagger/{proxy+}', '/swagger/api/note', 0],
    ['a b', '/swagger/ui/{proxy+}', '/v2/swagger/ui/a%20b', 3],
    ['note', 'ANY /beta/swagger/{proxy+}', '/note', 0],
    ['note', 'ANY /one/two/three/{proxy+}', '/two/note', 0],
    ['note', 'none', '/dev/note', 4],
  ])('in front of the segments that the gateway matched: %j by %s in %s at %s', (proxy, template, path, start) => {
    expect(routeStart({ pathParameters: { proxy } }, template, path)).toBe(start);
  });

  it.each([
    {},
    { pathParameters: null },
    { pathParameters: 5 },
    { pathParameters: {} },
    { pathParameters: { proxy: 5 } },
  ])('at no place that %j would tell', (event) => {
    expect(routeStart(event, '/{proxy+}', '/api/note')).toBeUndefined();
  });
});
