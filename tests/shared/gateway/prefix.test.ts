import { describe, expect, it } from '@jest/globals';
import { routeStart, safePrefix } from '../../../shared/gateway/prefix.js';

describe('a prefix', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['/dev', '/dev'],
    ['/dev///', '/dev'],
    ["/a.b~!$&'()*+,;=:@-_%20/v2", "/a.b~!$&'()*+,;=:@-_%20/v2"],
    ['//evil.example', ''],
    ['/a\r\nb', ''],
    ['/a b', ''],
    ['/é', ''],
    ['dev', ''],
    [`/a${'/'.repeat(400)}x`, `/a${'/'.repeat(400)}x`],
  ])('%j is made safe for a header field: %j', (prefix, safe) => {
    expect(safePrefix(prefix)).toBe(safe);
  });

  it('has at most 512 characters, so that header fields have a maximum size', () => {
    expect(safePrefix(`/${'a'.repeat(511)}`)).toHaveLength(512);
    expect(safePrefix(`/${'a'.repeat(512)}`)).toBe('');
    expect(safePrefix(`/a${'/'.repeat(100_000)}`)).toBe('');
  });
});

describe('the route in a path', () => {
  it.each([
    ['begins there, too, at the start of the path', '/{proxy+}', 'api/note', '/api/note', 0],
    ['is unknown if the proxy parameter is empty', '/{proxy+}', '', '/', undefined],
    ['begins where the proxy parameter does, if that was decoded', '/{proxy+}', 'api/a b', '/dev/api/a%20b/', 4],
    ['begins there, too, if a slash in it was decoded', '/{proxy+}', 'a/b', '/dev/a%2Fb', 4],
    ['begins at the last of several places', '/{proxy+}', 'api/caf\u00e9', '/api/api/caf%C3%A9', 4],
    ['is unknown if the decoded path is shorter', '/{proxy+}', 'api/caf\u00e9', '/caf%C3%A9', undefined],
    ['is unknown if the decoded path is another', '/{proxy+}', 'x', '/dev/a%20b', undefined],
    ['is unknown if there is no slash in front', '/{proxy+}', 'a b', 'a%20b', undefined],
    ['is unknown if a segment is only a part of one of its own', '/{proxy+}', 'my b', '/dev/%62', undefined],
    ['begins with the segments that the gateway matched', '/swagger/{proxy+}', 'ui', '/notes/v2/swagger/ui', 9],
    ['begins with several of them', '/swagger/ui/{proxy+}', 'a b', '/v2/swagger/ui/a%20b', 3],
    ['begins with the path if that has fewer', 'ANY /one/two/three/{proxy+}', 'note', '/two/note', 0],
    ['begins with the parameter if the template is unknown', 'none', 'note', '/dev/note', 4],
  ])('%s: %s, %j in %s at %s', (_what, template, proxy, path, start) => {
    expect(routeStart({ pathParameters: { proxy } }, template, path)).toBe(start);
  });

  it('is found in time in proportion to the path, and so are the segments that differ', () => {
    const count = 300_000;
    const start = (proxy: string) =>
      routeStart({ pathParameters: { proxy } }, '/{proxy+}', `/dev${'/%61'.repeat(count)}`);
    expect(start(`a${'/a'.repeat(count - 1)}`)).toBe(4);
    expect(start(`b${'/a'.repeat(count - 1)}`)).toBeUndefined();
  });

  it.each([{}, { pathParameters: null }, { pathParameters: 5 }, { pathParameters: { proxy: 5 } }])(
    'is unknown if an event has no proxy parameter: %j',
    (event) => {
      expect(routeStart(event, '/{proxy+}', '/api/note')).toBeUndefined();
    },
  );
});
