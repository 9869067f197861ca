import { describe, expect, it } from '@jest/globals';
import { readEvent } from '../../../shared/gateway/gateway.js';
import { HttpApiRequest } from '../../../shared/gateway/http-api.js';

function read({ rawPath = '/', stage = '$default', routeKey = '$default', proxy = '', ...members }) {
  const event = { ...members, routeKey, pathParameters: proxy && { proxy }, requestContext: { stage } };
  return new HttpApiRequest(event, 'GET', rawPath);
}

/** The stage has the name of the segment in front of the parameter, and the parameter is missing. */
const UNDER_SWAGGER = { rawPath: '/swagger/api/note', stage: 'swagger', routeKey: 'ANY /swagger/{proxy+}' };

describe('a request through an HTTP API', () => {
  it.each([
    ['none at the default stage', { rawPath: '/api/note' }, '', '/api/note'],
    ['the stage', { rawPath: '/dev/api/note', stage: 'dev' }, '/dev', '/api/note'],
    ['the stage, told by the parameter', { rawPath: '/dev/api/', stage: 'dev', proxy: 'api' }, '/dev', '/api/'],
    ['the stage at the root, without a slash', { rawPath: '/dev', stage: 'dev' }, '/dev', ''],
    ['the stage at a root of its own', { rawPath: '/dev/', stage: 'dev', routeKey: 'ANY /' }, '/dev', ''],
    ['none if only a part of a segment is equal to the stage', { rawPath: '/device', stage: 'dev' }, '', '/device'],
    ['a base path', { rawPath: '/notes/v2/api/note', proxy: 'api/note' }, '/notes/v2', '/api/note'],
    ['a base path at its root', { rawPath: '/notes', routeKey: 'ANY /' }, '/notes', ''],
    ['none if it could be what the gateway matched', UNDER_SWAGGER, '', '/swagger/api/note'],
    ['none that would name another host', { rawPath: '//evil.example/api', proxy: 'api' }, '', '/api'],
  ])('has as its prefix %s', (_name, event, prefix, path) => {
    expect(read(event)).toMatchObject({ prefix, path });
  });

  it.each([
    ['/api/note/100%', '/api/note/100%25'],
    ['/api/note/%2561', '/api/note/%252561'],
  ])('is already decoded, so what looks like an escape in %s is literal text', (rawPath, path) => {
    expect(read({ rawPath })).toMatchObject({ path });
  });

  it.each([
    ['after=a&limit=1', 'a'],
    ['after=a&after=b', 'b'],
    ['after=%C3%A9+b', 'é b'],
    ['after=', ''],
    ['After=a', undefined],
    ['', undefined],
  ])('with the query %j has the parameter "after" as %j', (rawQueryString, value) => {
    expect(read({ rawQueryString }).query('after')).toBe(value);
  });
});

it.each([
  ['abc.lambda-url.eu-central-1.on.aws', '/%61pi'],
  ['abc.execute-api.eu-central-1.amazonaws.com', '/%2561pi'],
  ['notes.example.com', '/%2561pi'],
  [undefined, '/%2561pi'],
  [5, '/%2561pi'],
])(
  'an event of version 2.0 of the domain %s has the path %s: only a function URL leaves it encoded',
  (domainName, path) => {
    const requestContext = { http: { method: 'GET' }, domainName };
    expect(readEvent({ rawPath: '/%61pi', requestContext })).toMatchObject({ path, prefix: '' });
  },
);
