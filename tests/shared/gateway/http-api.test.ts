import { describe, expect, it } from '@jest/globals';
import { FunctionUrlRequest, HttpApiRequest } from '../../../shared/gateway/http-api.js';

interface Event {
  readonly rawPath: string;
  readonly rawQueryString?: string;
  readonly stage?: string;
  readonly routeKey?: string;
  readonly proxy?: string;
  readonly headers?: object;
}

function read({ rawPath, stage = '$default', routeKey = '$default', proxy, ...event }: Event) {
  const members = { ...event, routeKey, pathParameters: proxy && { proxy }, requestContext: { stage } };
  return new HttpApiRequest(members, 'GET', rawPath);
}

describe('the prefix of an HTTP API', () => {
  it.each([
    ['none at the default stage', { rawPath: '/api/note' }, '', '/api/note'],
    ['none at the root', { rawPath: '/', routeKey: 'ANY /' }, '', ''],
    ['the stage', { rawPath: '/dev/api/note', stage: 'dev' }, '/dev', '/api/note'],
    ['the stage, told by the parameter', { rawPath: '/dev/api/', stage: 'dev', proxy: 'api' }, '/dev', '/api/'],
    ['the stage at the root', { rawPath: '/dev/', stage: 'dev' }, '/dev', '/'],
    ['the stage at the root, without a slash', { rawPath: '/dev', stage: 'dev' }, '/dev', ''],
    ['the stage at a root of its own', { rawPath: '/dev/', stage: 'dev', routeKey: 'ANY /' }, '/dev', ''],
    ['none where only a part of a segment is as the stage', { rawPath: '/device', stage: 'dev' }, '', '/device'],
    ['none where a domain has left the stage out', { rawPath: '/api', stage: 'dev' }, '', '/api'],
    ['a base path', { rawPath: '/tasks/v2/api/note', proxy: 'api/note' }, '/tasks/v2', '/api/note'],
    ['a base path at its root', { rawPath: '/tasks', routeKey: 'ANY /' }, '/tasks', ''],
    ['none that would name another host', { rawPath: '//evil.example/api', proxy: 'api' }, '', '/api'],
  ])('is %s', (_name, event, prefix, path) => {
    const request = read(event);
    expect(request.prefix).toBe(prefix);
    expect(request.path).toBe(path);
  });
});

describe('the path of an HTTP API', () => {
  it('is decoded by the gateway, and so what looks like an escape is none', () => {
    expect(read({ rawPath: '/api/note/100%' }).path).toBe('/api/note/100%25');
    expect(read({ rawPath: '/api/note/%2561' }).path).toBe('/api/note/%252561');
  });
});

describe('a header field of an HTTP API', () => {
  it('holds the values of a repeated field, joined by a comma', () => {
    const headers = { 'if-none-match': '"1","2"', accept: 'text/json' };
    expect(read({ rawPath: '/', headers }).header('if-none-match')).toBe('"1","2"');
    expect(read({ rawPath: '/', headers }).header('origin')).toBeUndefined();
  });
});

describe('a query parameter of an HTTP API', () => {
  it.each([
    ['after=a&limit=1', 'a'],
    ['after=a&after=b', 'b'],
    ['after=%C3%A9+b', 'é b'],
    ['after=', ''],
    ['After=a', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is found in %j', (rawQueryString, value) => {
    expect(read({ rawPath: '/', ...(rawQueryString !== undefined && { rawQueryString }) }).query('after')).toBe(value);
  });
});

describe('the path of a function URL', () => {
  it('is as it was sent, behind no prefix', () => {
    const request = new FunctionUrlRequest({}, 'GET', '/api/%74odo/a%2Fb/');
    expect(request).toMatchObject({ path: '/api/%74odo/a%2Fb/', prefix: '' });
  });
});
